"""The last few texts that were read: the wizard reads one after each key press, to edit it, check it and show it."""

from __future__ import annotations

from collections import OrderedDict

from .model import Document

_KEPT = 6
_LONGEST = 200_000  # characters; a document takes a few hundred times as many bytes in the worst case
_documents: OrderedDict[str, Document] = OrderedDict()


def find(text: str) -> Document | None:
    """The document of a text that was read before; None when it is not among the last."""
    return _documents.get(text)


def keep(document: Document) -> Document:
    """Remember a document (``path`` is None in it), unless it is too large to be kept."""
    if len(document.text) > _LONGEST:
        return document
    _documents[document.text] = document
    while len(_documents) > _KEPT:
        try:
            _documents.popitem(last=False)
        except KeyError:  # another thread was faster
            break
    return document


def forget() -> None:
    """Forget all of them (for measurements)."""
    _documents.clear()


def drop(text: str) -> None:
    """Forget one (for measurements)."""
    _documents.pop(text, None)
