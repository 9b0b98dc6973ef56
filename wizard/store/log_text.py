"""Bytes of a log line as text that is safe to show, and the columns it takes."""

from __future__ import annotations

from ...runner.stream.lines import clean_line
from .log_index import FULL_CUT, LINE_CUT, LogIndex

TAB = 4


def show(raw: bytes) -> str:
    """Plain text of one line: escape codes and controls are gone, tabs are blanks, invalid UTF-8 is U+FFFD."""
    return clean_line(raw).replace("\r", "").expandtabs(TAB)


def cut_utf8(raw: bytes) -> bytes:
    """Drop the torso of a character at the end of a cut line, which would be shown as a replacement character."""
    for back in range(1, min(4, len(raw)) + 1):
        byte = raw[-back]
        if byte < 0x80:
            return raw
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return raw if back >= needed else raw[:-back]
    return raw


def line_text(index: LogIndex, line: int) -> tuple[str, int]:
    """A line as shown in the pane: (text, bytes that were left out because the line is long)."""
    raw, more = index.raw(line, LINE_CUT)
    return show(cut_utf8(raw) if more else raw), more


def full_text(index: LogIndex, line: int, limit: int = FULL_CUT) -> tuple[str, int]:
    """The whole line (up to 16 MiB of it): (text, bytes left out)."""
    raw, more = index.raw(line, limit)
    return show(raw), more
