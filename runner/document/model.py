"""A YAML file as read: its bytes, its values as the back end's loader sees them, and where everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..catalogue.problem import Problem


def value_at(values: Any, key: str, default: Any = None) -> Any:
    """Value at a dotted key of nested mappings, whose own names may hold dots (``trainer.nnodes: 2``)."""
    if not isinstance(values, Mapping):
        return default
    mapping = cast("Mapping[Any, Any]", values)
    if key in mapping:
        return mapping[key]
    end = key.find(".")
    while end >= 0:
        if key[:end] in mapping:
            found = value_at(mapping[key[:end]], key[end + 1 :], _MISSING)
            if found is not _MISSING:
                return found
        end = key.find(".", end + 1)
    return default


_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a key and its value stand in the text; lines and columns count from 1, indexes from 0 (characters).

    A key that only a merge (``<<``) brings in has the place of the merge and no indexes.
    """

    line: int
    column: int
    value_line: int = 0
    value_column: int = 0
    value_start: int = -1
    value_end: int = -1
    key_start: int = -1


@dataclass(frozen=True, slots=True)
class Document:
    """A configuration file.

    ``values`` is what ``yaml.safe_load`` (the loader of AgentSDK) makes of the text: nested mappings, so that
    ``1e-6`` is the string it really is there. ``places`` maps each dotted key (list items: ``key[0]``) to its place.
    ``problems`` are those found while reading (syntax, size, encoding, duplicate keys, ...); when the text can't be
    read at all ``values`` is empty and ``readable`` is False.
    """

    path: Path | None
    text: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])
    problems: tuple[Problem, ...] = ()
    readable: bool = True

    def get(self, key: str, default: Any = None) -> Any:
        """Value at a dotted key, or ``default`` when the key is absent."""
        return value_at(self.values, key, default)

    def has(self, key: str) -> bool:
        """Whether the dotted key stands in the file."""
        return self.get(key, _MISSING) is not _MISSING

    def place(self, key: str) -> Place:
        """Place of a dotted key; of the nearest enclosing section when the key is absent; else line 0."""
        probe = key
        while probe:
            if probe in self.places:
                return self.places[probe]
            probe = probe.rpartition(".")[0]
        return Place(0, 0)
