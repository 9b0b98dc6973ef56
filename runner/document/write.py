"""Writes a file in one piece: nobody ever sees half of it, and nobody's change is overwritten unseen."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


class FileChanged(Exception):
    """The file on disk is no longer what it was when it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


def write_atomically(path: str | Path, text: str, expected: str | None = None) -> None:
    """Write ``text`` (UTF-8, line ends as they are) with mode 640.

    The text goes to a temporary file in the same directory, is flushed to the disk and then takes the name. Behind a
    symbolic link its target is written; the link stays.

    Args:
        path: the file.
        text: its new content.
        expected: what the file held when it was read; when it holds something else now, nothing is written.

    Raises:
        FileChanged: see ``expected``. OSError: the directory can't be written, no space, ...
    """
    target = Path(os.path.realpath(path))
    if expected is not None and _content(target) != expected.encode("utf-8"):
        raise FileChanged(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o640)  # noqa: PTH101
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
