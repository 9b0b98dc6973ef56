"""The value of a key or list item replaced where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ..catalogue.yaml_text import string_text, yaml_text
from .changes import value_of, with_value
from .insert import Spot, catalogue_order, insert_entry
from .items import insert_item, remove_item
from .model import Document
from .place import Path, Place, dotted
from .remove import remove_path
from .replace import replacements
from .text import EditError, same
from .verify import readable, verified


def assign(text: str, document: Document, path: Path, value: Any) -> str:
    """The text with the value at ``path``, which stands there already, replaced.

    What comes in through an alias or a merge is written out at its use; the anchor keeps its value.

    Raises:
        EditError: it can't be done without changing something else.
    """
    key = dotted(path)
    old = value_of(document.values, path)
    if same(old, value):
        return text
    wanted = with_value(document.values, path, value)
    depth, place = _written(document.root, path)
    if depth < len(path):
        return _at_use(text, document, path, depth, wanted)
    if isinstance(old, dict) and isinstance(value, dict) and place.kind == "mapping":
        changed = _entry_by_entry(text, document, path, cast("dict[str, Any]", old), cast("dict[str, Any]", value))
        if changed is not None:
            return changed
    if isinstance(old, list) and isinstance(value, list) and place.kind == "list":
        changed = _item_by_item(text, document, path, cast("list[Any]", old), cast("list[Any]", value))
        if changed is not None:
            return changed
    return first_verified(replacements(text, place, old, value), key, document, wanted, path)


def first_verified(candidates: Any, key: str, document: Document, wanted: Any, path: Path) -> str:
    """The first of several texts that loads to what was meant.

    Raises:
        EditError: none does.
    """
    refused = EditError("unsafe", key)
    for changed in candidates:
        try:
            return verified(changed, key, document, wanted, path, ordered=False)
        except EditError as error:
            refused = error if refused.code != "shared" else refused
    raise refused


def _written(root: Place, path: Path) -> tuple[int, Place]:
    """How much of a path stands in the text itself, and the place where that ends (an alias ends it)."""
    place = root
    for depth, step in enumerate(path):
        child = (place.children or {}).get(step)
        if child is None or not child.written:
            return depth, place
        place = child
    return len(path), place


def _at_use(text: str, document: Document, path: Path, depth: int, wanted: Any) -> str:
    key = dotted(path)
    place = cast("Place", document.root.at(path[:depth]))
    if place.kind == "alias":
        use = path[:depth]
        whole = yaml_text(value_of(wanted, use))
        step = path[depth]
        candidates = [text[: place.value_start] + whole + text[place.value_end :]]
        if isinstance(step, str):
            own = f"{string_text(step)}: {yaml_text(value_of(wanted, path[: depth + 1]))}"
            merged = f"{{<<: *{place.anchor}, {own}}}"
            candidates.insert(0, text[: place.value_start] + merged + text[place.value_end :])
        return first_verified(candidates, key, document, wanted, use)
    step = path[depth]
    if place.kind != "mapping" or not isinstance(step, str):
        raise EditError("unsafe", key)
    written = yaml_text(value_of(wanted, path[: depth + 1]))
    order = catalogue_order(dotted(path[:depth]))
    spot = Spot(path[:depth], (step,))
    candidates = [insert_entry(text, document, spot, written, order, (), front) for front in (False, True)]
    return first_verified(candidates, key, document, wanted, path[: depth + 1])


def _entry_by_entry(
    text: str, document: Document, path: Path, old: Mapping[str, Any], new: Mapping[str, Any]
) -> str | None:
    """A mapping replaced by one that shares keys with it: only the keys that differ are touched."""
    shared = [name for name in old if name in new]
    if not shared:
        return None
    wanted = with_value(document.values, path, new)
    now, changed = document, text
    try:
        for name in old:
            if name not in new:
                changed = remove_path(changed, now, (*path, name))
            elif not same(old[name], new[name]):
                changed = assign(changed, now, (*path, name), new[name])
            now = readable(changed, name)
        for name, value in new.items():
            if name not in old:
                spot = Spot(path, (name,))
                changed = insert_entry(changed, now, spot, yaml_text(value), catalogue_order(dotted(path)), ())
                now = readable(changed, name)
        return verified(changed, dotted(path), document, wanted, path, ordered=False)
    except EditError as error:
        if error.code == "shared":
            raise
        return None


def _item_by_item(text: str, document: Document, path: Path, old: list[Any], new: list[Any]) -> str | None:
    """A list replaced by another: items that both begin and end with stay as they are written."""
    if not old or not new:
        return None
    head = 0
    while head < min(len(old), len(new)) and same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    both = min(len(old), len(new)) - head - tail
    wanted = with_value(document.values, path, new)
    if len(new) - both > 0 and head + tail + both == 0:
        return None
    now, changed = document, text
    try:
        for index in range(head, head + both):
            changed = assign(changed, now, (*path, index), new[index])
            now = readable(changed, dotted(path))
        for index in range(len(old) - tail - 1, head + both - 1, -1):
            changed = remove_item(changed, cast("Place", now.root.at(path)), index)
            now = readable(changed, dotted(path))
        for index in range(head + both, len(new) - tail):
            inserted = insert_item(changed, cast("Place", now.root.at(path)), index, new[index])
            if inserted is None:
                return None
            changed = inserted
            now = readable(changed, dotted(path))
        return verified(changed, dotted(path), document, wanted, path, ordered=False)
    except EditError as error:
        if error.code == "shared":
            raise
        return None
