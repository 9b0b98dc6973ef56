"""A parser's complaints in sentences that say what to look for (templates/syntax.yaml)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from ..catalogue.data import Entry, read_yaml, templates_root


def sentence(problem: str, context: str) -> Mapping[str, str]:
    """The complaint in English and Chinese; one that nobody has put into words stays as the parser said it."""
    whole = f"{problem} {context}"
    for pattern, text in _sentences():
        match = pattern.search(whole)
        if match:
            return {lang: words.replace("{0}", match[1]) if match.groups() else words for lang, words in text.items()}
    return {"en": problem, "zh": problem}


def beginning(context_line: int) -> Mapping[str, str]:
    """Where the construct that is in trouble began; ``context_line`` counts from 1."""
    return {"en": f"it began in line {context_line}", "zh": f"起始于第 {context_line} 行"}


@lru_cache(maxsize=1)
def _sentences() -> list[tuple[re.Pattern[str], Mapping[str, str]]]:
    content = cast("list[Any]", read_yaml(templates_root() / "syntax.yaml"))
    found: list[tuple[re.Pattern[str], Mapping[str, str]]] = []
    for item in content:
        entry = Entry("syntax.yaml", item, ("match", "text"))
        found.append((re.compile(entry.string("match")), entry.text("text")))
    return found
