"""Watches a run from the command line; only a viewer, whatever happens to it leaves the run alone."""

from __future__ import annotations

import contextlib
import json as json_module
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any, Literal, TextIO

from ...process.ending import error_of_log
from ...process.follow import RunFollower
from ...process.reasons import reason_text
from ...process.record import LOG, RunRecord
from ...process.stop import StopFailed, stop_run
from ...stream import Progress, clean_line
from ..columns import cut, pad, width
from ..locale_language import language
from .failure_words import first_cause
from .texts import duration, text

OnInterrupt = Literal["ask", "stop", "detach"]
_TICK = 0.2
_EXIT = {"finished": 0, "failed": 1, "lost": 1, "stopped": 130}


def describe(progress: Progress, lang: str) -> str:
    """One line: stage, step n of N, reward, pace, time left; what is not known is left out."""
    parts: list[str] = []
    if progress.stage and progress.state in ("starting", "running"):
        parts.append(text(f"stage.{progress.stage}", lang))
    elif progress.state:
        parts.append(text(f"state.{progress.state}", lang))
    if progress.step is not None:
        key = "step_of" if progress.total else "step"
        parts.append(text(key, lang, step=progress.step, total=progress.total))
    if progress.reward is not None:
        parts.append(text("reward", lang, reward=progress.reward))
    if progress.seconds_per_step is not None:
        parts.append(text("pace", lang, seconds=progress.seconds_per_step))
    left = progress.seconds_left
    if left is not None and progress.state in ("starting", "running"):
        parts.append(text("left", lang, time=duration(left, lang)))
    return " | ".join(parts)


class _Screen:
    """Where lines go: plain lines to a pipe; on a terminal also one line that is redrawn."""

    def __init__(self, stream: TextIO, lang: str) -> None:
        self.stream = stream
        self.lang = lang
        self.live = stream.isatty()
        self._drawn = 0

    def line(self, words: str) -> None:
        """A line that stays."""
        self.erase()
        self.stream.write(clean_line(words) + "\n")
        self.stream.flush()

    def redraw(self, words: str) -> None:
        """The line at the bottom. Blanks instead of an escape code clear it: works in every terminal."""
        if self.live:
            columns = max(shutil.get_terminal_size().columns - 1, 10)
            shown = cut(words, columns)
            self.stream.write("\r" + pad(shown, min(self._drawn, columns)))
            self.stream.flush()
            self._drawn = width(shown)

    def erase(self) -> None:
        """Take the redrawn line away."""
        if self._drawn:
            self.stream.write("\r" + " " * self._drawn + "\r")
            self._drawn = 0


