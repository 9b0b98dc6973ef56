"""Tasks and their keys, steps, and what works on a desk only."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Level
from .setting import Mistake, Setting, mistake

_VERL_KEYS = frozenset(("id", "question", "ground_truth"))
_KEYS_KEY = "dataset_additional_keys"


def judge_tasks(setting: Setting) -> Iterator[Mistake]:
    """The keys of a task differ between the back ends (facts/agentsdk.md 4)."""
    for read in setting.facts.task_keys:
        level: Level = "error" if read.sure else "warning"
        if not setting.backend:
            if read.key in ("question", "ground_truth"):
                yield mistake(setting, "hint", "wrapper-not-portable", read.line, key_name=read.key)
        elif not setting.sdk or setting.generation == "A":
            continue  # what stands in for AgentSDK offers the keys of both; 7.3.0 hands over every column
        elif setting.backend == "verl" and read.key not in _VERL_KEYS:
            has = sorted(_VERL_KEYS)
            yield mistake(setting, level, "wrapper-task-key", read.line, key_name=read.key, has=has)
        elif setting.backend == "mindspeed_rl" and setting.keys and read.key not in ("id", *setting.keys):
            has, related = ["id", *setting.keys], (_KEYS_KEY,)
            yield mistake(setting, level, "wrapper-task-key", read.line, related=related, key_name=read.key, has=has)


def judge_steps(setting: Setting) -> Iterator[Mistake]:
    """An advantage for each step needs trajectories that have steps, on MindSpeed-RL only."""
    steps, wanted = setting.facts.steps, setting.stepwise
    if setting.backend == "mindspeed_rl" and wanted and not steps and setting.facts.calls:
        related = ("use_stepwise_advantage",)
        yield mistake(setting, "warning", "wrapper-stepwise", setting.facts.calls[0].line, related=related)


def judge_habits(setting: Setting) -> Iterator[Mistake]:
    """Processes, exits, questions and the like; of each kind the first."""
    told: set[str] = set()
    for habit in setting.facts.habits:
        if habit.kind in told:
            continue
        told.add(habit.kind)
        ends = habit.kind in ("exit", "raise") and habit.place == "top"
        level: Level = "error" if ends else "warning" if habit.kind in ("exit", "input", "ray") else "hint"
        if habit.kind == "raise" and not ends:
            continue
        yield mistake(setting, level, f"wrapper-habit-{habit.kind}", habit.line, call=habit.what)
