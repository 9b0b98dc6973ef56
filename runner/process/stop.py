"""Stops a run: through its supervisor, or, where that is gone, by removing the run's processes itself."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from .index import read_run
from .logfile import JsonAppender
from .procs import Process, host, is_alive, processes_of_run
from .reasons import give_reason
from .record import ENDED, EVENTS, RunRecord
from .sweep import read_processes, remove_ray_directory, sweep


class StopFailed(Exception):
    """The run can't be stopped from here.

    Attributes:
        code: ``run.other_host``, ``run.not_yours`` or ``run.still_alive``; params: host, owner, pids.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(f"{code}: {params}")
        self.code = code
        self.params = params


def left_processes(record: RunRecord) -> list[Process]:
    """The living processes of a run on this machine (none for a run of another host)."""
    if record.host != host():
        return []
    _, _, known = read_processes(Path(record.directory))
    return processes_of_run(record.id, (), known)


def stop_run(record: RunRecord, now: bool = False, wait: bool = True, timeout: float = 90.0) -> RunRecord:
    """Stop a run and return its record; a run that has ended is returned as it is.

    Args:
        record: which.
        now: SIGTERM at once and SIGKILL soon, without the time to end cleanly.
        wait: return only when it has ended and its processes are gone; else as soon as it was asked.
        timeout: how long to wait, in seconds.

    Raises:
        StopFailed: it runs on another host or belongs to another user, or its processes do not end.
    """
    record = read_run(record.directory)
    if record.state in ENDED and record.state != "lost":
        return record
    if record.host != host():
        raise StopFailed("run.other_host", host=record.host)
    end = time.monotonic() + timeout
    asked = 0
    while time.monotonic() < end:
        record = read_run(record.directory)
        if record.state in ENDED:
            break
        if record.supervisor_pid != asked and is_alive(record.supervisor_pid, record.supervisor_start):
            try:
                os.kill(record.supervisor_pid, signal.SIGUSR1 if now else signal.SIGTERM)
            except PermissionError as error:
                raise StopFailed("run.not_yours", owner=record.uid) from error
            except ProcessLookupError:
                continue
            asked = record.supervisor_pid  # a new supervisor (the old one was killed) is asked again
        if asked and not wait:
            return record
        time.sleep(0.05)
    if record.state == "lost":
        return _stop_lost(record, 0.5 if now else 5.0)
    # It writes the end first and leaves then, so that a kill in between can't make a finished run look lost.
    while is_alive(record.supervisor_pid, record.supervisor_start) and time.monotonic() < end:
        time.sleep(0.01)
    if record.state not in ENDED:
        raise StopFailed("run.still_alive", pids=[one.pid for one in left_processes(record)])
    return record


def _stop_lost(record: RunRecord, limit: float) -> RunRecord:
    """Remove what is left of a run without supervisor, and write its end."""
    directory = Path(record.directory)
    _, ray, known = read_processes(directory)

    def find() -> list[Process]:
        return [one for one in processes_of_run(record.id, (), known) if one.pid != os.getpid()]

    # Between the looks a worker may lose its parent: all that was seen once stays known.
    first = find()
    known += [(one.pid, one.start) for one in first]
    touched = sweep(find, 0, limit)
    if left := find():
        raise StopFailed("run.still_alive", pids=[one.pid for one in left])
    remove_ray_directory(ray)
    if touched:
        record.state = "stopped"
        record.stop_requested = True
        give_reason(record, "one-removed" if len(touched) == 1 else "removed", count=len(touched))
    record.ended = record.ended or time.time()
    with contextlib.suppress(OSError):
        record.write()
        events = JsonAppender(directory / EVENTS)
        events.write({"time": round(time.time(), 3), "kind": "state", "state": record.state})
        events.close()
    return record
