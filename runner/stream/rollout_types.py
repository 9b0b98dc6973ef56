"""What a trajectory of a rollout is here, whoever wrote it down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a trajectory.

    Attributes:
        role: ``system``, ``user``, ``assistant``, ``tool``, or what the back end calls it; "" where nothing tells.
        text: what was said; tool calls stand in it as ``<tool_call>`` blocks.
        model: the model being trained wrote it in this trajectory (examples in the prompt are not its own).
    """

    role: str
    text: str
    model: bool = False


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of a trajectory; None where nobody measured."""

    model: float | None = None
    tool: float | None = None
    reward: float | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Rollout:
    """One trajectory.

    Attributes:
        step: training step; -1 where neither the row nor the file's name tells it.
        group: what trajectories of the same prompt have in common.
        turns: every message, oldest first. A text whose chat template is not recognised is one turn without a role.
        reward: the score that was trained on, perhaps nan; None where there is none.
        parts: named numbers that the reward function reported beside it.
        steps: how many turns the model took; None where it can't be told.
        tool_calls: calls in the model's turns; None where the text has no recognisable turns.
        solved: ``acc`` or the like above 0.5, else the reward above 0.5; None where there is neither.
        info: whatever else the row says, as text.
        problem: why there is no trajectory: the rule that the agent broke, and how; "" where there is one.
    """

    step: int
    group: str
    prompt: str
    response: str
    turns: tuple[Turn, ...] = ()
    reward: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
    steps: int | None = None
    tool_calls: int | None = None
    times: Times = Times()
    validation: bool = False
    ground_truth: str = ""
    info: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: str = ""

    @property
    def solved(self) -> bool | None:
        """Whether the task was solved, as far as the row tells."""
        return False if self.problem else solved_of(self.reward, self.parts)


# What reward functions call "right": verl's own (acc), and what users write.
CORRECT = ("acc", "accuracy", "is_correct", "correct", "success", "solved")


def solved_of(reward: float | None, parts: Mapping[str, float]) -> bool | None:
    """Above 0.5 in the first of `CORRECT` that is reported, else in the reward; None where nothing finite is."""
    for value in (*(parts.get(name) for name in CORRECT), reward):
        if value is not None and math.isfinite(value):
            return value > 0.5
    return None


@dataclass(frozen=True, slots=True)
class Entry:
    """A trajectory in a list: everything short, and where its text is.

    Attributes:
        index: its place in the step, from 0.
        group: number of its prompt in the step, from 1.
        file, offset, size: the line that holds it (``file`` numbers the files of a `RolloutStore`).
        asked, answered: beginning of what was asked and end of what was said, one line each.
        broken: the line is no trajectory (not JSON, too long); only its place is known.
    """

    step: int
    index: int
    group: int
    file: int
    offset: int
    size: int
    reward: float | None = None
    steps: int | None = None
    tool_calls: int | None = None
    times: Times = Times()
    validation: bool = False
    solved: bool | None = None
    asked: str = ""
    answered: str = ""
    broken: bool = False


@dataclass(frozen=True, slots=True)
class StepInfo:
    """A step that has trajectories; ``validation`` steps are counted apart from those that were trained on."""

    step: int
    validation: bool = False
