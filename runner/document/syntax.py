"""PyYAML's complaints in sentences that say what to look for (templates/syntax.yaml)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from ..catalogue.data import Entry, read_yaml, templates_root
from ..catalogue.problem import Problem
from .compose import ComposeError

_TAB_INDENT = re.compile(r" *\t")


def syntax_problem(error: ComposeError, text: str) -> Problem:
    """The problem behind a ComposeError of kind syntax.

    A tab in the indentation is the reason of many complaints that name other things; it is looked for in the line of
    the complaint and the one above.
    """
    lines = text.split("\n")
    for number in (error.line, error.line - 1):
        line = lines[number - 1] if 0 < number <= len(lines) else ""
        match = _TAB_INDENT.match(line)
        if match and line.strip() and not line.lstrip().startswith("#"):
            return Problem("error", "yaml-tab", "", number, match.end())
    params: dict[str, Any] = {"problem": _sentence(error)}
    opened = re.search(r"line (\d+)\Z", error.context)
    if opened:
        params["context"] = {"en": f"it began in line {opened[1]}", "zh": f"起始于第 {opened[1]} 行"}
    return Problem("error", "yaml-syntax", "", error.line, error.column, params)


def _sentence(error: ComposeError) -> Mapping[str, str]:
    whole = f"{error.problem} {error.context}"
    for pattern, text in _sentences():
        match = pattern.search(whole)
        if match:
            return {lang: words.replace("{0}", match[1]) if match.groups() else words for lang, words in text.items()}
    return {"en": error.problem, "zh": error.problem}


@lru_cache(maxsize=1)
def _sentences() -> list[tuple[re.Pattern[str], Mapping[str, str]]]:
    content = cast("list[Any]", read_yaml(templates_root() / "syntax.yaml"))
    found: list[tuple[re.Pattern[str], Mapping[str, str]]] = []
    for item in content:
        entry = Entry("syntax.yaml", item, ("match", "text"))
        found.append((re.compile(entry.string("match")), entry.text("text")))
    return found
