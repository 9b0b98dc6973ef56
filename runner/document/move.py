"""A key moved to another section as it is written, indented for its new place."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue.yaml_text import yaml_text
from .changes import value_of, with_value, without
from .insert import Spot, catalogue_order, insert_entry, spot_of
from .model import Document
from .place import Path, Place
from .remove import remove_path
from .text import EditError, line_end, line_start, prefix_of, rest_of_line
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
    comment, bare = _comment_above(text, document, path, place)
    for source, lines in ((bare, comment), (text, [])) if comment else ((text, []),):
        for written in _as_written(text, document, path, place, value):
            try:
                before = readable(source, target)
                rest = remove_path(source, before, path)
                base = readable(rest, target)
                spot = spot_of(base, target)
                changed = insert_entry(rest, base, spot, written, catalogue_order(target.rpartition(".")[0]), lines)
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
    if "\n" not in written:
        yield written + tail
    elif not flow and place.key_end >= 0:
        start = text.index(":", place.key_end) + 1
        column = place.column - 1
        lines = text[start : line_end(text, place.value_end)].splitlines()
        dedented = [line[min(column, len(line) - len(line.lstrip(" "))) :] for line in lines[1:]]
        yield "\n".join([lines[0], *dedented]).strip(" ") if lines[0].strip() else "\n".join(["", *dedented])
    yield yaml_text(value) + ("" if "\n" in written else tail)


def _comment_above(text: str, document: Document, path: Path, place: Place) -> tuple[list[str], str]:
    """Comment lines that are about this key alone, and the text without them."""
    if prefix_of(text, place.key_start).strip(" "):
        return [], text
    start = at = line_start(text, place.key_start)
    while at > 0:
        previous = line_start(text, at - 1)
        if previous >= at or not text[previous:at].lstrip().startswith("#"):
            break
        at = previous
    opens = not text[:at].strip("\ufeff\r\n\t ")
    below = text[line_end(text, max(place.value_end - 1, place.key_start)) :].partition("\n")[0]
    indent = len(below) - len(below.lstrip())
    header = bool(below.strip()) and not below.lstrip().startswith("#") and indent == place.column - 1
    if at == start or opens or header:
        return [], text
    lines = [line.strip().removeprefix("#").removeprefix(" ") for line in text[at:start].splitlines()]
    return lines, text[:at] + text[start:]
