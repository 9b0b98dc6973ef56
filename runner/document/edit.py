"""Byte-exact edits (design 6): each changes the lines it must, and nothing else.

An edit replaces slices of the text at places that the parser gave; the result is parsed again and compared with what
was intended, so that an edit that would change anything else is refused instead of made.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from ..catalogue.problem import Edit
from ..catalogue.yaml_text import string_text, yaml_text
from .insert import insert_entry
from .listedit import replace_block_list
from .model import Document
from .place import Place
from .read import parse_document
from .text import EditError, content_end, line_end, line_start, rest_of_line, same

__all__ = ["EditError", "add_key", "apply_edits", "move_key", "remove_key", "rename_key", "set_value"]


def set_value(text: str, key: str, value: Any) -> str:
    """Replace the value of a key that stands in the text; quoting style and trailing comment stay.

    ``key`` may name a list item (``verl.ckpt_content[0]``). A value that comes in through an alias is replaced at its
    use; a key that comes in through a merge is written out beside the merge.

    Raises:
        EditError: the key is absent, its anchor is used elsewhere, or the edit can't be made safely.
    """
    document = _parsed(text, key)
    place = document.places.get(key)
    if place is None:
        raise EditError("absent", key)
    if place.value_start < 0:
        return add_key(text, key, value)
    if same(_lookup(document.values, key), value):
        return text
    changed = _replace(text, document, key, place, value)
    return _verified(changed, key, document, lambda values: _assign(values, key, value))


def add_key(text: str, key: str, value: Any, *, order: Sequence[str] | None = None, comment: Iterable[str] = ()) -> str:
    """Add a key to its section, behind the neighbours that precede it in the catalogue (or in ``order``).

    The section is made when it is absent. ``comment`` lines are written above the key.

    Raises:
        EditError: the key stands there already, or its section holds no mapping.
    """
    document = parse_document(text)
    if not document.readable and any(p.code != "file-empty" for p in document.problems):
        raise EditError("unreadable", key, document.problems[0].code)
    place = document.places.get(key)
    if place is not None and place.value_start >= 0:
        raise EditError("exists", key)
    changed = insert_entry(text, document, key, yaml_text(value), _order(key) if order is None else order, comment)
    return _verified(changed, key, document, lambda values: _assign(values, key, value), keep_order=False)


def remove_key(text: str, key: str) -> str:
    """Remove a key and its value; comments on lines of their own stay. The last key of a section leaves ``{}``.

    Raises:
        EditError: the key is absent or can't be removed safely.
    """
    if key.endswith("]"):
        raise EditError("unsafe", key, "an item of a list; set the list instead")
    document = _parsed(text, key)
    place = document.places.get(key)
    if place is None or place.value_start < 0:
        raise EditError("absent", key)
    parent, _, name = key.rpartition(".")
    siblings: Any = _lookup(document.values, parent) if parent else document.values
    end = content_end(text, place.value_start, place.value_end)
    if parent and len(siblings) == 1:
        outer = document.places[parent]
        stop = content_end(text, outer.value_start, outer.value_end)
        colon = text.index(":", outer.key_start + len(parent.rpartition(".")[2])) + 1
        changed = text[:colon] + " {}" + text[stop:]
    elif _in_flow(text, document, parent):
        changed = _cut_flow(text, place.key_start, end)
    else:
        changed = text[: line_start(text, place.key_start)] + text[line_end(text, max(end - 1, place.key_start)) :]
    return _verified(changed, key, document, lambda values: _remove(values, parent, name))


def rename_key(text: str, key: str, name: str) -> str:
    """Give a key another name in the same section; the value stays as it is written.

    Raises:
        EditError: the key is absent, or the section has a key of the new name.
    """
    document = _parsed(text, key)
    place = document.places.get(key)
    parent, _, old = key.rpartition(".")
    target = f"{parent}.{name}" if parent else name
    if place is None or place.key_start < 0:
        raise EditError("absent", key)
    if target in document.places:
        raise EditError("exists", target)
    start = place.key_start
    quoted = text[start] in "\"'"
    stop = text.index(text[start], start + 1) + 1 if quoted else start + len(old)
    changed = text[:start] + string_text(name) + text[stop:]
    return _verified(changed, key, document, lambda values: _rename(values, parent, old, name))


def move_key(text: str, key: str, target: str) -> str:
    """Move a key to another section (``train_batch_size`` -> ``verl.train_batch_size``); its comment goes along.

    Raises:
        EditError: the key is absent, the target exists, or the move can't be made safely.
    """
    document = _parsed(text, key)
    place = document.places.get(key)
    if place is None or place.value_start < 0:
        raise EditError("absent", key)
    if target in document.places:
        raise EditError("exists", target)
    value = _lookup(document.values, key)
    written = text[place.value_start : content_end(text, place.value_start, place.value_end)]
    if "\n" in written or written.startswith(("*", "&")):
        written = yaml_text(value)
    tail = rest_of_line(text, place.value_end) if not _in_flow(text, document, key.rpartition(".")[0]) else ""
    without = remove_key(text, key)
    base = parse_document(without)
    changed = insert_entry(without, base, target, written + tail.rstrip(), _order(target), ())
    return _verified(changed, target, base, lambda values: _assign(values, target, value), keep_order=False)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply the edits that a problem offers, in order.

    Raises:
        EditError: one of them can't be made; none is then.
    """
    for edit in edits:
        if edit.kind == "set":
            present = edit.key in parse_document(text).places
            text = set_value(text, edit.key, edit.value) if present else add_key(text, edit.key, edit.value)
        elif edit.kind == "rename":
            text = rename_key(text, edit.key, str(edit.value))
        elif edit.kind == "remove":
            text = remove_key(text, edit.key)
        else:
            text = move_key(text, edit.key, str(edit.value))
    return text


