"""What is known about the run on the screen.

Files are read in a thread (`RunFiles.read`), the result is applied in the screen's thread (`RunModel.apply`), so
neither needs a lock.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...runner.process.follow import metrics_of
from ...runner.process.index import read_run
from ...runner.process.record import DEVICES, ENDED, EVENTS, LOG, METRICS, RunRecord
from ...runner.process.rollout_places import rollout_places, why_none
from ...runner.stream import JsonLines, Progress, Row, join_attempts, metric_row
from ...runner.stream.rollouts import Place
from .device_history import DeviceHistory
from .devices import read_sample
from .failure import Failure, failure_of_event
from .metrics import MetricStore

TimedRow = tuple[int, dict[str, float], "float | None"]
HISTORY = 600


@dataclass(slots=True)
class News:
    """What reading the files of a run brought."""

    record: RunRecord | None = None
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rows: list[TimedRow] = field(default_factory=list[TimedRow])
    devices: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    restarted: bool = False
    vanished: bool = False

    def __bool__(self) -> bool:
        """Whether there is anything to show that wasn't there before."""
        return bool(self.record or self.events or self.rows or self.devices or self.vanished)


class RunFiles:
    """The files of a run directory, read as they grow."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._events = JsonLines(directory / EVENTS)
        self._metrics = JsonLines(directory / METRICS)
        self._devices = JsonLines(directory / DEVICES)
        self.history = DeviceHistory()
        self._stamp: tuple[int, int] = (0, 0)

    def read(self) -> News:
        """Everything that is new since the last call. Never raises: a vanished directory is news as well."""
        news = News(vanished=not self.directory.is_dir())
        news.record = self._read_record()
        news.events = self._events.read()
        for line in self._metrics.read():
            row = metric_row(line)
            if row is not None:
                stamp = line.get("time")
                news.rows.append((*row, float(stamp) if isinstance(stamp, (int, float)) else None))
        for rows in self._devices.pieces():
            for row in rows:
                self.history.add(read_sample(row))
            news.devices = (news.devices + rows)[-HISTORY:]
        return news

    def _read_record(self) -> RunRecord | None:
        try:
            record = read_run(self.directory)
        except (OSError, ValueError, TypeError):
            return None
        return record


def earlier_attempts(record: RunRecord) -> list[Row]:
    """The joined metrics of the attempts that a run continues; none where they can't be read."""
    try:
        return metrics_of(RunRecord.read(record.previous)) if record.previous else []
    except (OSError, ValueError, TypeError):
        return []


class RunModel:
    """The run on the screen.

    Attributes:
        log: the log file; ``directory`` None where only a log is shown.
        record: run.json, None where only a log is shown.
        progress: step, total, stage, pace, rewards, checkpoint.
        vanished: the run directory is gone.
    """

    def __init__(self, log: Path, directory: Path | None = None, record: RunRecord | None = None) -> None:
        self.log = log
        self.directory = directory
        self.record = record
        self.metrics = MetricStore()
        self.progress = Progress()
        self.failure: Failure | None = None
        self.validation: list[str] = []
        self.devices: deque[dict[str, Any]] = deque(maxlen=HISTORY)
        self.vanished = False
        self._first_row = True
        self._totals: dict[int, int] = {}
        if record is not None:
            self._take_record(record)

    @property
    def state(self) -> str:
        """The state of run.json; ``log`` where only a log is shown."""
        return self.record.state if self.record else "log"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.record is not None and self.record.state in ENDED

    @property
    def elapsed(self) -> float | None:
        """Seconds since the start, until now or until the end."""
        record = self.record
        if record is None or not (record.started or record.created):
            return None
        end = record.ended or (now() if not self.ended else 0)
        return max(0.0, end - (record.started or record.created)) if end else None

    def apply(self, news: News) -> None:
        """Take what was read."""
        self.vanished = news.vanished
        if news.record is not None:
            self._take_record(news.record)
        for event in news.events:
            self._take_event(event)
        for step, data, stamp in news.rows:
            self.take_metrics(step, data, stamp)
        self.devices.extend(news.devices)

    def take_earlier(self, rows: list[Row]) -> None:
        """Put the metrics of earlier attempts before those of this one."""
        own = [(step, dict(self.metrics.row(step))) for step in self.metrics.steps]
        self.metrics.start_over(join_attempts([rows, own]))

    def take_metrics(self, step: int, data: Mapping[str, float], stamp: float | None = None) -> None:
        """Take one row of metrics."""
        if self._first_row:
            self._first_row = False
            self.metrics.cut(step)
        self.metrics.add(step, data)
        self.progress.feed_metrics(step, data, stamp)

    def take_totals(self, totals: Mapping[int, tuple[int, Mapping[str, float]]]) -> None:
        """Put what the trajectories of a step amount to beside its metrics, once it has some."""
        for step, (count, data) in totals.items():
            row = self.metrics.row(step)
            if row and data and (self._totals.get(step) != count or not data.keys() <= row.keys()):
                self._totals[step] = count
                self.metrics.add(step, data)

    def _take_record(self, record: RunRecord) -> None:
        self.record = record
        self.progress.state = record.state
        if record.total_steps is not None:
            self.progress.total = record.total_steps
        if record.resumed_step and self.progress.resumed_from is None:
            self.progress.resumed_from = record.resumed_step

    def _take_event(self, event: Mapping[str, Any]) -> None:
        self.progress.feed_event(event)
        if event.get("kind") == "failure":
            self.failure = self.failure or failure_of_event(event)  # the first cause, not the last noise


def now() -> float:
    """The time of day; tests stop it."""
    return time.time()


def model_of_directory(directory: Path) -> RunModel:
    """The model of a run directory.

    Raises:
        OSError, ValueError: run.json can't be read.
    """
    return RunModel(directory / LOG, directory, read_run(directory))


def rollouts_of(model: RunModel) -> list[list[Place]]:
    """Where the trajectories of a run and of the attempts that it continues are; reads small files."""
    return rollout_places(model.record) if model.record is not None else []


def rollouts_missing(model: RunModel) -> tuple[str, str]:
    """Why a run has no trajectories (a code), and the name of its back end."""
    return (why_none(model.record), model.record.backend) if model.record is not None else ("log", "")
