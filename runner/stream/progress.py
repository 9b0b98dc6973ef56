"""Where a run stands: plain state, fed by events and metric rows, read by any viewer."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from .stages import STAGES, Stage

# The reward of a step, in order of preference: with KL penalty, without it, MindSpeed-RL's, AgentSDK's. MindSpeed-RL's
# grpo/rewards are those after normalisation within the group, so that their mean tells nothing: the score comes first.
REWARD_KEYS: tuple[str, ...] = (
    "critic/rewards/mean",
    "critic/score/mean",
    "grpo/score/mean",
    "env_reward_rewards/mean",
    "grpo/rewards/mean",
    "traj_reward/mean",
    "traj/res_reward_mean",
    "reward/mean",
)
# A verifier of MindSpeed-RL names its own: `base_acc_rewards/mean`.
_VERIFIER = "_rewards/mean"
STEP_TIME_KEYS: tuple[str, ...] = ("timing_s/step", "perf/time_per_step", "timing/all")
_WINDOW = 15
_AT_START = STAGES.index("training")


def reward_of(data: Mapping[str, float]) -> float | None:
    """The mean reward of a step's metrics, or None (a validation row has none)."""
    for key in REWARD_KEYS:
        value = data.get(key)
        if value is not None and math.isfinite(value):
            return value
    own = (value for key, value in data.items() if key.endswith(_VERIFIER) and math.isfinite(value))
    return next(own, None)


def next_stage(current: Stage | None, seen: Stage) -> Stage:
    """The stage after a line that shows ``seen``.

    During the start other workers load weights long after the first one: the start never goes back. Once training
    has begun, only the stages of training count.
    """
    if current is None:
        return seen
    if seen == "validation" and STAGES.index(current) < _AT_START:
        return "initial-validation"
    if current == "finishing" and seen == "training":
        return current  # the bar is redrawn once more after the final validation
    if STAGES.index(seen) < _AT_START and STAGES.index(seen) <= STAGES.index(current):
        return current
    return seen


@dataclass(slots=True)
class Progress:
    """The state of one attempt (or of joined attempts) for a viewer.

    Attributes:
        step: the last step whose metrics are known; ``total`` how many there will be, if known.
        rewards: (step, mean reward) of every step that reported one.
        started: time of the first event seen.
    """

    state: str = "starting"
    stage: Stage | None = None
    step: int | None = None
    total: int | None = None
    first_step: int | None = None
    started: float | None = None
    last_time: float | None = None
    resumed_from: int | None = None
    checkpoint: int | None = None
    rewards: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    _durations: deque[float] = field(default_factory=lambda: deque[float](maxlen=_WINDOW))

    def feed_event(self, event: Mapping[str, Any]) -> None:
        """Take one object of events.jsonl; unknown kinds and fields are ignored."""
        self._seen(event.get("time"))
        kind = event.get("kind")
        if kind == "state":
            self.state = str(event.get("state", self.state))
        elif kind == "stage":
            stage = event.get("stage")
            if stage in STAGES:
                self.stage = stage
            if isinstance(total := event.get("total"), int):
                self.total = total
        elif kind == "checkpoint" and isinstance(step := event.get("step"), int):
            self.checkpoint = step
        elif kind == "resume" and isinstance(step := event.get("step"), int):
            self.resumed_from = step

    def feed_metrics(self, step: int, data: Mapping[str, float], time: float | None = None) -> None:
        """Take one row of metrics.jsonl."""
        before, earlier = self.step, self.last_time
        self._seen(time)
        reward = reward_of(data)
        if reward is not None:
            if self.rewards and step <= self.rewards[-1][0]:
                self.rewards = [pair for pair in self.rewards if pair[0] < step]
            self.rewards.append((step, reward))
        seconds = next((data[key] for key in STEP_TIME_KEYS if math.isfinite(data.get(key, math.nan))), None)
        if seconds is None and time is not None and earlier is not None and before is not None and step == before + 1:
            seconds = time - earlier
        # The first step compiles, captures graphs, fills caches: it tells little about the others.
        if seconds is not None and seconds > 0:
            self._durations.append(seconds)
        if self.first_step is None and (reward is not None or step > 0):
            self.first_step = step
        self.step = step
        if time is not None:
            self.last_time = time
        self.stage = next_stage(self.stage, "training") if step > 0 or reward is not None else self.stage

    def _seen(self, time: Any) -> None:
        if isinstance(time, (int, float)) and self.started is None:
            self.started = float(time)

    @property
    def seconds_per_step(self) -> float | None:
        """Median of the last steps' times; the very first step counts only while it is alone."""
        values = list(self._durations)
        if not values:
            return None
        return median(values[1:] if 1 < len(values) < _WINDOW else values)

    @property
    def seconds_left(self) -> float | None:
        """Time left in seconds, or None while it can't be told."""
        pace = self.seconds_per_step
        if pace is None or self.total is None or self.step is None:
            return None
        return max(self.total - self.step, 0) * pace

    @property
    def reward(self) -> float | None:
        """The last step's mean reward."""
        return self.rewards[-1][1] if self.rewards else None

    def mean_reward(self, count: int, last: bool = True) -> float | None:
        """Mean over the last (or first) ``count`` steps' rewards."""
        chosen = self.rewards[-count:] if last else self.rewards[:count]
        return sum(value for _, value in chosen) / len(chosen) if chosen else None
