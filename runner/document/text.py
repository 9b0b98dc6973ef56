"""Small questions about a text that byte-exact edits ask: lines, line ends, indentation."""

from __future__ import annotations

import re
from typing import Any

_BLANK = re.compile(r"(?:\s+(?:#[^\n]*)?)*")
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


def same(left: Any, right: Any, ordered: bool = True) -> bool:
    """Equality of two loaded values, types included; NaN equals NaN. ``ordered``: keys in the same order too."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        if len(left) != len(right) or (ordered and list(left) != list(right)):  # pyright: ignore[reportUnknownArgumentType]
            return False
        return all(k in right and same(left[k], right[k], ordered) for k in left)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(left, list):
        return len(left) == len(right) and all(same(a, b, ordered) for a, b in zip(left, right, strict=True))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return bool(left == right) or (left != left and right != right)


def newline_at(text: str, at: int) -> str:
    """The line end that a line inserted at ``at`` gets: that of the line above it, else that of the first line."""
    end = text.rfind("\n", 0, at)
    if end < 0:
        return newline_of(text)
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def put_lines(text: str, at: int, lines: list[str]) -> str:
    """Insert whole lines at an index that is the start of a line, or the end of a text without a last line end."""
    end = newline_at(text, at)
    block = end.join(lines)
    if at >= len(text) and text and not text.endswith("\n") and text != "\ufeff":
        return text + end + block
    return text[:at] + block + end + text[at:]


def skip_blank(text: str, at: int) -> int:
    """Index of the first character from ``at`` on that is neither blank, line end nor comment."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


def cut_lines(text: str, start: int, end: int) -> str:
    """The text without the lines that ``start`` to ``end`` lie in."""
    return text[: line_start(text, start)] + text[line_end(text, max(end - 1, start)) :]


def prefix_of(text: str, at: int) -> str:
    """What stands on the line in front of ``at``."""
    return text[line_start(text, at) : at]
