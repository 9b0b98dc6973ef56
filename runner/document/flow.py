"""Entries of flow collections (``{a: 1, b: 2}``, ``[1, 2]``), on one line or on several."""

from __future__ import annotations

from collections.abc import Sequence

from .place import Place
from .text import cut_lines, line_end, newline_at, prefix_of, rest_of_line, skip_blank


def insert_between(text: str, holder: Place, before: Place | None, after: Place | None, entry: str) -> str:
    """The text with an entry behind ``before``, else in front of ``after``, else as the only one.

    Where the entries stand on lines of their own, the new one gets a line too, unless that takes a comma on another.
    """
    if before is not None:
        end = before.value_end
        comma = skip_blank(text, end)
        if text[comma : comma + 1] == "," and _alone(text, before) and not _entry_follows(text, comma + 1):
            at = line_end(text, comma)
            return text[:at] + prefix_of(text, before.key_start) + entry + "," + newline_at(text, at) + text[at:]
        return text[:end] + ", " + entry + text[end:]
    if after is None:
        return text[: holder.value_start + 1] + entry + text[holder.value_start + 1 :]
    start = after.key_start
    if _alone(text, after):
        line = prefix_of(text, start) + entry + ","
        at = start - len(prefix_of(text, start))
        return text[:at] + line + newline_at(text, at) + text[at:]
    return text[:start] + entry + ", " + text[start:]


def cut_entry(text: str, entry: Place, siblings: Sequence[Place]) -> str:
    """The text without one of several entries, and without one comma."""
    start, end = _begin(entry), entry.value_end
    comma = skip_blank(text, end)
    last = entry is siblings[-1]
    has_comma = text[comma : comma + 1] == ","
    if _alone(text, entry) and not _entry_follows(text, comma + 1 if has_comma else end):
        return cut_lines(text, start, comma + 1 if has_comma else end)
    if has_comma:
        stop = comma + 1
        rest = len(text[stop:]) - len(text[stop:].lstrip(" \t"))
        behind = text[stop + rest : stop + rest + 1]
        if last or behind in ("\r", "\n", "#", ""):
            return text[:start].rstrip(" ") + text[stop:] if behind in ("\r", "\n") else text[:start] + text[stop:]
        return text[:start] + text[stop + rest :]
    if last and len(siblings) > 1:
        before = siblings[-2].value_end
        return text[:before] + text[end:] if text[before:start].strip(" ,") == "" else text[:start] + text[end:]
    return text[:start] + text[end:]


def _begin(entry: Place) -> int:
    return entry.key_start if entry.key_end >= 0 else entry.node_start


def _alone(text: str, entry: Place) -> bool:
    """Whether nothing stands on the line in front of an entry."""
    return not prefix_of(text, _begin(entry)).strip()


def _entry_follows(text: str, at: int) -> bool:
    """Whether something other than a comment follows on the same line."""
    rest = rest_of_line(text, at).strip()
    return bool(rest) and not rest.startswith("#")
