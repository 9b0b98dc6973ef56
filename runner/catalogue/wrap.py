"""Breaking lines by columns: a Chinese character takes two, and may be broken before unless it is punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

# Chinese, full-width forms and the punctuation that is wide in Chinese text.
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef“”‘’…—"
_PIECE = re.compile(rf"[ \t]+|[{_WIDE}]|[^ \t{_WIDE}]+")  # spaces, one wide character, a run of narrow ones
_NOT_FIRST = frozenset("，。、；：？！）】》」』”’…—,.;:?!)]}")
_NOT_LAST = frozenset("（【《「『“‘([{")


def width(text: str) -> int:
    """Columns that a terminal needs for the text."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrap(text: str, columns: int) -> list[str]:
    """Break a text into lines of at most ``columns`` columns (a longer word stays whole)."""
    lines: list[str] = []
    line, used = "", 0
    for piece in _units(text):
        need = width(piece.rstrip())
        if line and used + need > columns:
            lines.append(line.rstrip())
            line, used = "", 0
        if not line:
            piece = piece.lstrip()
        line += piece
        used += width(piece)
    if line.strip():
        lines.append(line.rstrip())
    return lines


def _units(text: str) -> Iterator[str]:
    """Pieces that must not be broken inside: a word with the punctuation that clings to it, and the space after it."""
    held = ""
    for piece in _PIECE.findall(text):
        if not held or piece[0] in _NOT_FIRST or piece.isspace() or held[-1] in _NOT_LAST:
            held += piece
            continue
        yield held
        held = piece
    if held:
        yield held
