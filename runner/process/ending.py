"""How a run ended, in words and in run.json."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from ..stream import ErrorBlock, LineSplitter, clean_line, last_error
from .logfile import replace_text
from .masking import mask_text
from .reasons import give_reason
from .record import LOG, RECORD, RunRecord
from .recorder import Recorder

# The first cause lies in the last part of a log: a worker's dump of all its threads is smaller than this.
_TAIL = 4 << 20


def tail_lines(path: Path, size: int = _TAIL) -> Iterator[str]:
    """Clean lines of the last ``size`` bytes of a log, from the first whole line on."""
    splitter = LineSplitter()
    with path.open("rb") as stream:
        start = max(stream.seek(0, os.SEEK_END) - size, 0)
        stream.seek(start)
        if start:
            stream.readline()
        while data := stream.read(1 << 18):
            yield from map(clean_line, splitter.feed(data))
    yield from map(clean_line, splitter.close())


def error_of_log(path: str | Path) -> ErrorBlock | None:
    """The first cause that a log tells, or None."""
    try:
        return last_error(tail_lines(Path(path)))
    except OSError:
        return None


def conclude(record: RunRecord, status: int | None, stopped: bool, recorder: Recorder) -> None:
    """Fill in the end of a run and write its events.

    Args:
        record: is changed; writing it is left to the caller.
        status: wait status of the training, None where nobody was told it.
        stopped: a stop was asked for while it ran.
        recorder: takes the events.
    """
    record.ended = time.time()
    if status is not None:
        if os.WIFSIGNALED(status):
            record.signal = os.WTERMSIG(status)
        else:
            record.exit_code = os.WEXITSTATUS(status)
    if stopped:
        record.state = "stopped"
        record.stop_requested = True
    elif record.exit_code == 0:
        # A clean exit is never called a failure because of what was printed while it shut down.
        record.state = "finished"
    elif status is None:
        record.state = "lost"
        give_reason(record, "unwatched")
    else:
        record.state = "failed"
        found = error_of_log(Path(record.directory) / LOG)
        if found:
            give_reason(record, "log", text=mask_text(found.summary)[:500])
        else:
            _plain_reason(record)
        recorder.event("failure", reason=record.reason, exit_code=record.exit_code, signal=record.signal)
    recorder.event("state", state=record.state, exit_code=record.exit_code, signal=record.signal)


def _plain_reason(record: RunRecord) -> None:
    if record.signal is None:
        give_reason(record, "exit-code", exit_code=record.exit_code)
        return
    name = signal.Signals(record.signal).name if record.signal in list(signal.Signals) else str(record.signal)
    give_reason(record, "killed-by-kernel" if record.signal == signal.SIGKILL else "killed", signal=name)


def save(record: RunRecord) -> None:
    """Write run.json; on a full disk as well, so that the end of a run is told."""
    text = json.dumps(asdict(record), ensure_ascii=False, indent=1)
    replace_text(Path(record.directory) / RECORD, text)


def mask_files(directory: Path, files: Mapping[str, str]) -> None:
    """Mask secrets in the files that the back end has read: the run directory is for showing from now on."""
    for name, text in files.items():
        masked = mask_text(text)
        if masked != text:
            with contextlib.suppress(OSError):
                (directory / name).write_text(masked, encoding="utf-8")
