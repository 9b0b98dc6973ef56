"""All checks of a file that holds verl's own keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...catalogue import Problem
from ...document import Document
from ..memory_check import check_memory
from ..target import shape_of
from ..verl import judge_verl
from ..view import View
from ..view_verl import SECTION, verl_view
from ..world import World
from .given import Given, given_keys
from .lacking import check_lacking
from .names import check_names
from .paths import check_data, check_paths, paths_in
from .types import check_types

# What AscendFactory itself reads beside the tree of the back end (document 004; facts/agentsdk.md 7.2).
_OUTSIDE = frozenset(("af_output_dir", "af_model_name", "env", "exp_name", "backend", SECTION))


def check_native(document: Document, world: World, target: str) -> Iterator[Problem]:
    """Names, types, what is lacking, relations, paths and data."""
    prefix = _prefix(document)
    given = list(given_keys(document, prefix))
    view = verl_view(document, world, target)
    misfits = list(check_types(view, given))
    view = _without(view, misfits)
    if prefix:
        yield from _outside(view)
    yield from check_names(view, given)
    yield from (problem for _, problem in misfits)
    yield from check_lacking(view)
    yield from judge_verl(view)
    if world.machine is not None:
        yield from check_memory(view)
    yield from check_paths(view)
    yield from check_data(view)


def check_native_key(document: Document, key: str, target: str) -> Iterator[Problem]:
    """The problems of one field and of the relations that mention it."""
    given = [one for one in given_keys(document, _prefix(document)) if one.key == key]
    view = verl_view(document, World(), target)
    misfits = list(check_types(view, given))
    yield from check_names(view, given)
    yield from (problem for _, problem in misfits)
    yield from judge_verl(_without(view, misfits), key)


def native_paths(document: Document, target: str) -> dict[str, str]:
    """The paths that the file holds and verl looks at."""
    return paths_in(verl_view(document, World(), target))


def _prefix(document: Document) -> str:
    return f"{SECTION}." if shape_of(document.values) == "ascendfactory" else ""


def _without(view: View, misfits: list[tuple[Given, Problem]]) -> View:
    """The view with values that are errors in themselves marked, so that no relation builds on them."""
    wrong = frozenset(one.name for one, problem in misfits if problem.level == "error")
    return replace(view, broken=view.broken | wrong) if wrong else view


def _outside(view: View) -> Iterator[Problem]:
    values: Mapping[str, Any] = view.document.values
    for key in values:
        if key.partition(".")[0] not in _OUTSIDE:
            place = view.document.place(key)
            yield Problem("warning", "native-key-outside", key, place.line, place.column, {"section": SECTION})
    if "af_output_dir" not in values and view.given("data.train_files"):
        yield Problem("warning", "native-output-missing", "af_output_dir")