def _replace(text: str, document: Document, key: str, place: Place, value: Any) -> str:
    start, end = place.value_start, place.value_end
    old = _lookup(document.values, key)
    written = text[start:end]
    block = isinstance(old, (list, dict)) and not written.startswith(("[", "{", "*"))
    if block:
        if isinstance(old, list) and isinstance(value, list):
            changed = replace_block_list(text, document, key, cast("list[Any]", old), cast("list[Any]", value))
            if changed is not None:
                return changed
        name = key.rpartition(".")[2]
        colon = text.index(":", place.key_start + len(name)) + 1
        return text[:colon] + " " + yaml_text(value) + text[content_end(text, start, end) :]
    if written.startswith(("|", ">")):
        end = content_end(text, start, end)
    new = _styled(written, value)
    gap = " " if start > 0 and text[start - 1] in ":-" else ""
    return text[:start] + gap + new + text[end:]


def _styled(written: str, value: Any) -> str:
    """The new value in the quoting style of the old one, where that style can hold it."""
    if isinstance(value, str) and value.isprintable():
        if written.startswith("'"):
            return "'" + value.replace("'", "''") + "'"
        if written.startswith('"') and not string_text(value).startswith('"'):
            return f'"{value}"'
    return yaml_text(value)


def _order(key: str) -> list[str]:
    """Names of the section in the order in which templates write them."""
    from ..catalogue import load_catalogue

    section = key.rpartition(".")[0]
    catalogue = load_catalogue()
    names = [p.name for group in catalogue.groups for p in catalogue.group(group) if p.section == section]
    return [*names, *(s for s in ("verl", "mindspeed_rl") if not section)]


def _parsed(text: str, key: str) -> Document:
    document = parse_document(text)
    if not document.readable:
        raise EditError("unreadable", key, document.problems[0].code if document.problems else "")
    return document


def _verified(
    changed: str, key: str, before: Document, intend: Callable[[dict[str, Any]], None], keep_order: bool = True
) -> str:
    """The changed text, if it loads to exactly what was intended.

    Raises:
        EditError: ``shared`` when other keys changed as well (an anchor), else ``unsafe``.
    """
    wanted = copy.deepcopy(dict(before.values))
    intend(wanted)
    after = parse_document(changed)
    found: Any = dict(after.values)
    if after.readable and same(found, wanted):
        return changed
    if after.readable and not keep_order and found == wanted:
        return changed
    others = [k for k in after.places if k.partition("[")[0] != key.partition("[")[0] and _differs(before, after, k)]
    raise EditError("shared" if after.readable and others else "unsafe", key, ", ".join(others[:3]))


def _differs(before: Document, after: Document, key: str) -> bool:
    return "[" not in key and key in before.places and not same(before.get(key), after.get(key))


def _lookup(values: Any, key: str) -> Any:
    try:
        for part in _parts(key):
            values = values[part]
    except (LookupError, TypeError, ValueError) as error:
        # A merge mark (<<), or a name that itself holds a dot or bracket: it has a place and no value of that path.
        raise EditError("unsafe", key, "it can't be addressed by its dotted name") from error
    return values


def _parts(key: str) -> list[Any]:
    parts: list[Any] = []
    for piece in key.split("."):
        name, *indexes = piece.replace("]", "").split("[")
        parts.append(name)
        parts.extend(int(i) for i in indexes)
    return parts


def _assign(values: Any, key: str, value: Any) -> None:
    *path, last = _parts(key)
    for part in path:
        if isinstance(values, dict) and not isinstance(values.get(part), (dict, list)):  # pyright: ignore[reportUnknownMemberType]
            values[part] = {}
        # An alias shares one object: what is below a changed key must be its own.
        values[part] = copy.copy(cast("Any", values[part]))
        values = values[part]  # pyright: ignore[reportUnknownVariableType]
    values[last] = value


def _remove(values: dict[str, Any], parent: str, name: str) -> None:
    _lookup(values, f"{parent}.{name}" if parent else name)
    del (_lookup(values, parent) if parent else values)[name]


def _rename(values: dict[str, Any], parent: str, old: str, name: str) -> None:
    section: dict[str, Any] = _lookup(values, parent) if parent else values
    pairs = [(name if k == old else k, v) for k, v in section.items()]
    section.clear()
    section.update(pairs)


def _in_flow(text: str, document: Document, parent: str) -> bool:
    place = document.places.get(parent)
    if place is None:
        return text.lstrip("\ufeff \r\n\t").startswith("{")
    return text[place.value_start : place.value_start + 1] == "{"


def _cut_flow(text: str, start: int, end: int) -> str:
    """Cut an entry out of a flow mapping together with one comma."""
    after = len(text[end:]) - len(text[end:].lstrip())
    if text[end + after : end + after + 1] == ",":
        stop = end + after + 1
        return text[:start] + text[stop:].lstrip(" ")
    before = text[:start].rstrip()
    return (before[:-1] if before.endswith(",") else text[:start]) + text[end:]
