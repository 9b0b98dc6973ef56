"""MindSpeed-RL: what it refuses, or breaks on, over its own keys (facts/backends.md 1.3 as amended by corrections)."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Problem
from ...document import Document
from ..case import Case
from ..view_mindspeed import agentsdk_view, mindspeed_view
from ..world import World
from . import agentsdk, batches, dapo, devices, dispatch, machine, model, modes, padding, resharding, rollout, weights
from .names import check_missing, check_names, check_types, check_version
from .rule import Rule
from .seen import Seen

RULES: tuple[Rule, ...] = tuple(
    rule
    for theme in (
        devices,
        batches,
        dispatch,
        padding,
        modes,
        dapo,
        rollout,
        resharding,
        model,
        machine,
        weights,
        agentsdk,
    )
    for rule in theme.RULES
)


def check_native(document: Document, world: World) -> Iterator[Problem]:
    """A file in MindSpeed-RL's own shape."""
    seen = Seen(mindspeed_view(document, world))
    yield from check_version(seen)
    yield from check_names(seen)
    yield from check_missing(seen)
    yield from check_types(seen)
    if seen.stage != "dpo":  # trained by torchrun, without any of what the rules are about
        yield from judge(seen)


def check_agentsdk(case: Case) -> Iterator[Problem]:
    """An AgentSDK file whose back end is MindSpeed-RL; 7.3.0 sets all that the rules look at itself."""
    if case.backend == "mindspeed_rl" and case.target == "agentsdk" and case.generation != "A":
        yield from judge(Seen(agentsdk_view(case)))


def judge(seen: Seen) -> Iterator[Problem]:
    """Every violated relation."""
    for rule in RULES:
        yield from rule.problems(seen)


__all__ = ["RULES", "check_agentsdk", "check_native", "judge"]
