"""Lines of a text whose line ends may be of any kind, and which may lack the last one."""

from __future__ import annotations

import re

_BREAK = re.compile(r"\r\n|\r|\n")


def line_start(text: str, index: int) -> int:
    """Index of the first character of the line that ``index`` lies in (after a byte order mark)."""
    start = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1
    return 1 if start == 0 and text.startswith("\ufeff") else start


def line_end(text: str, index: int) -> int:
    """Index of the line break that ends the line of ``index``, or the length of the text."""
    match = _BREAK.search(text, index)
    return match.start() if match else len(text)


def next_line(text: str, index: int) -> int:
    """Index of the first character after the line of ``index``."""
    match = _BREAK.search(text, index)
    return match.end() if match else len(text)


def newline_of(text: str, near: int = 0) -> str:
    """The line end used around ``near``; ``\\n`` in a text without any."""
    match = _BREAK.search(text, near) or _BREAK.search(text)
    return match[0] if match else "\n"


def indentation(text: str, index: int) -> str:
    """The blanks that begin the line of ``index``."""
    start = line_start(text, index)
    return text[start : start + len(text[start:index]) - len(text[start:index].lstrip(" "))]


def insert_lines(text: str, index: int, lines: list[str]) -> str:
    """Insert whole lines at the start of a line, or at the end of a text that lacks its last line end."""
    newline = newline_of(text, max(0, index - 2))
    if index == len(text) and index > 0 and text[index - 1] not in "\r\n\ufeff":
        return text + "".join(newline + line for line in lines)
    return text[:index] + "".join(line + newline for line in lines) + text[index:]


def comment_block(text: str, index: int) -> int:
    """Start of the comment lines directly above the line that begins at ``index``, with the same indentation."""
    own = indentation(text, line_end(text, index))
    start = index
    while start > 0:
        above = line_start(text, start - (2 if text[start - 2 : start] == "\r\n" else 1))
        if above >= start:
            break
        line = text[above : line_end(text, above)]
        if not line.startswith(own + "#"):
            break
        start = above
    return start
