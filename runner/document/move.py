"""A key moved to another section as it is written, indented for its new place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..catalogue.yaml_text import yaml_text
from .changes import value_of, with_value, without
from .comments import own_comments
from .insert import catalogue_order, insert_entry, spot_of
from .model import Document
from .place import Path, Place
from .remove import remove_path
from .text import EditError, line_end, line_start, rest_of_line
from .verify import readable, verified


def move_path(text: str, document: Document, path: Path, target: str) -> str:
    """The text with what stands at ``path`` under the dotted key ``target``; comments about it go along.

    Those are the comment behind it, and the comment lines directly above it that are about nothing else: a blank line,
    a comment or another section follows.

    Raises:
        EditError: it can't be done without changing something else.
    """
    place = document.root.at(path)
    if place is None or not place.written:
        raise EditError("unsafe", target, "it comes in through a merge")
    value = value_of(document.values, path)
    refused = EditError("unsafe", target)
    holder = document.root.at(path[:-1]) or document.root
    comment, at = own_comments(text, place, (holder.children or {}).values())
    bare = text[:at] + text[line_start(text, place.key_start) :]
    sources = [(bare, comment)] if comment else []
    sources.append((text, []))
    ways = list(_as_written(text, document, path, place, value))
    for in_front, (source, lines) in product((False, True), sources):
        for written in ways:
            try:
                before = readable(source, target)
                spot = spot_of(before, target)
                order = catalogue_order(target.rpartition(".")[0])
                both = insert_entry(source, before, spot, written, order, lines, in_front)
                changed = remove_path(both, readable(both, target), path)
                wanted = with_value(without(document.values, path), spot.path, value)
                return verified(changed, target, document, wanted, (), ordered=False)
            except EditError as error:
                refused = error
    raise refused


def _as_written(text: str, document: Document, path: Path, place: Place, value: object) -> Iterator[str]:
    """The value with its tail comment, as it is written where that can be moved; then as one line."""
    flow = any((p := document.root.at(path[:d])) is not None and p.style == "flow" for d in range(len(path)))
    tail = "" if flow else rest_of_line(text, place.value_end).rstrip()
    written = text[place.node_start : place.value_end]
    lines_of_its_own = place.style in ("block", "literal", "folded") or "\n" in text[place.key_end : place.value_end]
    if not lines_of_its_own:
        yield written + tail
    elif not flow and place.key_end >= 0:
        start = text.index(":", place.key_end) + 1
        column = place.column - 1
        lines = text[start : line_end(text, place.value_end)].splitlines()
        dedented = [line[min(column, len(line) - len(line.lstrip(" "))) :] for line in lines[1:]]
        yield "\n".join([lines[0], *dedented]).strip(" ") if lines[0].strip() else "\n".join(["", *dedented])
    yield yaml_text(value) + ("" if lines_of_its_own else tail)
