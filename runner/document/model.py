"""A YAML file as read: its bytes, its values as the back end's loader sees them, and where everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..catalogue.problem import Problem
from .place import NOWHERE, Place, Places


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
class Document:
    """A configuration file.

    ``values`` is what ``yaml.safe_load`` (the loader of AgentSDK) makes of the text: nested mappings, so that
    ``1e-6`` is the string it really is there. ``places`` maps each dotted key (list items: ``key[0]``) to its place.
    ``problems`` are those found while reading (syntax, size, encoding, duplicate keys, ...); when the text can't be
    read at all ``values`` is empty and ``readable`` is False. ``root`` is the place of the whole, all others below it.
    ``plain``: no anchor, merge, tag, duplicate or odd key, so that each entry of a block mapping reads alike alone.

    Documents are shared between callers: none of this may be changed.
    """

    path: Path | None
    text: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    root: Place = NOWHERE
    problems: tuple[Problem, ...] = ()
    readable: bool = True
    plain: bool = False

    @property
    def places(self) -> Places:
        """Where each dotted key stands."""
        return Places(self.root)

    def get(self, key: str, default: Any = None) -> Any:
        """Value at a dotted key, or ``default`` when the key is absent."""
        return value_at(self.values, key, default)

    def has(self, key: str) -> bool:
        """Whether the dotted key stands in the file."""
        return self.get(key, _MISSING) is not _MISSING

    def place(self, key: str) -> Place:
        """Place of a dotted key; of the nearest enclosing section when the key is absent; else line 0."""
        places = self.places
        probe = key
        while probe:
            place = places.get(probe)
            if place is not None:
                return place
            probe = probe.rpartition(".")[0]
        return NOWHERE
