"""What the trajectories of a step amount to, row by row and in a few numbers, under names like those of metrics.

For charts of turns, tool time and reward parts where the back end reports no such metric (verl's V1 trainer reports
turns only). Memory is a few numbers a step, whatever the dumps hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .rollout_types import CORRECT, Rollout

_PARTS = ("res_reward", "toolcall_reward", "format_reward", "format")


class Totals:
    """Sums over the trajectories of a step.

    Attributes:
        count: trajectories.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sums: dict[str, float] = {}
        self._counts: dict[str, int] = {}
        self._most = 0
        self._groups: dict[str, tuple[bool, bool]] | None = {}
        self._outcomes: dict[str, float] = {}

    def add(self, one: Rollout) -> None:
        """Take a trajectory."""
        self.count += 1
        times = one.times
        self._take("turns", one.steps)
        self._take("tool_calls", one.tool_calls)
        for name, value in (("model", times.model), ("tool", times.tool), ("reward", times.reward),
                            ("total", times.total)):  # fmt: skip
            self._take(f"{name}_time", value)
        for name in _PARTS:
            self._take(name, one.parts.get(name))
        self._take("acc", next((one.parts[name] for name in CORRECT if name in one.parts), None))
        self._most = max(self._most, one.steps or 0)
        solved = one.solved
        if self._groups is not None and solved is not None:
            every, some = self._groups.get(one.group, (True, False))
            self._groups[one.group] = (every and solved, some or solved)

    def _take(self, name: str, value: float | None) -> None:
        if value is not None and math.isfinite(value):
            self._sums[name] = self._sums.get(name, 0.0) + value
            self._counts[name] = self._counts.get(name, 0) + 1

    def close(self) -> None:
        """Forget the prompts: nothing more comes for this step."""
        self._outcomes = self._of_groups()
        self._groups = None

    def _of_groups(self) -> dict[str, float]:
        if self._groups is None:
            return self._outcomes
        every = sum(every for every, _ in self._groups.values())
        none = sum(not some for _, some in self._groups.values())
        # A prompt that was tried once is all or nothing; that teaches nobody anything.
        if len(self._groups) == self.count or not self._groups:
            return {}
        return {"rollouts/solve_all": float(every), "rollouts/solve_none": float(none),
                "rollouts/solve_partial": float(len(self._groups) - every - none)}  # fmt: skip

    def data(self) -> Mapping[str, float]:
        """``rollouts/<name>/mean`` of what was told, ``rollouts/turns/max``, and prompts by outcome."""
        found = {f"rollouts/{name}/mean": total / self._counts[name] for name, total in self._sums.items()}
        if "turns" in self._sums:
            found["rollouts/turns/max"] = float(self._most)
        return {**found, **self._of_groups()}
