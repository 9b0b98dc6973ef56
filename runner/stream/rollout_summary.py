"""What a step's trajectories amount to, and how they are put in order and chosen."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from .rollout_types import Entry

Sort = Literal["order", "reward", "worst", "turns"]
SORTS: tuple[Sort, ...] = ("order", "reward", "worst", "turns")
Only = Literal["all", "failed", "solved"]
ONLY: tuple[Only, ...] = ("all", "failed", "solved")


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers of a step; None where no trajectory tells.

    Attributes:
        count, broken: trajectories, and lines that are none.
        solved: share of those that tell whether they were solved, 0..1.
        groups: prompts; ``all_solved`` and ``none_solved`` of them teach nothing to GRPO.
        turns, most_turns, tool_calls: of the model.
        model_time, tool_time: mean seconds; ``tool_share`` of both together, 0..1.
    """

    count: int = 0
    broken: int = 0
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    solved: float | None = None
    groups: int = 0
    all_solved: int = 0
    none_solved: int = 0
    turns: float | None = None
    most_turns: int | None = None
    tool_calls: float | None = None
    model_time: float | None = None
    tool_time: float | None = None
    tool_share: float | None = None


def summary_of(entries: Sequence[Entry]) -> Summary:
    """The summary of a step's trajectories."""
    whole = [one for one in entries if not one.broken]
    rewards = [one.reward for one in whole if one.reward is not None and math.isfinite(one.reward)]
    known = [one.solved for one in whole if one.solved is not None]
    groups: dict[int, list[bool]] = defaultdict(list)
    for one in whole:
        groups[one.group].append(bool(one.solved))
    turns = [one.steps for one in whole if one.steps is not None]
    model, tool = _mean(one.times.model for one in whole), _mean(one.times.tool for one in whole)
    both = (model or 0.0) + (tool or 0.0)
    return Summary(
        count=len(whole),
        broken=len(entries) - len(whole),
        mean=fmean(rewards) if rewards else None,
        low=min(rewards, default=None),
        high=max(rewards, default=None),
        solved=sum(known) / len(known) if known else None,
        groups=len(groups),
        all_solved=sum(all(one) for one in groups.values()) if known else 0,
        none_solved=sum(not any(one) for one in groups.values()) if known else 0,
        turns=fmean(turns) if turns else None,
        most_turns=max(turns, default=None),
        tool_calls=_mean(one.tool_calls for one in whole),
        model_time=model,
        tool_time=tool,
        tool_share=tool / both if tool is not None and model is not None and both > 0 else None,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def sort_entries(entries: Iterable[Entry], by: Sort) -> list[Entry]:
    """In the order of the dump, the best reward first, the worst first, or the most turns first.

    What has no (finite) reward or no known turns comes last, and equal ones stay in the order of the dump.
    """
    if by == "order":
        return list(entries)
    return sorted(entries, key=lambda one: _rank(one, by))


def _rank(one: Entry, by: Sort) -> tuple[bool, float]:
    value = one.steps if by == "turns" else one.reward
    if value is None or not math.isfinite(value):
        return True, 0.0
    return False, value if by == "worst" else -value


def only_entries(entries: Iterable[Entry], only: Only) -> list[Entry]:
    """All, those that failed, or those that were solved; lines that are no trajectory count as failed."""
    if only == "all":
        return list(entries)
    return [one for one in entries if (one.broken or one.solved is False if only == "failed" else one.solved)]
