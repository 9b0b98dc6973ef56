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
    check_nodes,
    check_wrapper,
)
from .data import check_data
from .effects import check_effects
from .foreign import check_flat, check_hydra, check_mindspeed_file
from .memory_check import check_memory
from .mindspeed import check_agentsdk
from .mindspeed.factory import check_factory, tree_of
from .names import check_names
from .native import check_native, check_native_key, check_outside, native_paths
from .places import check_paths
from .relation import judge_all
from .relations_wrapper import WRAPPER_RELATIONS
from .required import check_required
from .target import check_directive, native_backend, shape_of, target_of
from .verl import judge_verl
from .view_verl import verl_view
from .world import World
from .wrapper import check_wrapper_file

Check = Callable[[Case], Iterator[Problem]]

# Those that a key press may run: values only, no facts.
FIELD_CHECKS: tuple[Check, ...] = (
    lambda case: iter(case.value_problems),
    check_effects,
    check_clip_bounds,
    check_critic,
    check_nodes,
    check_agentsdk,
    check_wrapper,
    lambda case: judge_all(case, WRAPPER_RELATIONS),
)


def _memory(case: Case) -> Iterator[Problem]:
    if case.backend == "verl" and case.world.machine is not None:
        broken = frozenset(case.file_key(key) for key in case.broken)
        yield from check_memory(verl_view(case.document, case.world, case.target, broken))


FILE_CHECKS: tuple[Check, ...] = (
    check_names,
    check_required,
    *FIELD_CHECKS,
    check_devices,
    _memory,
    check_paths,
    check_data,
    check_wrapper_file,
)
MOST_OF_A_KIND = 300  # problems of one code; more help nobody
_STARTERS = {"agentsdk": "agentic_rl", "verl": "verl", "local": "verl"}
_PITFALLS_OF_TEXTS = frozenset(("yaml-exponent",))


def check_document(document: Document, facts: World | None = None, target: str | None = None) -> list[Problem]:
    """Every problem of a file in one pass, sorted by line.

    Args:
        document: the file as read; its own problems are among the answer.
        facts: what is known of paths, data and machine; nothing is looked up here.
        target: one of `TARGETS`; None leaves it to the file (see `target_of`).
    """
    if not document.readable:
        return _sorted(document.problems)
    problems = check_directive(document)
    shape = shape_of(document.values)
    world, target = facts or World(), target or target_of(document)
    if shape == "hydra":
        return _sorted([*document.problems, *problems, *check_hydra(document, world, target)])
    if shape == "mindspeed-rl" or target == "mindspeed-rl":
        return _sorted([*problems, *check_mindspeed_file(document, world, target)])
    if shape != "agentsdk":
        return _sorted([*problems, *_native(document, world, target, shape)])
    case = Case(document, world, target)
    problems.extend(check_flat(case))
    for check in FILE_CHECKS:
        problems.extend(check(case))
    problems.extend(_relations(case))
    return _sorted([*_pitfalls(case, problems), *problems])


def _native(document: Document, world: World, target: str, shape: str) -> Iterator[Problem]:
    """A file that holds the keys of a back end itself."""
    # verl's loader reads 1e-6 as the number that is meant.
    yield from (problem for problem in document.problems if problem.code not in _PITFALLS_OF_TEXTS)
    backend = native_backend(document.values)
    if backend == "mindspeed-rl" and tree_of(document) is not None:
        if target not in ("ascendfactory", "mindspeed-rl"):
            yield Problem("error", "shape-not-for-target", params={"shape": shape, "target": _STARTERS[target]})
        yield from check_outside(document)
        yield from check_factory(document, world)
        return
    if backend != "verl":
        yield Problem("warning", "shape-not-checked", params={"shape": shape})
        return
    if target == "agentsdk":
        yield Problem("error", "shape-not-for-target", params={"shape": shape, "target": "agentic_rl"})
    yield from check_native(document, world, target if target != "agentsdk" else "verl")


def _relations(case: Case, only: str | None = None) -> Iterator[Problem]:
    """The relations of the training software, judged over its own keys."""
    if case.backend != "verl" or case.generation == "A":
        return
    found = {key: (one.key, one.value) for key, one in case.found.items()}
    broken = frozenset(case.file_key(key) for key in case.broken)
    yield from judge_verl(verl_view(case.document, case.world, case.target, broken, found), only)


def paths_of(document: Document, target: str | None = None) -> dict[str, str]:
    """The paths that a file holds and its software looks at: dotted key as it stands in the file -> path."""
    if not document.readable:
        return {}
    if shape_of(document.values) != "agentsdk":
        native = native_backend(document.values) == "verl"
        return native_paths(document, target or target_of(document)) if native else {}
    case = Case(document, World(), target or target_of(document), validate=False)
    return {
        found.key: found.value
        for key, found in case.found.items()
        if found.parameter.kind == "path"
        and isinstance(found.value, str)
        and case.read(key)
        # 7.3.0 takes the beginning of the names of six files there, which need not be a path of its own.
        and not (case.generation == "A" and found.key == "data_path")
    }


def check_key(values: Mapping[str, Any], key: str, target: str = "agentsdk") -> list[Problem]:
    """The problems of one field, and of the relations that mention it; a few milliseconds, without places.

    Args:
        values: the values of the file, nested as the file is.
        key: dotted key.
        target: what will start the file.
    """
    document = Document(None, "", values)
    if shape_of(values) != "agentsdk":
        native = native_backend(values) == "verl"
        problems = list(check_native_key(document, key, target)) if native else []
        return sorted((p for p in problems if key in (p.key, *p.related)), key=lambda p: LEVEL_ORDER[p.level])
    case = Case(document, World(), target)
    found = [problem for check in FIELD_CHECKS for problem in check(case)]
    found.extend(_relations(case, key))
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
