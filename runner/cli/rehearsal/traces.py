"""What a rehearsal has left behind: prompts, rewards and lengths, from its log, its rollouts and its metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...process.follow import metrics_of
from ...process.record import LOG, ROLLOUTS

if TYPE_CHECKING:
    from ...process.record import RunRecord

_CUT = re.compile(rb"Prompt of (\d+) tokens exceeds rollout\.prompt_length=\d+; left-truncating")
_READ = re.compile(rb"(?<!filter )dataset len: (\d+)")
_KEPT = re.compile(rb"filter dataset len: (\d+)")
_SELECTED = re.compile(rb"selected (\d+) random samples out of \d+")
_CLIPPED = "response_length/clip_ratio"
_VALIDATION = ("val-core/", "val-aux/")


@dataclass(frozen=True, slots=True)
class Traces:
    """Numbers of a rehearsal.

    Attributes:
        steps: training steps with metrics.
        prompts: different prompts that were answered.
        cut: how many of the answered prompts were cut from the left; ``longest`` the longest of them, in tokens.
        read: rows of training and validation data that were tokenised to be filtered; ``left_out`` those too long.
        rewards: of every response of the training steps.
        clipped: share of the responses that ran to the limit in the last step; None when it is not known.
        validated: whether validation gave metrics.
    """

    steps: int = 0
    prompts: int = 0
    cut: int = 0
    longest: int = 0
    read: int = 0
    left_out: int = 0
    rewards: tuple[float, ...] = ()
    clipped: float | None = None
    validated: bool = False


def traces_of(record: RunRecord) -> Traces:
    """Read the run directory; what is not there is not counted. Never raises for what it finds."""
    folder = Path(record.directory)
    try:
        log = (folder / LOG).read_bytes()
    except OSError:
        log = b""
    cut = [int(number) for number in _CUT.findall(log)]
    kept = [int(number) for number in _KEPT.findall(log)]
    total = _before_filter(log) if kept else 0
    rows = list(_rollouts(folder / ROLLOUTS))
    data = list(metrics_of(record))
    clipped = [values[_CLIPPED] for _, values in data if values.get(_CLIPPED) is not None]
    rewards = [row["score"] for row in rows if isinstance(row.get("score"), (int, float))]
    return Traces(
        steps=sum(any(key.startswith(("actor/", "critic/")) for key in values) for _, values in data),
        prompts=len({str(row.get("input")) for row in rows}),
        cut=len(cut),
        longest=max(cut, default=0),
        read=total,
        left_out=max(0, total - sum(kept)) if kept else 0,
        rewards=tuple(float(score) for score in rewards),
        clipped=clipped[-1] if clipped else None,
        validated=any(key.startswith(_VALIDATION) for _, values in data for key in values),
    )


def _before_filter(log: bytes) -> int:
    """Rows that went through the filter: of each data set what was selected, else all of it."""
    total, pending = 0, 0
    for line in log.splitlines():
        if (kept := _KEPT.search(line)) is not None:
            total, pending = total + (pending or int(kept[1])), 0
        elif (selected := _SELECTED.search(line)) is not None:
            pending = int(selected[1])
        elif (found := _READ.search(line)) is not None:
            pending = int(found[1])
    return total


def _rollouts(folder: Path) -> Iterator[dict[str, Any]]:
    """What verl itself dumped; a wrapper's trajectories lie beside it under names of their own."""
    for path in sorted(folder.glob("[0-9]*.jsonl")):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                row: Any = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row
