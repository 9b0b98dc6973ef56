"""Ranges as the data files write them: intervals such as ``(0, 1]`` or ``{-1} [1, inf)``."""

from __future__ import annotations

import re

from .parameter import Range

_INTERVAL = re.compile(
    r"(?:\{(?P<extra>[^}]+)\}\s*)?(?P<open>[(\[])\s*(?P<low>[^,]+?)\s*,\s*(?P<high>[^,]+?)\s*(?P<close>[)\]])\Z"
)


def parse_range(text: str) -> Range:
    """Read an interval: round brackets leave the bound out, square ones take it in, braces list single values.

    Raises:
        ValueError: the text is no interval.
    """
    match = _INTERVAL.match(text.strip())
    if match is None:
        raise ValueError(f"not an interval: {text!r}")
    low, high = (_bound(match[name]) for name in ("low", "high"))
    extra = tuple(_number(part) for part in (match["extra"] or "").split(",") if part.strip())
    return Range(
        low=low,
        high=high,
        low_open=low is not None and match["open"] == "(",
        high_open=high is not None and match["close"] == ")",
        extra=extra,
    )


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


def _bound(text: str) -> float | None:
    return None if text.strip("+-") == "inf" else _number(text)


def format_range(value: Range) -> str:
    """The interval in mathematical notation, e.g. ``(0, 1]``; single values before it in braces."""
    low = "-inf" if value.low is None else f"{value.low:g}"
    high = "inf" if value.high is None else f"{value.high:g}"
    left = "(" if value.low is None or value.low_open else "["
    right = ")" if value.high is None or value.high_open else "]"
    extra = "{" + ", ".join(f"{item:g}" for item in value.extra) + "} " if value.extra else ""
    return f"{extra}{left}{low}, {high}{right}"


def describe_range(value: Range, kind: str) -> dict[str, str]:
    """Say in words which numbers are allowed, in zh and en (``> 0``, ``1 to 64``, ``-1, or at least 1``)."""
    noun = {"en": "an integer", "zh": "整数"} if kind == "int" else {"en": "a number", "zh": "数值"}
    low, high = value.low, value.high
    if kind == "int" and low is not None and value.low_open:
        low = low + 1  # integers above 0 start at 1
        low_open = False
    else:
        low_open = value.low_open
    en, zh = noun["en"], noun["zh"]
    if low is not None and high is not None:
        brackets = ("above" if low_open else "from", "below" if value.high_open else "to")
        en = f"{en} {brackets[0]} {_show(low)} {'and ' if brackets[1] == 'below' else ''}{brackets[1]} {_show(high)}"
        if low_open and brackets[1] == "to":
            en = f"{noun['en']} above {_show(low)} and at most {_show(high)}"
        first, second = "大于" if low_open else "不小于", "小于" if value.high_open else "不大于"
        zh = f"{first} {_show(low)} 且{second} {_show(high)} 的{zh}"
    elif low is not None:
        en = f"{en} {'above' if low_open else 'of at least'} {_show(low)}"
        zh = f"{'大于' if low_open else '不小于'} {_show(low)} 的{zh}"
    elif high is not None:
        en = f"{en} {'below' if value.high_open else 'of at most'} {_show(high)}"
        zh = f"{'小于' if value.high_open else '不大于'} {_show(high)} 的{zh}"
    if value.extra:
        singles = ", ".join(_show(item) for item in value.extra)
        en, zh = f"{singles}, or {en}", f"{singles}，或{zh}"
    return {"en": en, "zh": zh}


def _show(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else f"{number:g}"
