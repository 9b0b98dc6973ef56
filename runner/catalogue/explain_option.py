"""Options of agentic_rl's own command that the documents describe (templates/options.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .explain_words import LABELS
from .explanation import Explanation, Section
from .problem import Language

_FIELDS = ("title", "help", "constraint", "source", "notes")


def explain_option(asked: str, lang: Language) -> Explanation | None:
    """The explanation of an option, with or without its dashes and with either spelling; None when there is none.

    Raises:
        CatalogueError: the data file breaks the format.
    """
    content = read_yaml(templates_root() / "options.yaml")
    if not isinstance(content, Mapping):
        raise CatalogueError("options.yaml: expected a mapping of options")
    for name, value in cast("Mapping[Any, Any]", content).items():
        if _plain(str(name)) == _plain(asked):
            return _explanation(str(name), Entry(f"options.yaml: {name}", value, _FIELDS), lang)
    return None


def _plain(name: str) -> str:
    return name.lstrip("-").replace("_", "-").lower()


def _explanation(name: str, entry: Entry, lang: Language) -> Explanation:
    notes = tuple(entry.both("notes", note)[lang] for note in entry.sequence("notes"))
    pieces = {
        "meaning": (entry.text("help")[lang],),
        "constraint": (entry.text("constraint")[lang],),
        "notes": notes,
        "source": (entry.string("source"),),
    }
    sections = tuple(Section(part, LABELS[lang][part], lines) for part, lines in pieces.items() if lines)
    return Explanation("option", name, entry.text("title")[lang], sections)
