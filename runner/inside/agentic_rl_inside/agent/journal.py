"""Trajectories of a run as JSON lines, and their averages as a line of metrics."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .rules import PREFIX
from .session import Outcome
from .trajectory import METRICS


class Journal:
    """``<folder>/trajectories-<pid>.jsonl``, one line a trajectory; docs/contracts.md tells the fields.

    A folder that can't be written to is reported once and costs nothing but the file.
    """

    def __init__(self, folder: str | Path | None) -> None:
        self.path = Path(folder) / f"trajectories-{os.getpid()}.jsonl" if folder else None

    def write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Append lines."""
        if self.path is None:
            return
        text = "".join(json.dumps(entry, ensure_ascii=False, default=str, allow_nan=False) + "\n" for entry in entries)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(text)
        except OSError as error:
            print(f"{PREFIX} warning: trajectories are not written any more: {error}", flush=True)
            self.path = None


def entry(outcome: Outcome, *, step: int, uid: str, session: int, validate: bool | None) -> dict[str, Any]:
    """A line of the journal."""
    line: dict[str, Any] = {
        "time": round(time.time(), 3),
        "step": step,
        "uid": uid,
        "session": session,
        "validate": validate,
        "task": outcome.task.get("id"),
    }
    if outcome.problem is not None:
        return {**line, "problem": outcome.problem.as_data()}
    trajectory, aligned = outcome.trajectory, outcome.aligned
    assert aligned is not None
    return {
        **line,
        "messages": trajectory.chat_completions,
        "reward": float(trajectory.trajectory_reward),
        "metrics": numbers(trajectory.metrics),
        "turns": turns(trajectory),
        "prompt_tokens": len(trajectory.prompt_tokens),
        "response_tokens": len(aligned.tokens),
        "trained_tokens": sum(aligned.mask),
    }


def numbers(metrics: Mapping[str, Any]) -> dict[str, float | None]:
    """The seven metrics as finite numbers; None for what is absent, None or not finite."""
    return {name: _number(metrics.get(name)) for name in METRICS}


def turns(trajectory: Any) -> int:
    """Messages of a trajectory, as verl counts turns; from its steps where it tells no messages."""
    return len(trajectory.chat_completions) or 2 * max(1, int(trajectory.metrics.get("steps") or 1))


def averages(step: int, outcomes: Sequence[Outcome]) -> str:
    """AgentSDK's ``traj/<metric>_{mean,min,max}`` as a line in the format of verl's console logger, "" without any."""
    pieces: list[str] = []
    good = [numbers(outcome.trajectory.metrics) for outcome in outcomes if outcome.problem is None]
    for name in METRICS:
        values = [value for metrics in good if (value := metrics[name]) is not None]
        if values:
            mean = sum(values) / len(values)
            pieces += [f"traj/{name}_mean:{mean:.6g}", f"traj/{name}_min:{min(values):.6g}"]
            pieces += [f"traj/{name}_max:{max(values):.6g}"]
    if not pieces:
        return ""
    failed = sum(outcome.problem is not None for outcome in outcomes)
    return f"step:{step} - " + " - ".join([*pieces, f"traj/failed:{failed}"])


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
