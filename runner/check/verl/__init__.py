"""Relations between verl's own keys, each for the versions it holds for (facts/backends.md 2.3, corrections)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...catalogue import Problem
from ..view import View
from .algorithm import ALGORITHM
from .batches import BATCHES
from .dataset import DATASETS
from .lengths import LENGTHS
from .machine import MACHINES
from .micro_batches import MICRO_BATCHES
from .parallel import PARALLEL
from .relation import Finding, Relation
from .resume import RESUMES
from .rollout import ROLLOUTS
from .trainer import TRAINERS
from .wrapper import WRAPPER

VERL_RELATIONS: tuple[Relation, ...] = (
    *BATCHES, *MICRO_BATCHES, *PARALLEL, *LENGTHS, *ALGORITHM, *ROLLOUTS,
    *RESUMES, *TRAINERS, *DATASETS, *MACHINES, *WRAPPER,
)  # fmt: skip

__all__ = ["VERL_RELATIONS", "Finding", "Relation", "judge_verl"]


@lru_cache(maxsize=1)
def _by_key() -> dict[str, tuple[Relation, ...]]:
    found: dict[str, list[Relation]] = {}
    for relation in VERL_RELATIONS:
        for key in relation.keys:
            found.setdefault(key, []).append(relation)
    return {key: tuple(relations) for key, relations in found.items()}


def judge_verl(view: View, only: str | None = None) -> Iterator[Problem]:
    """Every violated relation.

    Args:
        view: the file as verl sees it.
        only: a key of the file; the relations that do not mention it are left alone.
    """
    relations: tuple[Relation, ...] = VERL_RELATIONS
    if only is not None:
        mentioned = {r for key, of_key in _by_key().items() if view.file_key(key) == only for r in of_key}
        relations = tuple(r for r in VERL_RELATIONS if r in mentioned)
    for relation in relations:
        yield from relation.judged(view)
