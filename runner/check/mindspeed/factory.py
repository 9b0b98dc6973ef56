"""An AscendFactory file whose back end is MindSpeed-RL: the tree below its section, judged as a file of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from ...catalogue import Problem
from ...catalogue.ascendfactory import PREFIX, TREE
from ...document import Document
from ..world import World
from . import check_native

_NAMES = frozenset(("first", "second", "third", "fourth", "fifth"))  # params that hold keys of the file


def check_factory(document: Document, world: World) -> Iterator[Problem]:
    """The problems of the tree, under the names that the whole file has for its keys; none without a tree."""
    inner = tree_of(document)
    if inner is None:
        return
    weights = {key.removeprefix(PREFIX): facts for key, facts in world.weights.items()}
    for problem in check_native(inner, replace(world, weights=weights)):
        yield _outward(problem)


def tree_of(document: Document) -> Document | None:
    """The section as a document, with the places that its keys have in the whole file."""
    tree: Any = document.values.get(TREE)
    place = document.root.at((TREE,))
    if not isinstance(tree, Mapping) or place is None:
        return None
    values = {str(key): value for key, value in cast("Mapping[Any, Any]", tree).items()}
    return replace(document, values=values, root=place, problems=())


def _outward(problem: Problem) -> Problem:
    params = {
        name: f"{PREFIX}{value}" if name in _NAMES and isinstance(value, str) else value
        for name, value in problem.params.items()
    }
    return replace(
        problem,
        key=f"{PREFIX}{problem.key}" if problem.key else TREE,
        params=params,
        edits=tuple(replace(edit, key=f"{PREFIX}{edit.key}") for edit in problem.edits),
        related=tuple(f"{PREFIX}{key}" for key in problem.related),
    )
