"""Values whose type verl can't work with, judged by the type of the declared default."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...catalogue import Level, Problem
from ..view import View
from .given import Given
from .names import declared_keys

_WHOLE = (
    "_size",
    "_per_gpu",
    "_length",
    "_epochs",
    "_freq",
    "_turns",
    "_workers",
    "_tokens",
    "_seqs",
    "nnodes",
    "_node",
)
# Numbers that may also be written as a range or a word of their own.
_ALSO_TEXT = frozenset(("rollout_is_threshold", "rollout_rs_threshold", "save_freq", "test_freq"))


def check_types(view: View, given: Iterable[Given]) -> Iterator[tuple[Given, Problem]]:
    """Texts where numbers are declared and their like; errors only where the use of the value fails."""
    declared = declared_keys(view)
    sections = {key.rpartition(".")[0] for key in declared}
    for one in given:
        entry = view.entries.get(one.name)
        if entry is None or entry.key != one.key:
            continue
        value = entry.value
        if one.name in declared:
            found = _misfit(one.name, default_value(declared[one.name]), value)
        elif one.name in sections and value is not None and not isinstance(value, Mapping):
            found = ("error", "mapping")
        else:
            continue
        if found is not None:
            level, expected = found
            params = {"value": value, "expected": expected, "got": kind_of(value)}
            better = meant(expected, value)
            edits = () if better is None else ((one.name, better),)
            yield one, view.problem(level, "native-wrong-type", (one.name,), params, edits)


def meant(expected: str, value: Any) -> Any:
    """The number or switch that somebody wrote as a text; None where it is none."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = value.strip()
    if expected in ("bool", "boolean"):
        return {"true": True, "false": False}.get(text.lower())
    for kind in (int, float) if expected in ("int", "float") else ():
        try:
            number = kind(text)
        except ValueError:
            continue
        if abs(number) < float("inf"):
            return None if expected == "int" and isinstance(number, float) else number
    return None


_LONGEST = 40  # characters of a number that somebody wrote


def default_value(text: Any) -> Any:
    """A default as a value; the table has them as Python text, in places with a number in quotes."""
    if not isinstance(text, str):
        return text
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _misfit(name: str, default: Any, value: Any) -> tuple[Level, str] | None:
    if value is None or (isinstance(value, str) and "${" in value):
        return None
    if isinstance(default, bool):
        if isinstance(value, (list, dict)):
            return "error", "boolean"
        return None if isinstance(value, (bool, int)) else ("warning", "boolean")
    if isinstance(default, (int, float)):
        if isinstance(value, str) and name.rpartition(".")[2] in _ALSO_TEXT:
            return None
        whole = isinstance(default, int) and name.endswith(_WHOLE)
        expected = "int" if whole else "float"
        if isinstance(value, bool):
            return "warning", expected
        if not isinstance(value, (int, float)):
            return "error", expected
        return ("error", "int") if whole and isinstance(value, float) else None
    if isinstance(default, (str, list)) and isinstance(value, Mapping) and value:
        return "error", "list" if isinstance(default, list) else "str"
    return None


def kind_of(value: Any) -> str:
    """The word of templates/words.yaml for the type of a value."""
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "bool"), (int, "int"), (float, "float"), (str, "str"), (list, "list"), (dict, "mapping"),
    )  # fmt: skip
    return next((word for kind, word in kinds if isinstance(value, kind)), "null" if value is None else "other")
