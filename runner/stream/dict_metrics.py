"""Numbers of a printed Python dictionary: ``{'actor/loss': np.float64(0.5), 'n': [1, 2]}``; never evaluated."""

from __future__ import annotations

import math
import re

_NUMBER = r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf)"
_SCALAR = rf"(?:(?:np|numpy)\.\w{{1,20}}\(\s*{_NUMBER}\s*\)|tensor\(\s*{_NUMBER}[^()]{{0,80}}\)|{_NUMBER})"
_PAIR = re.compile(
    rf"""(?P<quote>['"])(?P<key>[^'"\n]{{1,200}})(?P=quote):\s*"""
    rf"(?:(?P<scalar>{_SCALAR})|\[(?P<list>\s*{_SCALAR}(?:\s*,\s*{_SCALAR})*)\s*\])(?=\s*[,}}]|\s*$)"
)
_VALUE = re.compile(rf"(?:\(\s*)?(?P<value>{_NUMBER})")


def read_pairs(text: str) -> dict[str, float]:
    """The numbers of a printed dictionary by key; a list counts as its mean, what is no number is left out."""
    data: dict[str, float] = {}
    for match in _PAIR.finditer(text):
        if match["scalar"] is not None:
            data[match["key"]] = _number(match["scalar"])
        else:
            values = [_number(one) for one in match["list"].split(",")]
            data[match["key"]] = sum(values) / len(values)
    return data


def _number(text: str) -> float:
    """The first number in the text of one scalar (the digits of ``np.float64`` are behind no bracket)."""
    inner = text.partition("(")[2] or text
    match = _VALUE.search(inner)
    return float(match["value"]) if match else math.nan
