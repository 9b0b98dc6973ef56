"""What PyYAML's loader makes of a plain scalar, and the pitfalls that a person would not expect there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, cast

_OCTAL = re.compile(r"[-+]?0[0-7_]+\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_BOOLEAN_WORD = re.compile(r"(?:yes|no|on|off)\Z", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt ]|\Z)")


class Read(NamedTuple):
    """A plain scalar as read.

    Attributes:
        value: what the loader makes of it.
        sure: False where only the loader itself can tell (a merge, an impossible date).
        pitfalls: (code, parameters) of what may surprise.
    """

    value: Any
    sure: bool
    pitfalls: tuple[tuple[str, dict[str, Any]], ...]


@lru_cache(maxsize=8192)
def read_plain(text: str) -> Read:
    """Read a plain scalar without a tag as PyYAML's safe loader does."""
    import yaml

    loader: Any = cast("Any", yaml.SafeLoader)("")
    tag = str(loader.resolve(yaml.ScalarNode, text, (True, False)))
    if tag == "tag:yaml.org,2002:str":
        return Read(text, True, ())
    found = tuple(_pitfalls(text))
    try:
        return Read(loader.construct_object(yaml.ScalarNode(tag, text), deep=True), True, found)
    except (yaml.YAMLError, ValueError, OverflowError):
        return Read(None, False, found)


def odd_key(name: str) -> str:
    """The type that the loader gives to a plain key; empty for a text, which every key should be."""
    read = read_plain(name)
    if not read.sure or isinstance(read.value, str):
        return ""
    return "null" if read.value is None else type(read.value).__name__


def _pitfalls(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if _OCTAL.match(text):
        digits = text.replace("_", "").lstrip("+-")
        yield "yaml11-octal", {"text": text, "value": int(digits, 8), "plain": digits.lstrip("0") or "0"}
    elif _BOOLEAN_WORD.match(text):
        yield "yaml11-boolean-word", {"text": text, "value": text.lower() in ("yes", "on")}
    elif _SEXAGESIMAL.match(text):
        yield "yaml-sexagesimal", {"text": text, "value": _base_sixty(text)}
    elif _DATE.match(text):
        yield "yaml-date", {"text": text}


def _base_sixty(text: str) -> float:
    sign = -1 if text.startswith("-") else 1
    total = 0.0
    for part in text.lstrip("+-").replace("_", "").split(":"):
        total = total * 60 + float(part)
    return sign * (int(total) if total.is_integer() else total)
