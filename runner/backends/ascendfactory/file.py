"""The copy of its file that AscendFactory gets: as a person wrote it, comments and all, with absolute paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ...catalogue import load_catalogue
from ...catalogue.ascendfactory import OUTPUT, PREFIX
from ...document import EditError, set_value
from ...document.model import Document
from ..overrides import absolute
from ..plan import Note
from ..said import said

# Paths of MindSpeed-RL's tree, by the last part of the key.
_MINDSPEED_PATHS = ("data_path", "tokenizer_name_or_path", "load", "save", "ref_model_load_path")


def with_absolute_paths(document: Document, base: Path) -> tuple[str, tuple[Note, ...]]:
    """The text with each relative path that would mean another place in another folder made absolute.

    Hub names, other systems' paths (``hdfs://``) and interpolations stay. The notes name what was changed.
    """
    text = document.text
    notes: list[Note] = []
    for key, value in _paths(document):
        changed = _absolute(value, base, key == OUTPUT)
        if changed == value:
            continue
        try:
            text = set_value(text, key, changed)
        except EditError:  # stands in an alias that other keys share: left as it is
            continue
        notes.append(Note("info", key, said("factory-absolute", path=changed)))
    return text, tuple(notes)


def _paths(document: Document) -> Iterator[tuple[str, Any]]:
    if document.has(OUTPUT):
        yield OUTPUT, document.get(OUTPUT)
    catalogue = load_catalogue("verl")
    for key, place in document.places.items():
        name = key.removeprefix(PREFIX)
        if name == key or "[" in key or not place.value_line:
            continue
        resolved = catalogue.resolve(name)
        known = resolved is not None and resolved[0].kind == "path"
        if known or name.rpartition(".")[2] in _MINDSPEED_PATHS:
            yield key, document.get(key)


def _absolute(value: Any, base: Path, output: bool) -> Any:
    if isinstance(value, list):
        return [_absolute(item, base, output) for item in cast("list[Any]", value)]
    if not isinstance(value, str) or not value or "${" in value or "://" in value:
        return value
    return str(base / Path(value).expanduser()) if output else absolute(value, base)
