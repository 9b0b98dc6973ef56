"""Where an entry begins and ends in lines, and where a new one belongs."""

from __future__ import annotations

from collections.abc import Sequence

from ..catalogue import SECTIONS, load_catalogue
from .lines import comment_block, line_end, line_start, next_line
from .nodes import Entry, Node


def entry_start(text: str, entry: Entry) -> int:
    """Start of the line that an entry of a block mapping begins in."""
    return line_start(text, entry.key.start)


def entry_end(text: str, entry: Entry) -> int:
    """Start of the line after an entry of a block mapping, its trailing comment included."""
    node = entry.value
    while node.kind in ("mapping", "sequence") and not node.flow and node.children:
        node = node.children[-1]
    if node.style in ("|", ">") and text[node.start : node.start + 1] in ("|", ">"):
        # The parser counts the blank lines below a block scalar as part of it (they are, where it ends in "+").
        header = text[node.start : line_end(text, node.start)]
        if "+" in header.partition("#")[0] or text[node.end - 1 : node.end] not in ("\n", "\r"):
            return node.end if text[node.end - 1 : node.end] in ("\n", "\r") else next_line(text, node.end)
        content = text[node.start : node.end].rstrip(" \r\n")
        return next_line(text, node.start + len(content))
    return next_line(text, max(node.end, entry.key.end))


def default_order(section: str) -> list[str]:
    """Names of a section in the order of the documents; the sections themselves come after the first level."""
    names = [parameter.name for parameter in load_catalogue().section(section)]
    return names + [name for name in SECTIONS if name] if not section else names


def insertion_point(text: str, mapping: Node, name: str, order: Sequence[str]) -> int:
    """Index (start of a line) at which a new entry of a block mapping belongs.

    After its nearest predecessor in ``order``; without one, before the first entry that comes later in it; a name
    that is not in ``order`` goes to the end, on the first level to the end of the plain values.
    """
    rank = {known: position for position, known in enumerate(order)}
    entries = mapping.entries
    own = rank.get(name)
    if own is None:
        plain = [entry for entry in entries if entry.key.text not in SECTIONS]
        return entry_end(text, plain[-1]) if plain else _before(text, entries[0])
    earlier = [entry for entry in entries if rank.get(entry.key.text, len(order)) < own]
    if earlier:
        return entry_end(text, max(earlier, key=lambda entry: rank[entry.key.text]))
    later = [entry for entry in entries if rank.get(entry.key.text, -1) > own]
    return _before(text, later[0] if later else entries[0])


def _before(text: str, entry: Entry) -> int:
    """Above an entry and its own comment; below comments that begin the file, which speak of the whole."""
    start = entry_start(text, entry)
    block = comment_block(text, start)
    return start if block <= 1 else block
