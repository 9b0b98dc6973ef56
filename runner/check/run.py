"""All checks of a file, or those of one field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from ..catalogue import Level, Problem
from ..catalogue.problem import LEVEL_ORDER
from ..document import Document
from .case import Case
from .combinations import (
    check_clip_bounds,
    check_critic,
    check_devices,
    check_mindspeed,
    check_steps,
    check_two_kl_terms,
    check_val_only,
    check_wrapper,
)
from .data import check_data
from .effects import check_effects
from .memory_check import check_memory
from .names import check_names
from .places import check_paths
from .relation import judge_all
from .relations_mindspeed import MINDSPEED_RELATIONS
from .relations_verl import VERL_RELATIONS
from .required import check_required
from .target import check_directive, hydra_keys, shape_of, target_of
from .view_verl import verl_view
from .world import World

Check = Callable[[Case], Iterator[Problem]]

# Those that a key press may run: values only, no facts.
FIELD_CHECKS: tuple[Check, ...] = (
    lambda case: iter(case.value_problems),
    check_effects,
    check_clip_bounds,
    check_val_only,
    check_two_kl_terms,
    check_critic,
    check_mindspeed,
    check_wrapper,
    lambda case: judge_all(case, (*VERL_RELATIONS, *MINDSPEED_RELATIONS)),
)


def _memory(case: Case) -> Iterator[Problem]:
    if case.backend == "verl" and case.world.machine is not None:
        broken = frozenset(case.file_key(key) for key in case.broken)
        yield from check_memory(verl_view(case.document, case.world, case.target, broken))


FILE_CHECKS: tuple[Check, ...] = (
    check_names,
    check_required,
    *FIELD_CHECKS,
    check_steps,
    check_devices,
    _memory,
    check_paths,
    check_data,
)
MOST_OF_A_KIND = 300  # problems of one code; more help nobody
_PITFALLS_OF_TEXTS = frozenset(("yaml-exponent",))


def check_document(document: Document, facts: World | None = None, target: str | None = None) -> list[Problem]:
    """Every problem of a file in one pass, sorted by line.

    Args:
        document: the file as read; its own problems are among the answer.
        facts: what is known of paths, data and machine; nothing is looked up here.
        target: ``agentsdk``, ``verl`` or ``local``; None leaves it to the file (see `target_of`).
    """
    if not document.readable:
        return _sorted(document.problems)
    problems = check_directive(document)
    shape = shape_of(document.values)
    if shape == "hydra":
        keys = hydra_keys(document.values)
        place = document.place(keys[0])
        params = {"keys": keys}
        problems.append(Problem("error", "generation-hydra", keys[0], place.line, place.column, params))
        return _sorted([*document.problems, *problems])
    if shape != "agentsdk":
        return _sorted(
            [*document.problems, *problems, Problem("warning", "shape-not-checked", params={"shape": shape})]
        )
    case = Case(document, facts or World(), target or target_of(document))
    if case.generation == "A":
        problems.append(Problem("warning", "generation-older", params={"release": "7.3.0"}))
    for check in FILE_CHECKS:
        problems.extend(check(case))
    return _sorted([*_pitfalls(case, problems), *problems])


def paths_of(document: Document, target: str | None = None) -> dict[str, str]:
    """The paths that a file holds and its software looks at: dotted key as it stands in the file -> path."""
    if not document.readable or shape_of(document.values) != "agentsdk":
        return {}
    case = Case(document, World(), target or target_of(document), validate=False)
    return {
        found.key: found.value
        for key, found in case.found.items()
        if found.parameter.kind == "path" and isinstance(found.value, str) and case.read(key)
    }


def check_key(values: Mapping[str, Any], key: str, target: str = "agentsdk") -> list[Problem]:
    """The problems of one field, and of the relations that mention it; a few milliseconds, without places.

    Args:
        values: the values of the file, nested as the file is.
        key: dotted key.
        target: what will start the file.
    """
    case = Case(Document(None, "", values), World(), target)
    found = [problem for check in FIELD_CHECKS for problem in check(case)]
    return sorted((p for p in found if key in (p.key, *p.related)), key=lambda p: LEVEL_ORDER[p.level])


def _pitfalls(case: Case, problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems found while reading, less those of which a check of the value has said more."""
    refused = {problem.key for problem in problems if problem.level == "error"}
    kinds = {found.key: found.parameter.kind for found in case.found.values()}
    for problem in case.document.problems:
        if problem.code.startswith("yaml") and problem.key in refused:
            continue
        if problem.code in _PITFALLS_OF_TEXTS and kinds.get(problem.key) in ("str", "path"):
            continue  # a text was wanted, and a text it is
        yield problem


def _sorted(problems: Iterable[Problem]) -> list[Problem]:
    """By line; of a kind that never ends only the first ones, and one that counts the rest at the place of the next."""
    kept: list[Problem] = []
    beyond: dict[tuple[str, str], list[Problem]] = {}
    seen: dict[tuple[str, str], int] = {}
    for problem in sorted(problems, key=Problem.sort_key):
        kind = (problem.level, problem.code)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= MOST_OF_A_KIND:
            kept.append(problem)
        else:
            beyond.setdefault(kind, []).append(problem)
    for (level, code), rest in beyond.items():
        first = rest[0]
        params = {"count": len(rest), "code": code}
        kept.append(replace(first, level=cast("Level", level), code="more-of-a-kind", params=params, edits=()))
    return sorted(kept, key=Problem.sort_key)
