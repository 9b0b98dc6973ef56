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
