"""How a room of the command line says its sentences: from its own table, in the language that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Say(Protocol):
    """One sentence of a table, filled in."""

    def __call__(self, key: str, lang: str, **values: object) -> str:
        """The sentence ``key`` in ``lang`` (``en`` or ``zh``), its places filled with ``values``."""
        ...


def sayer(texts: Mapping[str, Mapping[str, str]]) -> Say:
    """The function that says the sentences of a table."""

    def say(key: str, lang: str, **values: object) -> str:
        return texts[key][lang].format(**values)

    return say
