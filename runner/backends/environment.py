"""Why a plan sets a variable: reason and source of each, from templates/backends/environment/."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from ..catalogue.data import LANGUAGES, Entry, read_yaml, templates_root
from .plan import Text

_UNKNOWN: Text = {"en": "the back end needs it", "zh": "后端需要"}


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Text]:
    """Variable -> reason with its source; a file's entries are ``NAME: {en, zh, source}``.

    Raises:
        CatalogueError: a file there is not what it should be.
    """
    found: dict[str, Text] = {}
    for path in sorted((templates_root() / "backends" / "environment").glob("*.yaml")):
        for name, value in cast("Mapping[str, Any]", read_yaml(path)).items():
            entry = Entry(f"{path.name}: {name}", value, ("en", "zh", "source"))
            words = entry.both("reason", {language: entry.string(language) for language in LANGUAGES})
            source = entry.string("source")
            found[str(name)] = {"en": f"{words['en']} [{source}]", "zh": f"{words['zh']} [{source}]"}
    return found


def reasons_for(variables: Mapping[str, str], backend: str) -> dict[str, Text]:
    """The reason of each variable.

    Args:
        variables: their names and values; an entry ``NAME=value`` goes before any other.
        backend: the back end, or ``cluster``; an entry ``NAME@backend`` goes before one of the name alone.
    """
    known = _known()
    return {
        name: known.get(f"{name}={value}") or known.get(f"{name}@{backend}") or known.get(name) or _UNKNOWN
        for name, value in variables.items()
    }
