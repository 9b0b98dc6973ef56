"""All checks of a file that holds verl's own keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...catalogue import Problem
from ...document import Document
from ...native.tree import prefix_of
from ..memory_check import check_memory
from ..verl import judge_verl
from ..view import View
from ..view_verl import verl_view
from ..world import World
from .given import Given, given_keys
from .lacking import check_lacking
from .names import check_names
from .needed import check_needed
from .outside import check_outside
from .paths import check_data, check_paths, paths_in
from .twice import check_twice
from .types import check_types
from .values import check_values


def check_native(document: Document, world: World, target: str) -> Iterator[Problem]:
    """Names, types, what is lacking, relations, paths and data."""
    prefix = prefix_of(document)
    given = list(given_keys(document, prefix))
    view = verl_view(document, world, target)
    misfits = list(check_types(view, given))
    view = _without(view, misfits)
    if prefix:
        yield from check_outside(document)
    yield from check_names(view, given)
    yield from check_twice(view, given)
    yield from (problem for _, problem in misfits)
    yield from check_lacking(view)
    said = list(judge_verl(view))
    yield from said
    yield from _unsaid(said, check_values(view, given, _names(misfits)))
    if prefix:
        yield from _unsaid(said, check_needed(view))
    if world.machine is not None:
        yield from check_memory(view)
    yield from check_paths(view)
    yield from check_data(view)


def check_native_key(document: Document, key: str, target: str) -> Iterator[Problem]:
    """The problems of one field and of the relations that mention it."""
    given = [one for one in given_keys(document, prefix_of(document)) if one.key == key]
    view = verl_view(document, World(), target)
    misfits = list(check_types(view, given))
    yield from check_names(view, given)
    yield from (problem for _, problem in misfits)
    said = list(judge_verl(_without(view, misfits), key))
    yield from said
    yield from _unsaid(said, check_values(view, given, _names(misfits)))


def native_paths(document: Document, target: str) -> dict[str, str]:
    """The paths that the file holds and verl looks at."""
    return paths_in(verl_view(document, World(), target))


def _names(misfits: list[tuple[Given, Problem]]) -> frozenset[str]:
    return frozenset(one.name for one, _ in misfits)


def _unsaid(said: list[Problem], more: Iterable[Problem]) -> Iterator[Problem]:
    """The problems of keys about which no relation has said more."""
    keys = {problem.key for problem in said if problem.level != "hint"}
    yield from (problem for problem in more if problem.key not in keys)


def _without(view: View, misfits: list[tuple[Given, Problem]]) -> View:
    """The view with values that are errors in themselves marked, so that no relation builds on them."""
    wrong = frozenset(one.name for one, problem in misfits if problem.level == "error")
    return replace(view, broken=view.broken | wrong) if wrong else view
