"""What the tools print instead of a table when the driver or the container is at fault.

Codes: ``no_tool``, ``no_device`` (none mapped, driver not mounted, not permitted: the tool does not tell which),
``device_taken`` (by another container), ``driver`` (does not answer), ``library`` (of the driver is missing),
``query_failed``. Sources: vllm-ascend#2698, cann-container-image#46, mind-cluster's FAQ, nvidia-smi's own texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .device_types import DeviceProblem

# The first that matches a line counts, and over all lines the first of this order is the fault that is told.
_FAULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("no_tool", re.compile(r"(?:npu|nvidia)-smi\W.{0,40}(?:not found|No such file|未找到)", re.IGNORECASE)),
    ("device_taken", re.compile(r"because the device is used|\bret is -8020\b", re.IGNORECASE)),
    ("library", re.compile(r"error while loading shared libraries|cannot open shared object file", re.IGNORECASE)),
    ("no_device", re.compile(r"dcmi mod\w{1,5} init\w{0,12} failed.{0,40}-8005\b", re.IGNORECASE)),
    ("no_device", re.compile(r"Failed to query npu chip: 0 info|No devices? (?:were|was) found", re.IGNORECASE)),
    ("driver", re.compile(r"dcmi mod\w{1,5} init\w{0,12} failed|\bDrvMng\w{1,40} failed", re.IGNORECASE)),
    ("driver", re.compile(r"NVIDIA-SMI has failed|Failed to initialize NVML", re.IGNORECASE)),
    ("query_failed", re.compile(r"Failed to (?:query|get)\b.{0,60}\b(?:npu|chip|device|card|dcmi)", re.IGNORECASE)),
    ("query_failed", re.compile(r"Error parameter of -|does not support (?:querying|this command)", re.IGNORECASE)),
)
FAULTS = tuple(dict.fromkeys(code for code, _ in _FAULTS))


def find_faults(lines: Iterable[str]) -> list[DeviceProblem]:
    """The faults that lines tell of, each code once, the one to be told first."""
    found: dict[str, DeviceProblem] = {}
    for line in lines:
        for code, pattern in _FAULTS:
            if pattern.search(line):
                found.setdefault(code, DeviceProblem(code, line.strip()[:200]))
                break
    return sorted(found.values(), key=lambda one: FAULTS.index(one.code))
