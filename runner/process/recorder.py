"""Turns train.log (and verl's own metrics file) into metrics.jsonl and events.jsonl while a run lives."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..stream import (
    METRIC_WORDS,
    GrowingFile,
    JsonLines,
    LineSplitter,
    MetricReader,
    Stage,
    checkpoint_of,
    clean_line,
    finite_or_none,
    metric_row,
    next_stage,
    resume_of,
    stage_of,
    total_of_metric_line,
    total_steps_of,
)
from .logfile import JsonAppender
from .record import EVENTS, LOG, METRICS

# verl writes a step to the console first, then to its file; this long a console line waits for its better twin.
_WAIT_FOR_FILE = 2.0
# The agent wrapper's averages (inside/agent/journal.py) are told when a step has been played, long before it is
# trained: they wait for the step's own row and become part of it.
_AGENT = "traj/"
# A line that holds none of these says nothing to us. Bytes and `in`: a log may be thousands of warnings a second.
_WORTH_READING = (
    b"step",
    b"iteration",
    b"heckpoint",
    b"Training Progress",
    b"Resuming",
    b"validation",
    b"worker group",
    b"FSDP",
    b"Loading",
    b"nitialized",
    b"LLM",
    b"Ray",
    b"ray",
    b"configuration checks",
    b"ready to fit",
    b"training is done",
    b"training finished",
    b"Epoch ",
    b"actor update",
    b"success",
    *METRIC_WORDS,
)


@dataclass(slots=True)
class Facts:
    """What run.json takes over from the log."""

    total_steps: int | None = None
    resumed_step: int = 0


class Recorder:
    """Reads what is new at each ``poll``; all its state can be rebuilt from the run directory.

    Attributes:
        facts: totals found so far; ``offset``: how far train.log has been read, at the start of a line.
    """

    def __init__(self, directory: Path, metrics_file: str = "", offset: int = 0) -> None:
        self._log = GrowingFile(directory / LOG, offset)
        self._splitter = LineSplitter()
        self._reader = MetricReader()
        self._file = JsonLines(directory / metrics_file) if metrics_file else None
        self._metrics = JsonAppender(directory / METRICS)
        self._events = JsonAppender(directory / EVENTS)
        self._stage: Stage | None = None
        self._validated: set[int] = set()
        self._resumed: set[int] = set()
        self._waiting: dict[int, list[tuple[float, dict[str, float]]]] = {}
        # Which channel delivered a step first; the other one is not listened to for that step.
        self._owner: dict[int, str] = {}
        self._of_agent: dict[int, dict[str, float]] = {}
        # Rows written before a supervisor was killed; its successor may read their lines once more.
        self._restored: set[tuple[int, frozenset[str]]] = set()
        self.facts = Facts()
        self._restore(directory)

    @property
    def offset(self) -> int:
        """Where a new recorder may go on."""
        return self._log.offset - self._splitter.open_bytes

    @property
    def position(self) -> int:
        """How many bytes of train.log have been read."""
        return self._log.offset

    def _restore(self, directory: Path) -> None:
        for row in JsonLines(directory / METRICS).read():
            if found := metric_row(row):
                self._owner[found[0]] = str(row.get("source", "console"))
                self._restored.add((found[0], frozenset(found[1])))
        for event in JsonLines(directory / EVENTS).read():
            kind, step = event.get("kind"), event.get("step")
            if kind == "stage":
                self._stage = event.get("stage")
            elif kind == "validation" and isinstance(step, int):
                self._validated.add(step)
            elif kind == "resume" and isinstance(step, int):
                self._resumed.add(step)

    def poll(self, last: bool = False) -> bool:
        """Take what is new; True while there may be more at once. ``last``: nothing will follow."""
        data = self._log.read()
        lines = self._splitter.feed(data)
        if last and not data:
            lines += self._splitter.close()
        for line in lines:
            if any(word in line for word in _WORTH_READING):
                try:
                    self._take(line)
                except Exception:  # one odd line must not end the supervision of a run
                    traceback.print_exc()
        self._take_file()
        self._flush_waiting(force=last)
        self._metrics.flush()
        self._events.flush()
        return bool(data)

    def event(self, kind: str, **fields: Any) -> None:
        """Write one event."""
        self._events.write({"time": round(time.time(), 3), "kind": kind, **fields})

    def close(self) -> None:
        """Close the files."""
        self._metrics.close()
        self._events.close()

    def _take(self, raw: bytes) -> None:
        line = clean_line(raw)
        # All of it may be on one line: a step is often glued to a bar.
        total = total_of_metric_line(line) or total_steps_of(line)
        if total and total != self.facts.total_steps:
            # Told at once, before the row of a step: a viewer wants "1 of 25" from the first step on.
            self.facts.total_steps = total
            self._stage = self._stage or "starting"
            self.event("stage", stage=self._stage, total=total)
        if row := self._reader.read(line):
            self._console_row(*row)
        if saved := checkpoint_of(line):
            self.event("checkpoint", step=saved[0], path=saved[1])
        if (resumed := resume_of(line)) and resumed[0] and resumed[0] not in self._resumed:
            self._resumed.add(resumed[0])
            self.facts.resumed_step = resumed[0]
            self.event("resume", step=resumed[0], path=resumed[1])
        if seen := stage_of(line):
            self._enter(seen)

    def _enter(self, seen: Stage) -> None:
        stage = next_stage(self._stage, seen)
        if stage != self._stage:
            self._stage = stage
            self.event("stage", stage=stage, total=self.facts.total_steps)

    def _console_row(self, step: int, data: dict[str, float]) -> None:
        if all(key.startswith(_AGENT) for key in data):
            self._of_agent.setdefault(step, {}).update(data)
        elif self._file is None:
            self._write_row(step, data, time.time(), "console")
        elif self._owner.get(step) != "file":
            self._waiting.setdefault(step, []).append((time.time(), data))

    def _take_file(self) -> None:
        if self._file is None:
            return
        for row in self._file.read():
            found = metric_row(row)
            if found and self._owner.get(found[0]) != "console":
                self._waiting.pop(found[0], None)
                self._write_row(found[0], found[1], time.time(), "file")

    def _flush_waiting(self, force: bool) -> None:
        now = time.time()
        for step in sorted(self._waiting):
            rows = self._waiting[step]
            if force or now - rows[0][0] >= _WAIT_FOR_FILE:
                del self._waiting[step]
                for seen, data in rows:
                    self._write_row(step, data, seen, "console")

    def _write_row(self, step: int, data: Mapping[str, float], seen: float, source: str) -> None:
        if (step, frozenset(data)) in self._restored:
            return
        self._owner[step] = source
        data = {**self._of_agent.pop(step, {}), **data}
        self._metrics.write({"step": step, "time": round(seen, 3), "data": finite_or_none(data), "source": source})
        scores = {key: value for key, value in data.items() if key.startswith(("val-core/", "val/", "test_score/"))}
        if any(key.startswith(("val-", "val/")) for key in data) and step not in self._validated:
            self._validated.add(step)
            self.event("validation", step=step, data=finite_or_none(scores))
        if step > 0 and self._stage != "training":
            self._enter("training")
