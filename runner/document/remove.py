"""A key or a list item taken out of a text."""

from __future__ import annotations

from typing import cast

from ..catalogue.yaml_text import yaml_text
from .changes import value_of, without
from .flow import cut_entry
from .items import remove_item
from .model import Document
from .place import Path, dotted
from .replace import replacements
from .text import EditError, cut_lines, line_start, prefix_of, rest_of_line
from .verify import verified


def remove_path(text: str, document: Document, path: Path) -> str:
    """The text without what stands at ``path``; the last entry of a section or list leaves ``{}`` or ``[]``.

    Below an alias the rest of what it stands for is written out at its use.

    Raises:
        EditError: it comes in through a merge, stands there twice, or is used elsewhere.
    """
    key = dotted(path)
    wanted = without(document.values, path)
    twice = next((p for p in document.problems if p.code == "duplicate-key" and p.key == key), None)
    if twice is not None:
        raise EditError("unsafe", key, f"it stands there twice, in lines {twice.params['first_line']} and {twice.line}")
    for depth in range(len(path)):
        place = document.root.at(path[:depth])
        if place is not None and place.kind == "alias":
            written = yaml_text(value_of(wanted, path[:depth]))
            changed = text[: place.value_start] + written + text[place.value_end :]
            return verified(changed, key, document, wanted, path[:depth], ordered=False)
    holder, place = document.root.at(path[:-1]), document.root.at(path)
    if holder is None or place is None or not place.written:
        raise EditError("unsafe", key, "it comes in through a merge")
    siblings = list((holder.children or {}).values())
    own = [sibling for sibling in siblings if sibling.written]
    if len(own) == 1:
        old, empty = value_of(document.values, path[:-1]), value_of(wanted, path[:-1])
        if len(path) == 1 and holder.style == "block":
            end = holder.value_end + len(rest_of_line(text, holder.value_end))
            changed = text[: holder.value_start] + "{}" + text[end:]
        else:
            changed = next(replacements(text, holder, old, empty))
    elif holder.kind == "list":
        changed = remove_item(text, holder, cast("int", path[-1]))
    elif holder.style == "flow":
        changed = cut_entry(text, place, own)
    elif prefix_of(text, place.key_start).strip() in ("", "?"):
        changed = cut_lines(text, place.key_start, place.value_end)
    else:  # "- a: 1": the next key moves up to the dash
        behind = own[own.index(place) + 1]
        changed = text[: place.key_start] + text[behind.key_start :]
    try:
        return verified(changed, key, document, wanted, path)
    except EditError:
        if holder.style != "block":
            raise
        at = line_start(text, place.key_start)
        return verified(_detached(changed, at, place.column), key, document, wanted, path)


def _detached(text: str, at: int, column: int) -> str:
    """The text with comments from a line on at the column of the entry that was there, and without blank lines.

    Below a block scalar (``|``) they would become a part of it.
    """
    lines = text[at:].splitlines(keepends=True)
    kept: list[str] = []
    for index, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            kept += lines[index:]
            break
        if line.strip():
            kept.append(" " * (column - 1) + line.lstrip())
    return text[:at] + "".join(kept)
