"""Which lines of a log are errors or warnings, and on which line each training step reports its metrics."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right

from ...runner.stream.levels import level_of
from ...runner.stream.metric_reader import MetricReader
from ...runner.stream.metrics import total_of_metric_line
from ...runner.stream.stages import checkpoint_of, total_steps_of
from .log_index import Chunk, LogIndex
from .log_text import show

# Looking for these in a whole chunk costs a tenth of asking `level_of` about each line. Everything that `level_of`
# calls an error or a warning holds one of them (tests/wizard/run/test_log_levels.py). Two expressions, because
# each is fast only while its alternatives begin with few different letters.
_SUSPECTS = (
    re.compile(rb"[EWFCS](?:RR|ARN|ATAL|RIT|IG|(?<=\[.)|\d{4} | \d+ \d+\]|[IJZEL]\d{4}:)"),
    re.compile(
        rb"rror|raceb|arn|xcept|nterr|fault|memory|step:\d|steps: |iteration|raining Prog|aving checkpoint"
        rb"|ved succ|, step \d|, metrics: \{|output metrics|eward stats|tion mean rew|test score|Epoch \d"
    ),
)


class LevelIndex:
    """Line numbers by level, and steps; fed with the chunks of a `LogIndex` by its reader's thread.

    Attributes:
        done: lines before this one are classified.
        errors: lines of level error.
        severe: lines of level warning or error.
        metrics: (step, data) of the metric lines, in order of appearance, for logs without metrics.jsonl.
        total: how many steps there will be, None until the log says so.
        checkpoint: step of the last checkpoint that the log announces, None before the first.
    """

    def __init__(self, index: LogIndex) -> None:
        self.index = index
        self.clear()

    def clear(self) -> None:
        """Forget everything: the file was replaced."""
        self.done = 0
        self._reader = MetricReader()
        self.errors = array("Q")
        self.severe = array("Q")
        self.step_lines = array("Q")
        self.steps = array("q")
        self.metrics: list[tuple[int, dict[str, float]]] = []
        self.total: int | None = None
        self.checkpoint: int | None = None

    def take(self, chunk: Chunk) -> None:
        """Classify the lines of a chunk (which begins with line `done`)."""
        if chunk.plain:
            self._take_plain(chunk)
        else:
            for number, raw in self.index.lines_of(chunk):
                if any(suspect.search(raw) for suspect in _SUSPECTS):
                    self._classify(number, raw)
        self.done = chunk.last

    def _take_plain(self, chunk: Chunk) -> None:
        data, number, counted = chunk.data, chunk.first, 0
        starts: set[int] = set()
        for suspect in _SUSPECTS:
            found = suspect.search(data)
            while found:
                starts.add(data.rfind(b"\n", 0, found.start()) + 1)
                end = data.find(b"\n", found.end())
                found = suspect.search(data, end) if end >= 0 else None
        for start in sorted(starts):
            end = data.find(b"\n", start)
            number += data.count(b"\n", counted, start)
            counted = start
            self._classify(number, data[start : end if end >= 0 else len(data)])

    def _classify(self, number: int, raw: bytes) -> None:
        metric = self._reader.read(raw)
        if metric is not None:
            self.steps.append(metric[0])
            self.step_lines.append(number)
            self.metrics.append(metric)
            self.total = total_of_metric_line(show(raw[:4096])) or self.total
            return
        text = show(raw[:4096])
        self.total = total_steps_of(text) or self.total
        saved = checkpoint_of(text)
        if saved is not None and saved[0] is not None:
            self.checkpoint = saved[0]
        level = level_of(text)
        if level == "error":
            self.errors.append(number)
            self.severe.append(number)
        elif level == "warning":
            self.severe.append(number)

    def line_of_step(self, step: int) -> int | None:
        """The line with the metrics of a step (the last one, should an attempt have repeated it)."""
        for position in range(len(self.steps) - 1, -1, -1):
            if self.steps[position] == step:
                return self.step_lines[position]
        return None

    def is_step(self, line: int) -> bool:
        """Whether a line reports the metrics of a step."""
        position = bisect_left(self.step_lines, line)
        return position < len(self.step_lines) and self.step_lines[position] == line

    def step_at(self, line: int) -> int | None:
        """The step that a line belongs to: the next metrics at or after it, else the last ones before it."""
        if not self.steps:
            return None
        position = bisect_left(self.step_lines, line)
        return self.steps[min(position, len(self.steps) - 1)]

    def next_error(self, line: int, backwards: bool = False) -> int | None:
        """The nearest error after (or before) a line; wraps around; None when there is none.

        A traceback is one error to a reader: its lines follow each other, so neighbours count as one.
        """
        errors = self.errors
        if not errors:
            return None
        if backwards:
            position = bisect_left(errors, line) - 1
            while position > 0 and errors[position - 1] == errors[position] - 1:
                position -= 1
            return errors[position]  # -1 is the last one: wrapped
        position = bisect_right(errors, line)
        while position < len(errors) and position > 0 and errors[position] == errors[position - 1] + 1:
            if errors[position - 1] < line:
                break
            position += 1
        return errors[position] if position < len(errors) else errors[0]
