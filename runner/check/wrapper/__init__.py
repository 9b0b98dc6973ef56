"""Judges the source of an agent wrapper: what AgentSDK refuses is an error, what it merely breaks on elsewhere less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from ...catalogue import Problem
from ...catalogue.problem import LEVEL_ORDER
from ..case import Case
from .habits import judge_habits, judge_steps, judge_tasks
from .imports import judge_annotations, judge_imports
from .methods import judge_constructor, judge_methods
from .setting import Mistake, Setting
from .source import judge_classes, judge_presence, judge_reading
from .trajectories import judge_trajectories

KEY = "agent_engine_wrapper_path"
_JUDGES: tuple[Callable[[Setting], Iterator[Mistake]], ...] = (
    judge_classes,
    judge_presence,
    judge_methods,
    judge_constructor,
    judge_trajectories,
    judge_imports,
    judge_annotations,
    judge_tasks,
    judge_steps,
    judge_habits,
)


def judge_wrapper(setting: Setting) -> list[Mistake]:
    """Everything that is wrong with a wrapper, by line."""
    found = list(judge_reading(setting))
    if not setting.facts.problem and not any(one.code == "wrapper-syntax" for one in found):
        for judge in _JUDGES:
            found.extend(judge(setting))
    return sorted(found, key=lambda one: (one.line, LEVEL_ORDER[one.level]))


def check_wrapper_file(case: Case) -> Iterator[Problem]:
    """The wrapper that a file names, at the parameter that names it."""
    found, facts = case.found.get(KEY), case.world.wrapper
    if found is None or facts is None or facts.problem == "missing" or KEY in case.broken:
        return
    keys = case.value("dataset_additional_keys")
    setting = Setting(
        facts,
        case.target,
        case.generation[0],
        case.backend,
        tuple(str(one) for one in cast("list[Any]", keys)) if isinstance(keys, list) else None,
        case.value("use_stepwise_advantage") is True,
        case.world.training,
    )
    for one in judge_wrapper(setting):
        yield case.problem(one.level, one.code, found.key, one.params, related=one.related)


__all__ = ["KEY", "Mistake", "Setting", "check_wrapper_file", "judge_wrapper"]
