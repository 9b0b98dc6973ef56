"""What stands in an AscendFactory file beside the tree of the back end."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Problem
from ...catalogue.ascendfactory import OUTPUT, TREE
from ...document import Document

# What AscendFactory itself reads beside the tree of the back end (document 004; facts/agentsdk.md 7.2).
_OUTSIDE = frozenset((OUTPUT, "af_model_name", "env", "exp_name", "backend", TREE))


def check_outside(document: Document) -> Iterator[Problem]:
    """Keys that nothing reads, and the one that the documents ask everybody for."""
    for key in document.values:
        if key.partition(".")[0] not in _OUTSIDE:
            place = document.place(key)
            yield Problem("warning", "native-key-outside", key, place.line, place.column, {"section": TREE})
    if OUTPUT not in document.values:
        yield Problem("warning", "native-output-missing", OUTPUT)
