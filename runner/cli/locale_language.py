"""The language of the user's locale. Imports nothing heavy: `--help` asks it too."""

from __future__ import annotations

import os
from typing import Literal


def default_language() -> Literal["en", "zh"]:
    """Chinese for ``zh*`` in LC_ALL, LC_MESSAGES or LANG (the first that is set counts), else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def pick(lang: Literal["en", "zh"], english: str, chinese: str) -> str:
    """The text in the language."""
    return chinese if lang == "zh" else english


def language(wanted: str | None = None) -> str:
    """``zh`` or ``en``: as asked for, else by LC_ALL, LC_MESSAGES, LANG."""
    if wanted in ("zh", "en"):
        return wanted
    return default_language()
