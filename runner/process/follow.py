"""The reading side of a run directory: what viewers poll. It never writes, so a viewer can't harm a run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..stream import JsonLines, Progress, Row, join_attempts, metric_row
from .index import read_run
from .record import ENDED, EVENTS, METRICS, RunRecord

_LOOK_AGAIN = 0.5


class RunFollower:
    """Events and metrics of a run, as they come.

    Attributes:
        record: run.json as last read, ``lost`` when its processes are gone.
        progress: stage, step, pace and rewards so far.
    """

    def __init__(self, directory: str | Path) -> None:
        """Follow a run.

        Raises:
            OSError, ValueError: the directory holds no run.
        """
        self.directory = Path(directory)
        self.record: RunRecord = read_run(directory)
        self.progress = Progress(total=self.record.total_steps)
        self._events = JsonLines(self.directory / EVENTS)
        self._metrics = JsonLines(self.directory / METRICS)
        self._looked = 0.0

    @property
    def ended(self) -> bool:
        """Whether the run has ended; all its rows had been written before, so one more ``poll`` gets the rest."""
        return self.record.state in ENDED

    def poll(self) -> Iterator[dict[str, Any]]:
        """New objects since the last call, by time; a metrics row has the kind ``metrics``.

        ``progress`` takes each one before it is handed out, so it stands at that very event.
        """
        now = time.monotonic()
        if now - self._looked >= _LOOK_AGAIN and not self.ended:
            self._looked = now
            self.record = read_run(self.directory)
        found = self._events.read()
        rows = [{"kind": "metrics", **row} for row in self._metrics.read()]
        found = sorted(found + rows, key=lambda one: _time(one)) if found and rows else found + rows
        if self.record.total_steps:
            self.progress.total = self.record.total_steps
        for one in found:
            if one.get("kind") != "metrics":
                self.progress.feed_event(one)
            elif row := metric_row(one):
                self.progress.feed_metrics(row[0], row[1], _time(one))
            yield one
        self.progress.state = self.record.state


def _time(row: dict[str, Any]) -> float:
    value: Any = row.get("time")
    return float(value) if isinstance(value, (int, float)) else 0.0


def progress_of(record: RunRecord) -> Progress:
    """The progress of a run, read once."""
    follower = RunFollower(record.directory)
    deque(follower.poll(), maxlen=0)
    return follower.progress


def metrics_of(record: RunRecord, attempts: bool = True) -> list[Row]:
    """All metric rows of a run by step, with those of the attempts that it continues (they are joined)."""
    chain: list[RunRecord] = [record]
    seen = {record.directory}
    while attempts and chain[-1].previous and chain[-1].previous not in seen:
        seen.add(chain[-1].previous)
        try:
            chain.append(RunRecord.read(chain[-1].previous))
        except (OSError, ValueError):
            break
    return join_attempts(rows_of(one.directory) for one in reversed(chain))


def rows_of(directory: str | Path) -> list[Row]:
    """The rows of one metrics.jsonl, as they were written."""
    found = (metric_row(row) for row in JsonLines(Path(directory) / METRICS).read())
    return [row for row in found if row]
