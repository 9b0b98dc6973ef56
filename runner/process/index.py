"""Finds runs from anywhere: one small file per run in the user's state directory, and the reading of run.json."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import time
from pathlib import Path
from typing import Any, cast

from platformdirs import user_state_dir

from .procs import boot_id, host, is_alive
from .reasons import give_reason
from .record import DEVICES, ENDED, LOG, RECORD, RunRecord
from .sweep import read_processes

# A run on another host is taken for living while its device samples (one every 5 s) are this fresh, in seconds.
_FRESH = 120.0


class RunNotFound(Exception):
    """No run, or more than one, has this reference.

    Attributes:
        reference: as given; matches: the runs that an ambiguous prefix means; nearest: ids and names that are like it.
    """

    def __init__(self, reference: str, matches: list[RunRecord], nearest: list[str]) -> None:
        super().__init__(f"no such run: {reference}" if not matches else f"ambiguous: {reference}")
        # Shown to people: whatever a terminal would obey is written as an escape.
        self.reference = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in reference)
        self.matches = matches
        self.nearest = nearest


def state_directory() -> Path:
    """Where the index is: ``~/.local/state/agentic-rl/runs`` or below XDG_STATE_HOME."""
    return Path(user_state_dir("agentic-rl", appauthor=False)) / "runs"


def register(record: RunRecord) -> None:
    """Add a run to the index; a state directory that can't be written only costs the finding by id."""
    folder = state_directory()
    with contextlib.suppress(OSError):
        folder.mkdir(0o700, parents=True, exist_ok=True)
        data = {"id": record.id, "directory": record.directory, "created": record.created}
        temporary = folder / f".{record.id}.{os.getpid()}.tmp"
        temporary.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        temporary.replace(folder / f"{record.id}.json")


def read_run(directory: str | Path) -> RunRecord:
    """Read run.json, with ``state`` corrected to ``lost`` when nobody watches over the run any more.

    Raises:
        OSError, ValueError: as ``RunRecord.read``.
    """
    record = RunRecord.read(directory)
    if record.state in ENDED:
        return record
    if _why_lost(record) is None:
        return record
    again = RunRecord.read(directory)  # it may have ended, or got a new supervisor, between the two looks
    if again.state in ENDED or (why := _why_lost(again)) is None:
        return again
    again.state = "lost"
    if not again.reason:
        give_reason(again, why, host=again.host)
    return again


def _why_lost(record: RunRecord) -> str | None:
    """The code of the reason; None where the run is not lost."""
    if record.host and record.host != host():
        return None if _is_fresh(record) else "host-silent"
    if record.boot_id and record.boot_id != boot_id():
        return "rebooted"
    if is_alive(record.supervisor_pid, record.supervisor_start):
        return None
    keeper, _, _ = read_processes(Path(record.directory))
    if is_alive(*keeper):
        return None  # it forks a new supervisor within half a second
    if record.state == "starting" and not record.supervisor_pid and time.time() - record.created < 30:
        return None
    return "no-supervisor"


def _is_fresh(record: RunRecord) -> bool:
    for name in (DEVICES, LOG, RECORD):
        with contextlib.suppress(OSError):
            if time.time() - (Path(record.directory) / name).stat().st_mtime < _FRESH:
                return True
    return False


def list_runs() -> list[RunRecord]:
    """All runs of the index that still have their directory, oldest first."""
    found: dict[str, RunRecord] = {}
    try:
        entries = sorted(state_directory().glob("*.json"))
    except OSError:
        return []
    for entry in entries:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            data = cast("dict[str, Any]", json.loads(entry.read_text(encoding="utf-8")))
            record = read_run(str(data["directory"]))
            if record.id == data["id"]:  # else the directory was given to another run
                found[record.id] = record
    return sorted(found.values(), key=lambda record: (record.created, record.id))


def find_run(reference: str) -> RunRecord:
    """The run that a reference means: a run directory (or a file in it), an id, a unique prefix of one, ``last``.

    Raises:
        RunNotFound: none or several.
    """
    path = Path(reference).expanduser()
    for folder in (path, path.parent):
        if reference not in ("", ".", "..") or folder == path:
            with contextlib.suppress(OSError, ValueError):
                if reference and (folder / RECORD).is_file() and (folder == path or path.is_file()):
                    return read_run(folder.absolute())
    runs = list_runs()
    if reference == "last" and runs:
        return runs[-1]
    matches = [run for run in runs if reference and run.id.startswith(reference)]
    exact = [run for run in matches if run.id == reference]
    if exact or len(matches) == 1:
        return (exact or matches)[0]
    if not matches:
        names = [run for run in runs if run.experiment == reference]
        if len(names) == 1:
            return names[0]
        matches = names
    known = [run.id for run in runs] + sorted({run.experiment for run in runs})
    raise RunNotFound(reference, matches, difflib.get_close_matches(reference, known, 3, 0.5))
