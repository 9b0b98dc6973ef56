"""Words for types and units in both languages (templates/words.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .parameter import Text
from .problem import Language
from .show import printable


@lru_cache(maxsize=1)
def words() -> Mapping[str, Text]:
    """Every word by its id.

    Raises:
        CatalogueError: the file is missing or a word lacks a language.
    """
    content = read_yaml(templates_root() / "words.yaml")
    if not isinstance(content, Mapping):
        raise CatalogueError("words.yaml: expected a mapping")
    names = cast("Mapping[str, object]", content)
    entry = Entry("words.yaml", names, names)
    return {name: entry.text(name) for name in names}


def word(name: str, lang: Language) -> str:
    """The word for a type or a unit (``int`` -> ``an integer``); unknown names stay as they are."""
    text = words().get(name)
    return text[lang] if text else printable(name)
