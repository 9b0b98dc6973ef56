"""Byte-exact edits (design 6): each changes the lines it must, and nothing else.

An edit replaces slices of the text at places that the parser gave; the result is read again and compared with what was
intended, so that an edit that would change anything else is refused instead of made.

One edit changes one line, except where it must be more:

- a value that stands on several lines, or a block that becomes a plain value: its lines become one;
- a list or mapping that is replaced: a line for each item or entry that differs;
- a key in a section that has to be made: a line for each section;
- a move: the line it leaves and the line it gets, with its comment lines;
- the last entry of a block section: its line and that of the section, which gets ``{}``;
- something added behind a last line without a line end, which gets one;
- an entry removed from the first line of a list item (``- a: 1``): the next one moves up to the dash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from ..catalogue.problem import Edit
from ..catalogue.yaml_text import yaml_text
from .assign import assign, first_verified
from .changes import renamed, value_of, with_item, with_value
from .insert import catalogue_order, insert_entry, spot_of
from .items import insert_item as item_inserted
from .loaders import refuse_unwritable
from .model import Document
from .move import move_path
from .place import Path, path_of, value_path
from .read import parse_document
from .remove import remove_path
from .replace import replacements, styled
from .text import EditError
from .verify import readable, verified

__all__ = [
    "EditError",
    "add_key",
    "apply_edits",
    "insert_item",
    "move_key",
    "remove_key",
    "rename_key",
    "set_value",
]


def set_value(text: str, key: str, value: Any) -> str:
    """Replace the value of a key that stands in the text; quoting style and trailing comment stay.

    ``key`` may name a list item (``verl.ckpt_content[0]``), or bear dots in its own name. A value that comes in
    through an alias or a merge is written out at its use. Of a mapping or list only what differs is touched.

    Raises:
        EditError: the key is absent, its anchor is used elsewhere, or the edit can't be made safely.
    """
    refuse_unwritable(key, value)
    document = readable(text, key)
    return assign(text, document, _present(document, key), value)


def add_key(text: str, key: str, value: Any, *, order: Sequence[str] | None = None, comment: Iterable[str] = ()) -> str:
    """Add a key to its section, behind the neighbours that precede it in the catalogue (or in ``order``).

    The section is made when it is absent; beside flat dotted names (``trainer.nnodes: 2``) the key is a flat name too.
    ``comment`` lines are written above the key.

    Raises:
        EditError: the key stands there already, or its section holds no mapping.
    """
    refuse_unwritable(key, value)
    document = parse_document(text)
    if not document.readable and any(p.code != "file-empty" for p in document.problems):
        raise EditError("unreadable", key, document.problems[0].code)
    path = value_path(document.values, key)
    place = document.root.at(path) if path is not None else None
    if path is not None and (place is None or place.written):
        if place is None:  # below an alias
            return assign(text, document, path, value)
        raise EditError("exists", key)
    spot = spot_of(document, key)
    names = catalogue_order(key.rpartition(".")[0]) if order is None else order
    wanted = with_value(document.values, spot.path, value)
    lines = list(comment)
    candidates = (insert_entry(text, document, spot, yaml_text(value), names, lines, front) for front in (False, True))
    return first_verified(candidates, key, document, wanted, spot.path)


def insert_item(text: str, key: str, value: Any, index: int | None = None) -> str:
    """Insert an item into the list at a key, in front of item ``index``; at its end when that is None or beyond it.

    Raises:
        EditError: there is no such list, or the edit can't be made safely.
    """
    refuse_unwritable(key, value)
    document = readable(text, key)
    path = _present(document, key)
    old = value_of(document.values, path)
    if not isinstance(old, list):
        raise EditError("unsafe", key, "it is no list")
    items = cast("list[Any]", old)
    at = len(items) if index is None else min(max(index, 0), len(items))
    wanted = with_item(document.values, path, at, value)
    place = document.root.at(path)
    if place is None or place.kind != "list":  # it comes in through an alias or a merge
        return assign(text, document, path, value_of(wanted, path))
    candidates = [changed] if (changed := item_inserted(text, place, at, value)) is not None else []
    candidates += replacements(text, place, old, value_of(wanted, path))
    return first_verified(candidates, key, document, wanted, path)


def remove_key(text: str, key: str) -> str:
    """Remove a key (or list item) and its value; comments on lines of their own stay.

    The last key of a section leaves ``{}``, the last item of a list ``[]``.

    Raises:
        EditError: the key is absent or can't be removed safely.
    """
    document = readable(text, key)
    return remove_path(text, document, _present(document, key))


def rename_key(text: str, key: str, name: str) -> str:
    """Give a key another name in the same section; the value stays as it is written.

    Of a flat dotted name (``trainer.nnodes``) the last part is replaced, or the whole by a name that has dots itself.

    Raises:
        EditError: the key is absent, or the section has a key of the new name.
    """
    document = readable(text, key)
    path = _present(document, key)
    place = document.root.at(path)
    if place is None or place.key_end < 0 or not isinstance(path[-1], str):
        raise EditError("unsafe", key, "it is no key of its own")
    section, dot, _ = path[-1].rpartition(".")
    whole = name if section and "." in name else section + dot + name
    holder = value_of(document.values, path[:-1])
    if whole in holder:
        raise EditError("exists", key.rpartition(".")[0] + "." + name if "." in key else name)
    old = text[place.key_start : place.key_end]
    changed = text[: place.key_start] + styled(old, whole) + text[place.key_end :]
    return verified(changed, key, document, renamed(document.values, path, whole), path[:-1])


def move_key(text: str, key: str, target: str) -> str:
    """Move a key to another section (``train_batch_size`` -> ``verl.train_batch_size``); its comments go along.

    Raises:
        EditError: the key is absent, the target exists, or the move can't be made safely.
    """
    document = readable(text, key)
    path = _present(document, key)
    if value_path(document.values, target) is not None:
        raise EditError("exists", target)
    return move_path(text, document, path, target)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply the edits that a problem offers, in order.

    Raises:
        EditError: one of them can't be made; none is then.
    """
    for edit in edits:
        if edit.kind == "set":
            present = value_path(parse_document(text).values, edit.key) is not None
            text = set_value(text, edit.key, edit.value) if present else add_key(text, edit.key, edit.value)
        elif edit.kind == "rename":
            text = rename_key(text, edit.key, str(edit.value))
        elif edit.kind == "remove":
            text = remove_key(text, edit.key)
        else:
            text = move_key(text, edit.key, str(edit.value))
    return text


def _present(document: Document, key: str) -> Path:
    """The path of a key that has a value.

    Raises:
        EditError: ``absent``, or ``unsafe`` for what has a place but no value (a merge, a key that is no text).
    """
    path = value_path(document.values, key)
    if path is not None:
        return path
    if path_of(document.root, key) is not None:
        raise EditError("unsafe", key, "it has no value that its name reaches")
    raise EditError("absent", key)
