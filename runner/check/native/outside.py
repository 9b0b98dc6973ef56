"""What stands in an AscendFactory file beside the tree of the back end."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Problem
from ...document import Document
from ..view_verl import SECTION

# What AscendFactory itself reads beside the tree of the back end (document 004; facts/agentsdk.md 7.2).
_OUTSIDE = frozenset(("af_output_dir", "af_model_name", "env", "exp_name", "backend", SECTION))


def check_outside(document: Document) -> Iterator[Problem]:
    """Keys that nothing reads, and the one that the documents ask everybody for."""
    for key in document.values:
        if key.partition(".")[0] not in _OUTSIDE:
            place = document.place(key)
            yield Problem("warning", "native-key-outside", key, place.line, place.column, {"section": SECTION})
    if "af_output_dir" not in document.values:
        yield Problem("warning", "native-output-missing", "af_output_dir")
