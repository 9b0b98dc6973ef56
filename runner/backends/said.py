"""The remarks of plans, from templates/backends/notes.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from ..catalogue.data import Entry, read_yaml, templates_root
from .plan import Text


@lru_cache(maxsize=1)
def _texts() -> Mapping[str, Text]:
    """Every remark by its name.

    Raises:
        CatalogueError: an entry lacks a language.
    """
    data = cast("Mapping[str, Any]", read_yaml(templates_root() / "backends" / "notes.yaml"))
    return {name: Entry("notes.yaml", data, data).both(name, value) for name, value in data.items()}


def said(name: str, /, **values: object) -> Text:
    """One remark in both languages, filled in.

    Raises:
        KeyError: there is no remark of that name, or it has a placeholder that was not given.
    """
    return {language: text.format(**values) for language, text in _texts()[name].items()}
