"""How a run ended, in words and in run.json."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..stream import Diagnosis, ErrorBlock, LineSplitter, clean_line, diagnose_log, last_error, read_signatures
from .logfile import replace_text
from .masking import mask_text, mask_value
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


def conclude(
    record: RunRecord, status: int | None, stopped: bool, recorder: Recorder, failures: Mapping[str, Any] | None = None
) -> None:
    """Fill in the end of a run and write its events.

    Args:
        record: is changed; writing it is left to the caller.
        status: wait status of the training, None where nobody was told it.
        stopped: a stop was asked for while it ran.
        recorder: takes the events.
        failures: the failure catalogue; without it only the line of the error is told.
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
        _tell_failure(record, failures, recorder)
    recorder.event("state", state=record.state, exit_code=record.exit_code, signal=record.signal)


def _tell_failure(record: RunRecord, failures: Mapping[str, Any] | None, recorder: Recorder) -> None:
    """Fill in reason and causes, and write the event of the first cause."""
    log = Path(record.directory) / LOG
    found = _diagnosis(record, log, failures) if failures else None
    # Excerpts are masked as text, their keys are ours.
    record.causes = [mask_value(cause.as_data()) for cause in found.causes] if found else []
    first = record.causes[0] if record.causes else {}
    excerpt = str(first.get("excerpt", ""))
    if not excerpt:
        error = error_of_log(log)
        excerpt = mask_text(error.summary)[:500] if error else ""
    if excerpt:
        give_reason(record, "log", text=excerpt)
    else:
        _plain_reason(record)
    recorder.event("failure", **{**first, "reason": record.reason, "exit_code": record.exit_code,
                                 "signal": record.signal})  # fmt: skip


def _diagnosis(record: RunRecord, log: Path, failures: Mapping[str, Any]) -> Diagnosis | None:
    try:
        return diagnose_log(log, read_signatures(failures), True, record.exit_code, record.signal)
    except Exception:  # whatever the log holds, the end of the run is told
        traceback.print_exc()
        return None


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
