"""Problems of a file that are gone from what a back end is handed: no reason to refuse the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..catalogue import Problem

# Back end -> codes that the file written for it puts right (agentsdk/file.py).
_CURED: Mapping[str, frozenset[str]] = {
    "agentsdk": frozenset(("documented-name", "path-not-absolute", "path-is-link")),
}
# What AgentSDK's file check says of the configuration file itself: another file is handed over, with the right mode.
_OF_THE_FILE = frozenset(
    ("path-mode", "path-owner", "path-is-link", "path-bad-characters", "path-dotdot", "path-too-long")
)


def as_handed(problem: Problem, backend: str) -> Problem:
    """The problem as it stands for a start: an error that the plan puts right is a hint."""
    codes = _CURED.get(backend, frozenset())
    own_file = bool(codes) and not problem.key and problem.code in _OF_THE_FILE
    return (
        replace(problem, level="hint") if problem.level == "error" and (problem.code in codes or own_file) else problem
    )
