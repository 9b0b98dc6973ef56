"""``--devices``: ``0-3`` or ``0,2`` as the comma-separated list that CANN and CUDA read."""

from __future__ import annotations

import argparse
import re

_PART = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?\Z")


def device_list(text: str) -> str:
    """The list, each device once, in the order given; "" stays "".

    Raises:
        argparse.ArgumentTypeError: it is no list of numbers and ranges.
    """
    found: list[int] = []
    for part in text.replace(" ", "").split(",") if text.strip() else []:
        match = _PART.match(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise argparse.ArgumentTypeError(f"{text!r}: 0-3, 0,2")
        found.extend(range(first, last + 1))
    return ",".join(map(str, dict.fromkeys(found)))
