"""Kinds of values, in the words that the problem texts use (templates/words.yaml)."""

from __future__ import annotations

_WORDS = {
    "none": "none-value",
    "dict": "mapping",
    "bytes": "binary",
    "comparison": "boolean",
    "bool": "boolean",
    "zeros": "tensor",
    "tokens": "token-list",
    "nan": "not-finite",
}


def kind_word(kind: str) -> str:
    """The entry of templates/words.yaml for a kind of value (`facts.wrapper.Value`)."""
    return _WORDS.get(kind, kind)
