"""How far a training got, line by line: steps, total, stage, and whether the end was reached."""

from __future__ import annotations

import re

from .metric_reader import METRIC_WORDS, MetricReader, MetricRow
from .metrics import total_of_metric_line
from .outer import Message
from .progress import next_stage
from .stages import Stage, bar_of, epoch_of, stage_of, total_steps_of

# Lower case; a line without one of these says nothing about progress.
COURSE_WORDS: tuple[bytes, ...] = (
    *(word.lower() for word in METRIC_WORDS),
    b"training progress", b"epoch ", b"training steps", b"initialized", b"initialize finished", b"worker group",
    b"fsdp", b"loading", b"llm", b"ray ", b"training is done", b"training finished", b"successfully",
    b"validation metrics", b"checkpoint",
)  # fmt: skip
_NEW_ATTEMPT = re.compile(
    r"^(?:ray init kwargs:|ray init with runtime_env|Started a local Ray instance|start initializing local ray cluster)"
)


class Course:
    """Fed with every line that holds one of COURSE_WORDS.

    Attributes:
        step: the last step with metrics, None before the first.
        total: how many steps there will be.
        stage: where the training stands.
        finished: the end of a whole training was seen: nothing after it makes it a failure.
        last_iteration: MindSpeed-RL's last iteration was seen; what it saves afterwards may still fail.
        advances: grows with each step, and with each stage before the first step.
        attempts: how many trainings follow each other in the file, from the second on with a step each.
    """

    def __init__(self) -> None:
        self._reader = MetricReader()
        self.attempts = 1
        self.advances = 0
        self._start_over()

    def _start_over(self) -> None:
        self.step: int | None = None
        self.total: int | None = None
        self.stage: Stage | None = None
        self.finished = False
        self.last_iteration = False
        self._bar = -1

    def feed(self, text: str, message: Message) -> MetricRow | None:
        """Take a clean line; the metrics that it tells, if any."""
        if self.step is not None and _NEW_ATTEMPT.match(message.text):
            # Somebody appended a second training to the same file: it is the one that counts.
            self._start_over()
            self.attempts += 1
        self.total = total_of_metric_line(text) or total_steps_of(text) or self.total
        row = self._reader.read(text)
        if row is not None:
            self._take_step(row[0], "iteration" in text)
        self._take_bar(text)
        seen = stage_of(text)
        if seen is not None:
            self._take_stage(seen)
        return row

    def _take_step(self, step: int, iteration: bool) -> None:
        if self.step is None or step > self.step:
            self.advances += 1
        self.step = step
        if self.total is not None and step >= self.total > 0:
            if iteration:
                self.last_iteration = True
            else:
                self.finished = True

    def _take_bar(self, text: str) -> None:
        if "Training Progress" in text and (bar := bar_of(text)):
            if bar.done > self._bar and self.step is None and bar.done > 0:
                self.advances += 1
            self._bar = bar.done
            self.finished = self.finished or (bar.done >= bar.total > 0)
        elif "Epoch " in text and (epoch := epoch_of(text)):
            number, epochs, done, steps = epoch
            self.finished = self.finished or (number >= epochs and done >= steps > 0)

    def _take_stage(self, seen: Stage) -> None:
        stage = next_stage(self.stage, seen)
        if stage != self.stage and self.step is None:
            self.advances += 1
        self.stage = stage
        if seen == "finishing":
            self.finished = True
