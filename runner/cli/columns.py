"""Text in columns of a terminal, where a Chinese character takes two."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence


def width(text: str) -> int:
    """Columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """The text, ended with an ellipsis where it would take more columns."""
    if width(text) <= columns:
        return text
    taken, used = "", 0
    for character in text:
        used += _width(character)
        if used > columns - 1:
            break
        taken += character
    return taken + "…"


def pad(text: str, columns: int) -> str:
    """The text, filled up with blanks."""
    return text + " " * max(columns - width(text), 0)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table, the columns as wide as their widest cell."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(width(row[i]) for row in cells) for i in range(len(head))]
    return ["  ".join(pad(cell, widths[i]) for i, cell in enumerate(row)).rstrip() for row in cells]
