"""What dead runs left on this machine: living processes, Ray's directories, shared memory of torch."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .index import list_runs
from .procs import Process, host, is_alive
from .record import ENDED, RunRecord
from .stop import left_processes
from .sweep import read_processes, sweep

_YOUNG = 600.0  # seconds
_TORCH = re.compile(r"torch_(\d+)_\d+_\d+$")


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing a dead run left.

    Attributes:
        kind: ``process`` (of a run that has ended), ``ray`` (a temporary directory of a run's Ray), ``memory`` (a
            segment of torch's shared memory whose process is gone).
        name: what to call it: the process's name, or the path.
        run: the run it belongs to, "" when that is not known.
        pid, start: of a process.
        size: bytes; of a process 0.
    """

    kind: Literal["process", "ray", "memory"]
    name: str
    run: str = ""
    pid: int = 0
    start: float = 0.0
    size: int = 0


def find_leftovers(
    runs: Iterable[RunRecord] | None = None,
    temporary: Iterable[str] = ("/tmp", "/var/tmp"),  # noqa: S108 - looked into, not written to
    memory: str = "/dev/shm",  # noqa: S108
) -> list[Leftover]:
    """Look for what is this user's own and belongs to nothing that lives.

    A directory of Ray counts only when its name is one that the supervisor gives, it is older than ten minutes (a run
    may be starting), and no process has a file or socket below it open or stands in it; a segment only when the
    process that its name tells is gone and nobody maps it.
    """
    known = list(list_runs() if runs is None else runs)
    living = [one for one in known if one.state not in ENDED or one.host != host()]
    found: list[Leftover] = []
    for record in known:
        if record.state in ENDED and record.host == host():
            found += [Leftover("process", one.name, record.id, one.pid, one.start) for one in left_processes(record)]
    taken = {read_processes(Path(one.directory))[1] for one in living}
    owners = {read_processes(Path(one.directory))[1]: one.id for one in known}
    used = _used()
    for parent in dict.fromkeys((*temporary, tempfile.gettempdir())):
        for folder in _own(parent, "arl-*"):
            path = str(folder)
            busy = path in taken or any(one == path or one.startswith(path + "/") for one in used)
            if not busy and folder.is_dir() and time.time() - folder.stat().st_mtime > _YOUNG:
                found.append(Leftover("ray", path, owners.get(path, ""), size=_size(folder)))
    for segment in _own(memory, "torch_*"):
        match = _TORCH.match(segment.name)
        if match and not Path("/proc", match[1]).exists() and str(segment) not in used:
            with contextlib.suppress(OSError):
                found.append(Leftover("memory", str(segment), size=segment.stat().st_size))
    return found


def remove_leftovers(found: Iterable[Leftover], limit: float = 5.0) -> list[Leftover]:
    """Remove them; returns what could not be removed. A process that is another one by now is left alone."""
    wanted = list(found)
    targets = {(one.pid, one.start): one for one in wanted if one.kind == "process"}

    def alive() -> list[Process]:
        return [
            Process(pid, 0, start, "", one.name, 0.0) for (pid, start), one in targets.items() if is_alive(pid, start)
        ]

    if targets:
        sweep(alive, 0, limit)
    for one in wanted:
        if one.kind == "ray":
            shutil.rmtree(one.name, ignore_errors=True)
        elif one.kind == "memory":
            with contextlib.suppress(OSError):
                os.unlink(one.name)  # noqa: PTH108
    return [one for one in wanted if _is_there(one)]


def _is_there(one: Leftover) -> bool:
    return is_alive(one.pid, one.start) if one.kind == "process" else Path(one.name).exists()


def _own(parent: str, pattern: str) -> list[Path]:
    """Entries of a directory that are this user's and no links."""
    found: list[Path] = []
    with contextlib.suppress(OSError):
        for path in sorted(Path(parent).glob(pattern)):
            with contextlib.suppress(OSError):
                if not path.is_symlink() and path.lstat().st_uid == os.getuid():
                    found.append(path)
    return found


def _used() -> set[str]:
    """Every path that a process of this user has open, maps, or stands in."""
    used: set[str] = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            used.add(str((entry / "cwd").readlink()))
        with contextlib.suppress(OSError):
            for descriptor in (entry / "fd").iterdir():
                with contextlib.suppress(OSError):
                    used.add(str(descriptor.readlink()))
        with contextlib.suppress(OSError):
            for line in (entry / "maps").read_text("utf-8", "replace").splitlines():
                path = line.partition("/")
                if path[1]:
                    used.add("/" + path[2])
    with contextlib.suppress(OSError):
        for line in Path("/proc/net/unix").read_text("utf-8", "replace").splitlines():
            path = line.partition(" /")
            if path[1]:
                used.add("/" + path[2].strip())
    return used


def _size(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118
    return total
