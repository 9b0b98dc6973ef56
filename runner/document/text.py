"""Small questions about a text that byte-exact edits ask: lines, line ends, indentation."""

from __future__ import annotations

import re
from typing import Any

_TAIL = re.compile(r"(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z))+\Z")
_REST = re.compile(r"[^\r\n]*")


class EditError(Exception):
    """An edit can't be made without touching something else.

    Attributes:
        code: ``absent`` (no such key), ``exists``, ``shared`` (the anchor is used elsewhere), ``unsafe`` (the result
            would not load to the intended value), ``unreadable`` (the text is no configuration).
        key: the dotted key.
    """

    def __init__(self, code: str, key: str, detail: str = "") -> None:
        super().__init__(f"{code}: {key}{f' ({detail})' if detail else ''}")
        self.code = code
        self.key = key
        self.detail = detail


def newline_of(text: str) -> str:
    """The line end of the text: that of its first line."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def line_start(text: str, index: int) -> int:
    """Index of the first character of the line that ``index`` lies in (a byte order mark is no part of it)."""
    start = text.rfind("\n", 0, index) + 1
    return 1 if start == 0 and text.startswith("\ufeff") else start


def line_end(text: str, index: int) -> int:
    """Index just behind the line that ``index`` lies in, its line end included."""
    end = text.find("\n", index)
    return len(text) if end < 0 else end + 1


def rest_of_line(text: str, index: int) -> str:
    """What stands on the line from ``index`` on, without the line end."""
    match = _REST.match(text, index)
    return match[0] if match else ""


def content_end(text: str, start: int, end: int) -> int:
    """Where the content of a block really ends: the parser's mark counts blank lines and comments behind it in."""
    piece = text[start:end]
    stripped = piece.rstrip()
    while stripped:
        last = stripped.rfind("\n") + 1
        if not stripped[last:].lstrip().startswith("#"):
            break
        stripped = stripped[:last].rstrip()
    return start + len(stripped)


def same(left: Any, right: Any) -> bool:
    """Equality of two loaded values, types included; NaN equals NaN."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[k], right[k]) for k in left)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))  # pyright: ignore[reportUnknownArgumentType]
    return bool(left == right) or (left != left and right != right)