class _Watch:
    def __init__(self, record: RunRecord, json: bool, stream: TextIO, lang: str) -> None:
        self.follower = RunFollower(record.directory)
        self.json = json
        self.lang = lang
        self.screen = _Screen(stream, lang)
        self.stops = 0
        self.stage: str | None = None
        self.interrupts = 0
        self.answered = 0

    def follow(self, on_interrupt: OnInterrupt) -> bool:
        """Show until the run has ended; False where Ctrl-C meant to leave."""
        while True:
            if self.interrupts > self.answered:
                self.answered = self.interrupts
                if not self.interrupted(on_interrupt):
                    return False
            ended = self.follower.ended
            for event in self.follower.poll():
                self.show(event)
            if ended:
                return True
            if not self.json:
                started = self.follower.record.started or self.follower.record.created
                words = describe(self.follower.progress, self.lang)
                self.screen.redraw(f"{words} | {duration(time.time() - started, self.lang)}")
            time.sleep(_TICK)

    def show(self, event: dict[str, Any]) -> None:
        """One event: as JSON, or in words where it is worth a line."""
        if self.json:
            self.screen.stream.write(json_module.dumps(event, ensure_ascii=False) + "\n")
            self.screen.stream.flush()
        elif words := self.words(event):
            self.screen.line(words)

    def words(self, event: dict[str, Any]) -> str:
        """What to print of an event; on a terminal the redrawn line shows steps and stages already."""
        kind, lang = event.get("kind"), self.lang
        if kind == "warning":
            return text("warning", lang, text=event.get("text"))
        if kind == "checkpoint":
            return text("checkpoint", lang, path=event.get("path"))
        if kind in ("resume", "validation"):
            return text(str(kind), lang, step=event.get("step"))
        if kind == "metrics" and not self.screen.live:
            return describe(self.follower.progress, lang)
        if kind == "stage" and not self.screen.live and event.get("stage") != self.stage:
            self.stage = event.get("stage")
            # Steps and checkpoints have lines of their own.
            return "" if self.stage in ("training", "saving") else text(f"stage.{self.stage}", lang)
        return ""

    def finish(self) -> int:
        """Print how it ended; the exit code."""
        record = self.follower.record
        self.screen.erase()
        if self.json:
            end = {"kind": "end", "time": record.ended, "id": record.id, "state": record.state,
                   "exit_code": shown_exit(record), "signal": record.signal, "reason": record.reason,
                   "causes": record.causes, "directory": record.directory}  # fmt: skip
            self.show(end)
            return _EXIT.get(record.state, 1)
        log = Path(record.directory) / LOG
        if record.state == "failed" and (found := error_of_log(log)):
            for line in found.lines:
                self.screen.line("  " + line)
        took = duration((record.ended or time.time()) - (record.started or record.created), self.lang)
        self.screen.line(text(f"end.{record.state}", self.lang, time=took, reason=reason_text(record, self.lang)))
        for name, words in first_cause(record, self.lang):
            self.screen.line(text(f"failure.{name}", self.lang, text=words))
        if record.state != "finished":
            self.screen.line(text("log_is", self.lang, path=log))
        return _EXIT.get(record.state, 1)

    def interrupted(self, on_interrupt: OnInterrupt) -> bool:
        """Ctrl-C; False: leave."""
        choice = self._ask() if on_interrupt == "ask" and not self.stops else on_interrupt
        if choice == "detach":
            self.note(text("detached", self.lang, id=self.follower.record.id))
            return False
        if choice == "continue":
            return True
        self.stops += 1
        self.note(text("stopping_now" if self.stops > 1 else "stopping", self.lang, id=self.follower.record.id))
        try:
            stop_run(self.follower.record, now=self.stops > 1, wait=False)
        except StopFailed as error:
            self.note(text(error.code, self.lang, **error.params))
        return True

    def _ask(self) -> str:
        if not (self.screen.live and sys.stdin.isatty()):
            return "stop"
        self.screen.erase()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            answer = input(text("ask", self.lang)).strip().lower()[:1]
        except (KeyboardInterrupt, EOFError):
            return "stop"
        finally:
            signal.signal(signal.SIGINT, before)
        return {"s": "stop", "d": "detach"}.get(answer, "continue")

    def note(self, words: str) -> None:
        """A remark to the person; never between JSON lines."""
        if self.json:
            sys.stderr.write(words + "\n")
        else:
            self.screen.line(words)


@contextlib.contextmanager
def _counted_interrupts(viewer: _Watch) -> Generator[None, None, None]:
    """Ctrl-C is noted, not raised: an exception in the middle of a read would lose events."""

    def count(number: int, frame: FrameType | None) -> None:
        del number, frame
        viewer.interrupts += 1

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, count)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def shown_exit(record: RunRecord) -> int | None:
    """The exit code as it is shown: 130 when stopped, 128 + n when a signal ended it; None while it runs."""
    if record.state == "stopped":
        return 130
    if record.signal is not None:
        return 128 + record.signal
    return record.exit_code


def watch(
    record: RunRecord,
    json: bool = False,
    stream: TextIO | None = None,
    on_interrupt: OnInterrupt = "stop",
    lang: str | None = None,
) -> int:
    """Follow a run until its end.

    Args:
        record: which.
        json: one event a line instead of words; the last has the kind ``end``.
        stream: where to print; standard output if None.
        on_interrupt: what Ctrl-C means: stop the run, leave it alone, or ask on a terminal (else stop).
        lang: ``en`` or ``zh``.

    Returns:
        0 finished (or left alone), 1 failed or lost, 130 stopped.
    """
    out = stream or sys.stdout
    viewer = _Watch(record, json, out, language(lang))
    try:
        with _counted_interrupts(viewer):
            return viewer.finish() if viewer.follow(on_interrupt) else 0
    except BrokenPipeError:
        # Whoever read us is gone (`| head`): so are we, quietly.
        if stream is None:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
