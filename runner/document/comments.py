"""Comment lines above a key, and which of them are about that key alone."""

from __future__ import annotations

from collections.abc import Iterable

from .place import Place
from .text import line_end, line_start, prefix_of


def above_comments(text: str, place: Place, siblings: Iterable[Place]) -> int:
    """Start of the comment lines directly above an entry that begins its line; of that line where there are none."""
    floor = max((s.value_end for s in siblings if s.value_end <= place.key_start), default=0)
    at = line_start(text, place.key_start)
    while at > 0:
        previous = line_start(text, at - 1)
        if previous >= at or previous < floor or not text[previous:at].lstrip().startswith("#"):
            break
        at = previous
    return at


def own_comments(text: str, place: Place, siblings: Iterable[Place]) -> tuple[list[str], int]:
    """The comment lines above a block entry that are about it alone, without their mark, and where they begin.

    They are about more when they open the file, or when the next entry follows without a blank line or a comment of its
    own: then they head a group.
    """
    start = line_start(text, place.key_start)
    if prefix_of(text, place.key_start).strip(" "):
        return [], start
    at = above_comments(text, place, siblings)
    opens = not text[:at].strip("\ufeff\r\n\t ")
    below = text[line_end(text, max(place.value_end - 1, place.key_start)) :].partition("\n")[0]
    indent = len(below) - len(below.lstrip())
    heads = bool(below.strip()) and not below.lstrip().startswith("#") and indent == place.column - 1
    if opens or heads:
        return [], start
    return [line.strip().removeprefix("#").removeprefix(" ") for line in text[at:start].splitlines()], at
