"""An edit is kept when the changed text loads to exactly what was intended; else it is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from . import recent
from .model import Document
from .patch import patched
from .place import Path, Place, dotted
from .read import parse_document
from .text import EditError, same


def readable(text: str, key: str) -> Document:
    """The text as it reads before an edit.

    Raises:
        EditError: ``unreadable``.
    """
    document = parse_document(text)
    if not document.readable:
        raise EditError("unreadable", key, document.problems[0].code if document.problems else "")
    return document


def changed_document(before: Document, changed: str) -> Document:
    """The changed text as it reads; only what changed is read where that is provably enough."""
    known = recent.find(changed)
    if known is not None:
        return known
    found = patched(before, changed)
    return recent.keep(found) if found is not None else parse_document(changed)


def verified(changed: str, key: str, before: Document, wanted: Any, path: Path, ordered: bool = True) -> str:
    """The changed text, if it loads to what was intended.

    Args:
        changed: the text after the edit.
        key: the dotted key, for the complaint.
        before: the text before the edit.
        wanted: the values that the text should load to.
        path: where values may differ from those before.
        ordered: whether the keys must come in the intended order too.

    Raises:
        EditError: ``shared`` when other keys changed as well (an anchor), else ``unsafe``.
    """
    after = changed_document(before, changed)
    if after.readable and same(after.values, wanted, ordered):
        return changed
    if "&" not in before.text:
        raise EditError("unsafe", key)
    if not after.readable:  # an alias whose anchor is gone, a merge of what is no mapping any more
        raise EditError("shared" if _anchored(before.root, path) else "unsafe", key)
    others = [dotted(p) for p in _differing(after.values, wanted, ()) if p[: len(path)] != path[: len(p)]]
    raise EditError("shared" if others else "unsafe", key, ", ".join(others[:3]))


def _anchored(place: Place, path: Path) -> bool:
    """Whether there is an anchor at a path, above or below it."""
    if place.anchor and place.kind != "alias":
        return True
    steps = path[:1] or tuple(place.children or ())
    return any(_anchored(child, path[1:]) for step in steps if (child := (place.children or {}).get(step)) is not None)


def _differing(found: Any, wanted: Any, path: Path) -> Iterator[Path]:
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        left, right = cast("Mapping[str, Any]", found), cast("Mapping[str, Any]", wanted)
        for name in left:
            if name not in right:
                yield (*path, name)
            else:
                yield from _differing(left[name], right[name], (*path, name))
        yield from ((*path, name) for name in right if name not in left)
    elif not same(found, wanted):
        yield path
