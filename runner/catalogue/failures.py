"""Reads templates/failures/: what went wrong when a log says so, and what to change.

The result is plain data, so that it can be handed to the room `stream` (which knows no other room) and, as JSON, to
the supervisor of a run. docs/en/diagnose.md explains the fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from .data import CatalogueError, Entry, read_yaml, templates_root

ROLES = ("cause", "symptom", "follower", "stall", "notice")
CONTEXTS = ("error", "any")
RULES = ("not_finite", "zero")
_FIELDS = (
    *("signs", "words", "context", "role", "own_process", "metric"),
    *("cause", "remedy", "parameters", "environment", "source"),
)
_NOISE = "noise.yaml"


@lru_cache(maxsize=1)
def load_failures() -> Mapping[str, Any]:
    """The failure catalogue of the installed package, read once per process.

    Returns:
        ``{"entries": [...], "noise": [regular expression], "reasons": {name: {"cause": ..., "remedy": ...}}}``, only
        of lists, mappings, texts and numbers.

    Raises:
        CatalogueError: a data file breaks the format.
    """
    return read_failures(templates_root() / "failures")


def read_failures(folder: Path) -> Mapping[str, Any]:
    """Read a folder of failure files.

    Raises:
        CatalogueError: names the file, the failure and the field that breaks the format.
    """
    entries: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name == _NOISE:
            continue
        content = read_yaml(path)
        if not isinstance(content, Mapping):
            raise CatalogueError(f"{path.name}: expected a mapping of failures")
        for name, value in content.items():  # pyright: ignore[reportUnknownVariableType]
            if str(name) in entries:  # pyright: ignore[reportUnknownArgumentType]
                raise CatalogueError(f"{path.name}: {name}: declared twice")
            entry = Entry(f"{path.name}: {name}", value, _FIELDS)
            entries[str(name)] = {"id": str(name), **_read(entry)}  # pyright: ignore[reportUnknownArgumentType]
    other = Entry(_NOISE, read_yaml(folder / _NOISE), ("noise", "reasons"))
    reasons: dict[str, Any] = {}
    for name, value in other.mapping("reasons").items():
        words = Entry(f"{_NOISE}: {name}", value, ("cause", "remedy"))
        reasons[str(name)] = {"cause": words.text("cause"), "remedy": words.text("remedy")}
    return {"entries": list(entries.values()), "noise": _patterns(other, "noise"), "reasons": reasons}


def _read(entry: Entry) -> dict[str, Any]:
    signs = _patterns(entry, "signs")
    metric = _metric(entry)
    if bool(signs) == bool(metric):
        raise entry.fail("signs", "a failure is recognised either by signs or by a metric")
    context = entry.one_of("context", CONTEXTS, "error")
    words = [str(word) for word in entry.sequence("words")]
    if any(word != word.lower() or len(word) < 3 for word in words):
        raise entry.fail("words", "are looked for in lower-case text and have three characters or more")
    if context == "any" and not words:
        raise entry.fail("words", "needed with `context: any`: a line is read only when it holds one of them")
    return {
        "signs": signs,
        "words": words,
        "context": context,
        "role": entry.one_of("role", ROLES, "cause"),
        "own_process": entry.flag("own_process"),
        "metric": metric,
        "cause": entry.text("cause"),
        "remedy": entry.text("remedy"),
        "parameters": [str(one) for one in entry.sequence("parameters")],
        "environment": [str(one) for one in entry.sequence("environment")],
        "source": entry.string("source"),
    }


def _patterns(entry: Entry, name: str) -> list[str]:
    patterns = [str(one) for one in entry.sequence(name)]
    for pattern in patterns:
        try:
            compiled = re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            raise entry.fail(name, f"{pattern!r}: {error}") from error
        if compiled.groups or compiled.match(""):
            raise entry.fail(name, f"{pattern!r}: write (?:...) for a group, and match something")
    return patterns


def _metric(entry: Entry) -> dict[str, Any] | None:
    if not entry.has("metric"):
        return None
    metric = Entry(f"{entry.where}: metric", entry.fields["metric"], ("keys", "rule", "steps", "and"))
    steps: Any = metric.fields.get("steps", 1)
    if not isinstance(steps, int) or steps < 1:
        raise metric.fail("steps", f"expected a number of steps, found {steps!r}")
    return {
        "keys": [str(key) for key in metric.sequence("keys")],
        "rule": metric.one_of("rule", RULES),
        "steps": steps,
        "and": metric.string("and", ""),
    }
