"""The keys of a back end that a file holds itself: a native tree, flat dotted keys, or AscendFactory's section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from ..catalogue.ascendfactory import PREFIX
from ..document import Document
from .flat import leaves
from .loaded import omegaconf_value
from .shape import shape_of

_QUOTES = frozenset("\"'|>")


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One key: ``sign`` is Hydra's (``+``, ``++``, ``~`` or none), ``file_key`` its whole name in the file."""

    sign: str
    key: str
    file_key: str
    value: Any


def prefix_of(document: Document) -> str:
    """What stands before the back end's keys in a file of this shape."""
    return PREFIX if shape_of(document.values) == "ascendfactory" else ""


def tree_entries(document: Document) -> Iterator[TreeEntry]:
    """The back end's keys in the order of the file, each value as verl's own loader reads it."""
    prefix = prefix_of(document)
    for file_key, value in leaves(document.values):
        if file_key.startswith(prefix):
            sign, key = bare(file_key.removeprefix(prefix))
            yield TreeEntry(sign, key, file_key, loaded_value(document, file_key, value))


def loaded_value(document: Document, key: str, value: Any) -> Any:
    """A value of the file as OmegaConf reads it; items of lists each by how they are written."""
    if isinstance(value, list):
        items = enumerate(cast("list[Any]", value))
        return [loaded_value(document, f"{key}[{index}]", item) for index, item in items]
    return omegaconf_value(value, is_quoted(document, key))


def bare(key: str) -> tuple[str, str]:
    """Hydra's sign before a key (``+``, ``++``, ``~`` or none) and the key."""
    name = key.lstrip("+~")
    return key[: len(key) - len(name)], name


def is_quoted(document: Document, key: str) -> bool:
    """Whether the file writes the value of a key in quotes or as a block, which makes it a text for every loader."""
    place = document.places.get(key)
    return place is not None and place.value_start >= 0 and document.text[place.value_start] in _QUOTES
