"""Removes what a run left behind: Ray's raylet, GCS and agents leave the process group and outlive a killed driver.

Only processes that are known to be the run's (mark, descent, or seen before) are touched; `ray stop` is never
called, other people's Ray lives on.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

from .logfile import replace_text
from .procs import Process, is_alive

PROCESSES = "processes.json"
# Ray adds /ray/session_<date>_<pid>/sockets/plasma_store, 66 bytes; a socket's path ends at 107.
_LONGEST_TEMPORARY = 32


def sweep(find: Callable[[], list[Process]], linger: float, limit: float) -> list[Process]:
    """Remove all that ``find`` finds; returns what it had to signal.

    Args:
        find: lists the living processes of the run; asked again, for they may start others.
        linger: seconds in which they may leave by themselves.
        limit: seconds between SIGTERM and SIGKILL, and again until giving up.
    """
    end = time.monotonic() + linger
    while (left := find()) and time.monotonic() < end:
        time.sleep(0.1)
    touched: dict[int, Process] = {}
    for number in (signal.SIGTERM, signal.SIGKILL):
        end = time.monotonic() + limit
        signalled: set[tuple[int, float]] = set()
        while left and time.monotonic() < end:
            for one in left:
                if (one.pid, one.start) not in signalled and is_alive(one.pid, one.start):
                    with contextlib.suppress(OSError):
                        os.kill(one.pid, number)
                    signalled.add((one.pid, one.start))
                    touched[one.pid] = one
            time.sleep(0.05)
            left = find()
    return list(touched.values())


def make_ray_directory() -> str:
    """A short directory of our own for Ray's sockets and logs, 0700; "" where none can be made."""
    for parent in ("/tmp", tempfile.gettempdir(), "/var/tmp"):  # noqa: S108 - made by mkdtemp, not guessed
        if len(parent) + 13 <= _LONGEST_TEMPORARY:
            with contextlib.suppress(OSError):
                return tempfile.mkdtemp(prefix="arl-", dir=parent)
    return ""


def remove_ray_directory(path: str) -> None:
    """Remove a directory that ``make_ray_directory`` made; anything else is left alone."""
    folder = Path(path)
    with contextlib.suppress(OSError):
        if path and folder.name.startswith("arl-") and not folder.is_symlink() and folder.stat().st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)


def note_processes(directory: Path, keeper: tuple[int, float], ray: str, known: Iterable[tuple[int, float]]) -> None:
    """Write processes.json: what a later `stop` needs when nobody else is left to ask."""
    data = {"keeper": list(keeper), "ray": ray, "known": [list(pair) for pair in sorted(known)]}
    replace_text(directory / PROCESSES, json.dumps(data))


def read_processes(directory: Path) -> tuple[tuple[int, float], str, list[tuple[int, float]]]:
    """(keeper, Ray's directory, known processes) of processes.json; empty values where it can't be read."""
    try:
        data: Any = json.loads((directory / PROCESSES).read_text(encoding="utf-8"))
        keeper = cast("list[float]", data["keeper"])
        pairs = cast("list[list[float]]", data["known"])
        return (int(keeper[0]), keeper[1]), str(data["ray"]), [(int(pid), start) for pid, start in pairs]
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return (0, 0.0), "", []
