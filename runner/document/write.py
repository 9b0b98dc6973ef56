"""Writes a file in one piece: nobody ever sees half of it, and nobody's file or change is overwritten unseen."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

MODE = 0o640  # whatever the umask is: agentic_rl wants exactly this mode


class FileChanged(Exception):
    """The file on disk is no longer what it was when it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


def write_atomically(path: str | Path, text: str, expected: str | None = None, *, new: bool = False) -> None:
    """Write ``text`` (UTF-8, line ends as they are) with mode 640.

    The text goes to a temporary file in the same directory, is flushed to the disk and then takes the name. Behind a
    symbolic link its target is written; the link stays.

    Args:
        path: the file.
        text: its new content.
        expected: what the file held when it was read; when it holds something else now, nothing is written.
        new: the name must be free; a link takes it too, wherever it leads. Of two writers one fails.

    Raises:
        FileChanged: see ``expected``. FileExistsError: see ``new``. OSError: a directory or a device has the name, the
            directory can't be written, no space, ...
    """
    data = text.encode("utf-8")
    target = Path(os.path.realpath(path))
    if expected is not None and _content(target) != expected.encode("utf-8"):
        raise FileChanged(target)
    if new:
        # Taken before anything is written: nobody else's file can come in between.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE))
    else:
        _refuse_special(target)
    try:
        _replace(target, data)
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108
        raise


def _replace(target: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:200]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), MODE)
            os.fsync(stream.fileno())
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def _refuse_special(target: Path) -> None:
    """A directory, device or pipe is never replaced by a file."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(target))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
