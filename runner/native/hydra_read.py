"""Hydra override texts, read: ``key=value`` as a person writes it on verl's command line, into key and value.

Reads what Hydra 1.3's grammar (OverrideParser.g4) takes for a plain assignment: scalars, quoted texts, lists, mappings.
Sweeps (``a=1,2``) and functions (``range(3)``) are texts here; verl refuses them as well. Interpolations (``${...}``)
stay texts. tests/native/test_hydra_read.py holds it against the real parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

Mark = Literal["", "+", "++", "~"]

_KEY = re.compile(r"(\+\+|\+|~)?([A-Za-z_][\w.@/:\-]*(?:\[\d+\])*)(?:=(.*))?\Z", re.DOTALL)
_INT = re.compile(r"[+-]?(?:0|[1-9]\d*(?:_\d+)*)\Z")
_FLOAT = re.compile(
    r"[+-]?(?:(?:\d+(?:_\d+)*)?\.\d+(?:_\d+)*|\d+(?:_\d+)*\.|\d+(?:_\d+)*(?=[eE]))(?:[eE][+-]?\d+(?:_\d+)*)?\Z"
)
_SPECIAL = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_ESCAPED = re.compile(r"\\([\\()\[\]{}:=, \t])")


class OverrideError(ValueError):
    """The text is no override."""


@dataclass(frozen=True, slots=True)
class Override:
    """One override: ``mark`` is the prefix (``+`` adds, ``++`` adds or sets, ``~`` deletes)."""

    key: str
    value: Any
    mark: Mark = ""


def read_override(text: str) -> Override:
    """Read one argument of verl's command line.

    Raises:
        OverrideError: it has no key, or its value is broken (an unclosed bracket or quote).
    """
    match = _KEY.match(text)
    if match is None or (match[3] is None and match[1] != "~"):
        raise OverrideError(text)
    mark: Any = match[1] or ""
    return Override(match[2], read_value(match[3]) if match[3] is not None else None, mark)


def read_value(text: str) -> Any:
    """Read a value in Hydra's grammar; an empty text is the empty string.

    Raises:
        OverrideError: a bracket or quote is not closed.
    """
    stripped = text.strip(" \t")
    if stripped[:1] not in ("[", "{", "'", '"'):
        return _scalar(stripped)
    reader = _Reader(stripped)
    value = reader.value("")
    reader.spaces()
    if reader.at != len(stripped):
        raise OverrideError(text)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t\n":
            self.at += 1

    def value(self, stops: str) -> Any:
        self.spaces()
        head = self.text[self.at : self.at + 1]
        if head == "[":
            return self._list()
        if head == "{":
            return self._mapping()
        if head in ("'", '"'):
            return self._quoted(head)
        return _scalar(self._bare(stops))

    def _list(self) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        while True:
            self.spaces()
            if self._take("]"):
                return items
            items.append(self.value(",]"))
            self.spaces()
            if not self._take(",") and self.text[self.at : self.at + 1] != "]":
                raise OverrideError(self.text)

    def _mapping(self) -> dict[Any, Any]:
        self.at += 1
        found: dict[Any, Any] = {}
        while True:
            self.spaces()
            if self._take("}"):
                return found
            key = _scalar(self._bare(":").strip("'\""))
            if not self._take(":"):
                raise OverrideError(self.text)
            found[key] = self.value(",}")
            self.spaces()
            if not self._take(",") and self.text[self.at : self.at + 1] != "}":
                raise OverrideError(self.text)

    def _quoted(self, quote: str) -> str:
        # Hydra: backslashes count only in front of the quote; there each pair is one.
        match = re.compile(rf"{quote}((?:\\.|[^\\{quote}])*){quote}", re.DOTALL).match(self.text, self.at)
        if match is None:
            raise OverrideError(self.text)
        self.at = match.end()
        content = re.sub(rf"(\\+){quote}", lambda m: "\\" * (len(m[1]) // 2) + quote, match[1])
        return re.sub(r"(\\+)\Z", lambda m: "\\" * (len(m[1]) // 2), content)

    def _bare(self, stops: str) -> str:
        start, depth = self.at, 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\":
                self.at += 2
                continue
            if char in stops and not depth:
                break
            depth += (char in "{[(") - (char in "}])")  # ${a:b,c} and f(x,y) hold stops of their own
            self.at += 1
        return self.text[start : self.at].strip(" \t\n")

    def _take(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] == char:
            self.at += 1
            return True
        return False


def _scalar(text: str) -> Any:
    low = text.lower()
    if low in _WORDS:
        return _WORDS[low]
    if _INT.match(text):
        return int(text.replace("_", ""))
    if low in _SPECIAL:
        return _SPECIAL[low]
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    return text if "${" in text else _ESCAPED.sub(r"\1", text)
