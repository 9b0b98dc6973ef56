"""One run at a time writes into a checkpoint directory.

An flock is held by supervisor and keeper: the kernel drops it when both are gone, so that it can't go stale. The
file's text says who holds it, and is a second guard for the case that both were killed while the training lives on.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
from pathlib import Path
from typing import Any, cast

from .procs import boot_id, host, processes_of_run

LOCK = ".agentic-rl.lock"
_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}


class RunLocked(Exception):
    """Another run writes into the same checkpoint directory.

    Attributes:
        directory: the checkpoint directory; holder: what its lock says (run, directory, host, pid).
    """

    def __init__(self, directory: str, holder: dict[str, Any]) -> None:
        super().__init__(f"{directory} is in use by run {holder.get('run', '?')}")
        self.directory = directory
        self.holder = holder


class RunLock:
    """The lock of a checkpoint directory, held from ``__init__`` to ``release`` (or the end of all who hold it)."""

    def __init__(self, checkpoint_dir: str | Path, run_id: str, run_directory: str) -> None:
        """Take the lock.

        Raises:
            RunLocked: another run holds it, or a training that lost its supervisor still runs.
            OSError: the directory can't be made or written.
        """
        self._made = _make_folders(Path(checkpoint_dir))
        self.path = Path(checkpoint_dir) / LOCK
        while True:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in _UNSUPPORTED:
                    self._refuse()
            if _same_file(self._descriptor, self.path):
                break
            os.close(self._descriptor)  # its holder removed it between our open and our lock
        holder = _read(self.path)
        here = holder.get("boot") == boot_id() and holder.get("host") == host() and holder.get("run") != run_id
        if here and processes_of_run(str(holder.get("run", ""))):
            self._refuse()
        me: dict[str, Any] = {"run": run_id, "directory": run_directory, "host": host(), "boot": boot_id(),
                              "pid": os.getpid(), "uid": os.getuid()}  # fmt: skip
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(me, ensure_ascii=False).encode() + b"\n", 0)

    def _refuse(self) -> None:
        os.close(self._descriptor)
        raise RunLocked(str(self.path.parent), _read(self.path))

    def release(self) -> None:
        """Drop the lock, its file, and the folders made for it that stayed empty."""
        with contextlib.suppress(OSError):
            if _same_file(self._descriptor, self.path):
                self.path.unlink()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)
        for folder in reversed(self._made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _make_folders(folder: Path) -> list[Path]:
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    missing.reverse()
    for one in missing:
        with contextlib.suppress(FileExistsError):
            one.mkdir(0o750)
            one.chmod(0o750)
    return missing


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat()
    except OSError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def _read(path: Path) -> dict[str, Any]:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}
