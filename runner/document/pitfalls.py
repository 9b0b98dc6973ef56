"""Plain scalars that the loader (YAML 1.1) reads otherwise than they look."""

from __future__ import annotations

import datetime
import re
from typing import Any

from ..catalogue.problem import Edit, Level, Problem
from .nodes import Node

_OCTAL = re.compile(r"[-+]?0[0-7_]+\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_EXPONENT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)[eE][-+]?\d+\Z")
_TRUE_FALSE = frozenset(("true", "false"))
# Where the first character rules a pitfall out nothing more is looked at: this runs for every scalar of the file.
_MAY_BEGIN = frozenset("0123456789+-.yYnNoO")


def pitfall(node: Node, key: str, value: Any) -> Problem | None:
    """The pitfall that a plain scalar has stepped into; None for nearly all.

    Those that change nothing for AgentSDK's loader (``yes`` is a boolean there) are hints; those that give another
    number or type than the eye sees are warnings. What the schema refuses is said by the value checks, not here.
    """
    text = node.text
    if text[:1] not in _MAY_BEGIN:
        return None
    params: dict[str, Any] = {"text": text, "value": value}
    code, level, edit = "", "warning", None
    if isinstance(value, bool):
        if text.lower() not in _TRUE_FALSE:
            code, level, edit = "yaml11-boolean-word", "hint", value
    elif isinstance(value, datetime.date):
        code, edit = "yaml-date", text
    elif isinstance(value, (int, float)):
        if ":" in text and _SEXAGESIMAL.match(text):
            code, edit = "yaml-sexagesimal", text
        elif isinstance(value, int) and _OCTAL.match(text) and str(value) != text.lstrip("+"):
            plain = ("-" if text.startswith("-") else "") + text.lstrip("+-").replace("_", "").lstrip("0")
            if plain.strip("-") and int(plain) != value:  # 007 is 7 either way
                code, params["plain"] = "yaml11-octal", plain
    elif isinstance(value, str) and _EXPONENT.match(text):
        number = float(text)
        code, edit = "yaml-exponent", number
        params["better"] = number
    if not code:
        return None
    edits = () if edit is None else (Edit("set", key, edit),)
    severity: Level = "hint" if level == "hint" else "warning"
    return Problem(severity, code, key, node.line, node.column, params, edits)
