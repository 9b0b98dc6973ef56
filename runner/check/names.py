"""Names: unknown ones, those that only documents use, and those at the wrong level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..catalogue import Edit, Level, Problem
from ..catalogue.guess import type_name
from .case import SECTION_NAMES, Case, Found

_SEARCHED = 200  # unknown keys whose nearest name is looked for; each takes half a millisecond


def check_names(case: Case) -> Iterator[Problem]:
    """Every key that AgentSDK's schema does not know as it stands."""
    if case.generation != "A":  # 7.3.0 ignored what it did not know
        for number, key in enumerate(case.unknown):
            yield _unknown(case, key, search=number < _SEARCHED)
    for found in (*case.found.values(), *case.repeated):
        if found.misplaced:
            yield _misplaced(case, found)
        elif found.alias is not None:
            yield _documented(case, found)
    for name in SECTION_NAMES:
        value = case.document.values.get(name)
        if value is not None and not isinstance(value, Mapping):
            params = {"value": value, "expected": "mapping", "got": type_name(value)}
            yield case.problem("error", "wrong-type", name, params)


def _unknown(case: Case, key: str, *, search: bool) -> Problem:
    section, _, name = key.rpartition(".")
    params: dict[str, object] = {"section": section}
    edits: tuple[Edit, ...] = ()
    near = case.catalogue.nearest(name, section, limit=1) if search else []
    if near:
        candidate = near[0]
        params["nearest"] = candidate.parameter.name if not candidate.misplaced else candidate.key
        if candidate.key not in case.found:
            move = candidate.misplaced
            edits = (Edit("move", key, candidate.key) if move else Edit("rename", key, candidate.parameter.name),)
    return case.problem("error", "unknown-key", key, params, edits, at="key")


def _misplaced(case: Case, found: Found) -> Problem:
    target = case.proper_key(found.parameter)
    section = target.rpartition(".")[0]
    where = (
        {"en": f"below {section}:", "zh": f" {section}: 之下"}
        if section
        else {"en": "on the first level", "zh": "第一级"}
    )
    params = {"section": found.key.rpartition(".")[0], "target": target, "where": where}
    return case.problem("error", "misplaced-key", found.key, params, (Edit("move", found.key, target),), at="key")


def _documented(case: Case, found: Found) -> Problem:
    params = {"alias": found.alias, "name": found.parameter.name}
    taken = case.document.has(found.parameter.key)
    edits = () if taken else (Edit("rename", found.key, found.parameter.name),)
    # agentic_rl reads the file itself, and its schema forbids other names (facts/agentsdk.md 2.1, extra_forbidden).
    # What this tool hands to a back end bears the name that it takes: there the name is only worth a warning.
    level: Level = "error" if case.target == "agentsdk" else "warning"
    return case.problem(level, "documented-name", found.key, params, edits, at="key")
