"""Writing a file in one piece."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .errors import FileChanged

MODE = 0o640  # exactly what agentic_rl asks of a configuration file, whatever the umask


def write_atomically(path: str | os.PathLike[str], text: str, expected: str | bytes | None = None) -> None:
    """Write ``text`` so that a reader, or a crash, finds the old file or the new one, never half of it.

    A temporary file in the same directory is written, synced and renamed. A symbolic link stays one: what it leads to
    is replaced.

    Args:
        path: the file; it need not exist.
        text: the new content; line ends are written as they are.
        expected: what the file held when it was read. When it holds something else now, nothing is written.

    Raises:
        FileChanged: the file is no longer what was expected.
        OSError: it can't be written; the old file is untouched.
    """
    target = Path(os.path.realpath(path))
    if expected is not None:
        _compare(target, expected)
    data = text.encode("utf-8")
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), MODE)
            os.fsync(file.fileno())
        if expected is not None:
            _compare(target, expected)  # again, as late as possible
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _compare(path: Path, expected: str | bytes) -> None:
    wanted = expected.encode("utf-8") if isinstance(expected, str) else expected
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        raise FileChanged(f"{path} is gone") from None
    if found != wanted:
        raise FileChanged(f"{path} has changed on disk")


def _sync_directory(path: Path) -> None:
    # The rename itself survives a power cut only when the directory is synced; some file systems can't do that.
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
