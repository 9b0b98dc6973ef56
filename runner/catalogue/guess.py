"""What a value of the wrong type was meant to be: why it is what it is in YAML, and the value to write instead."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any, cast

from .parameter import Parameter

# What PyYAML leaves a text though it looks like a number: an exponent without a dot in front, or without a sign after.
_EXPONENT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)[eE][-+]?\d+\Z")
_INTEGER = re.compile(r"[-+]?\d+\Z")
_DECIMAL = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+)\Z")
_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_NULLS = frozenset({"none", "null", "~", "nil"})

_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "int"),
    (float, "float"),
    (str, "str"),
    (list, "list"),
    (dict, "mapping"),
    (datetime.datetime, "date"),  # before date, of which it is a subclass
    (datetime.date, "date"),
    (bytes, "binary"),
    (set, "set"),
)


@dataclass(frozen=True, slots=True)
class Better:
    """A value to write instead (None is a legal one, hence the wrapper)."""

    value: Any


def type_name(value: Any) -> str:
    """Name of a value's type, as listed in templates/problems/words.yaml."""
    return next((name for kind, name in _TYPE_NAMES if isinstance(value, kind)), "null" if value is None else "other")


def reason_for(kind: str, value: Any) -> str:
    """Which sentence of templates/problems explains the slip; "" when nothing special is known."""
    if isinstance(value, str):
        text = value.strip()
        if kind in ("int", "float") and _EXPONENT.match(text):
            return "exponent"
        if kind in ("int", "float") and (_INTEGER.match(text) or _DECIMAL.match(text)):
            return "quoted-number"
        if kind == "bool" and text.lower() in _BOOLEANS:
            return "quoted-boolean"
        if text.lower() in _NULLS:
            return "null-word"
        if kind == "list":
            return "not-a-list"
    elif isinstance(value, bool):
        return "boolean-word" if kind in ("int", "float", "str", "path") else "not-a-list"
    elif isinstance(value, (int, float)):
        if kind in ("str", "path"):
            return "number-for-text"
        if kind == "bool" and value in (0, 1):
            return "number-for-boolean"
        if kind == "int":
            return "decimal-for-integer"
        if kind == "list":
            return "not-a-list"
    elif isinstance(value, datetime.date):
        return "date-for-text"
    elif isinstance(value, list) and kind != "list":
        return "list-for-scalar"
    return ""


def better_value(parameter: Parameter, value: Any) -> Better | None:
    """The value of the right type that was meant, when there is no doubt; the caller checks that it is legal."""
    kind = parameter.kind
    if isinstance(value, str) and parameter.nullable and value.strip().lower() in _NULLS:
        return Better(None)
    if kind in ("int", "float"):
        number = _number(value)
        if number is None or (kind == "int" and not float(number).is_integer()):
            return None
        return Better(float(number) if kind == "float" else int(number))
    if kind == "bool":
        if isinstance(value, str):
            word = _BOOLEANS.get(value.strip().lower())
            return None if word is None else Better(word)
        return Better(bool(value)) if isinstance(value, (int, float)) and value in (0, 1) else None
    return _list(parameter, value) if kind == "list" else _text(value)


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value if abs(value) < 1e15 else None
    if isinstance(value, str):
        text = value.strip()
        if _INTEGER.match(text) and len(text) < 16:
            return int(text)
        if (_EXPONENT.match(text) or _DECIMAL.match(text)) and abs(float(text)) < 1e15:
            return float(text)
    return None


def _text(value: Any) -> Better | None:
    # A float or a boolean may have been written in many ways (1.10, yes): the loader has forgotten which.
    if isinstance(value, int) and not isinstance(value, bool):
        return Better(str(value))
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return Better(value.isoformat())
    return None


def _list(parameter: Parameter, value: Any) -> Better | None:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    if all(isinstance(item, str) for item in items):
        return Better(items) if not isinstance(value, list) and items[0].strip() else None
    texts = [item if isinstance(item, str) else getattr(_text(item), "value", None) for item in items]
    return Better(texts) if parameter.items == "str" and all(isinstance(t, str) for t in texts) else None
