"""Metric lines of a console log: verl's ``step:N - k:v - k:v`` and MindSpeed-RL's ``iteration: i / N | k : v``.

Lines that need memory of earlier ones (AgentSDK's) are read by metric_reader.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from .lines import clean_line

# Not after a word character or a slash: `global_step:2 - `, `timing_s/step:1.25` are no metric lines; a bar glued
# before it (`81.49s/it]step:2 - `) is fine. `step:{n} -` (an unformatted template in old verl) has no digits.
_VERL = re.compile(r"(?:^|[^\w/])step:(\d{1,12}) - (\S.*)$")
# AgentSDK and MindSpeed-RL write a colon; Megatron's own line (MindSpeed-RL's DPO) has none.
_MINDSPEED = re.compile(r"\biteration:?\s*(\d{1,12})\s*/\s*(\d{1,12})\s*\|\s*(.*)$")
_NUMBER = r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf|NaN|Infinity)"
# numpy 2 prints its scalars as np.float64(1.5); a trailing piece may have another line's text glued to it.
_VALUE = re.compile(rf"\s*(?:(?:np|numpy)\.\w+\(\s*({_NUMBER})\s*\)|({_NUMBER})(?![\w.]))")
_GLUED_VALUE = re.compile(r"\s*([+-]?\d+\.\d+(?:[eE][+-]?\d+)?)")


def parse_metric_line(line: bytes | str) -> tuple[int, dict[str, float]] | None:
    """Read one line of a training log.

    Args:
        line: raw or clean, with or without Ray's prefix.

    Returns:
        (step, {key: value}) or None where the line holds no metrics. Values may be nan or inf. A key whose value
        was cut off by a hard wrap is left out.
    """
    if isinstance(line, bytes):
        if b"step:" not in line and b"iteration" not in line:
            return None
        line = clean_line(line)
    elif "step:" in line or "iteration" in line:
        line = clean_line(line)
    if "step:" in line:
        match = _VERL.search(line)
        if match:
            data = _pairs(match[2], " - ", ":")
            # Every verl line has a namespaced key; a model's answer "step:1 - first:2" has not.
            if any("/" in key for key in data):
                return int(match[1]), data
    if "iteration" in line:
        match = _MINDSPEED.search(line)
        if match:
            data = _pairs(match[3], "|", ":")
            if data:
                return int(match[1]), data
    return None


def total_of_metric_line(line: str) -> int | None:
    """The N of MindSpeed-RL's and AgentSDK's ``iteration: i / N |``; None for other lines."""
    match = _MINDSPEED.search(line) if "iteration" in line else None
    return int(match[2]) if match else None


def _pairs(text: str, separator: str, colon: str) -> dict[str, float]:
    data: dict[str, float] = {}
    pieces = text.split(separator)
    for index, piece in enumerate(pieces):
        key, _, value = piece.rpartition(colon)
        match = _VALUE.fullmatch(value.rstrip()) if key else None
        if match is None and index == len(pieces) - 1:
            # The last value may have text glued behind it: a bar, or Ray's "[repeated 2x ...]".
            key, match = _last_value(piece, colon)
        key = key.strip()
        if match is None or not key or len(key) > 200:
            continue
        number = _number(match)
        if number is not None:
            data[key] = number
    return data


def _last_value(piece: str, colon: str) -> tuple[str, re.Match[str] | None]:
    key, _, value = piece.partition(colon)
    return key, _VALUE.match(value) or _GLUED_VALUE.match(value)


def _number(match: re.Match[str]) -> float | None:
    text = next((group for group in match.groups() if group), "")
    try:
        return float(text)
    except ValueError:
        return None


def finite_or_none(data: Mapping[str, float]) -> dict[str, float | None]:
    """Values as they go into JSON: nan and inf become null (JSON has no word for them)."""
    return {key: value if math.isfinite(value) else None for key, value in data.items()}
