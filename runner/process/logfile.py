"""Files that must survive a full disk: train.log (raw bytes) and our JSON-lines files."""

from __future__ import annotations

import contextlib
import json
import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Write = Callable[[int, bytes], int]
_MOST_WAITING = 10_000


def open_for_append(path: str | Path) -> int:
    """Open for appending, mode 640; returns the descriptor."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)


def replace_text(path: Path, text: str) -> None:
    """Write a small file atomically, mode 640; on a full disk into the space that the file has already.

    It is smaller than a block or two: a write within them needs no new one. Never raises for a full disk.
    """
    data = text.encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o640)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.pwrite(handle, data, 0)
                os.ftruncate(handle, len(data))
            finally:
                os.close(handle)


class RawLog:
    """train.log. What can't be written is counted and marked in the log once there is room again.

    Attributes:
        lost: bytes that could not be written so far.
    """

    def __init__(self, path: str | Path, write: Write = os.write, lost: int = 0) -> None:
        self._descriptor = open_for_append(path)
        self._write = write
        self.lost = lost
        self._gap = 0
        self._reason = ""

    def write(self, data: bytes) -> None:
        """Append; never raises for a full or failing disk."""
        if self._gap:
            mark = f"\n[agentic-rl] {self._gap} bytes of the log were lost here: {self._reason}\n".encode()
            if not self._append(mark):
                self._lose(len(data))
                return
            self._gap = 0
        rest = data
        while rest:
            try:
                rest = rest[self._write(self._descriptor, rest) :]
            except InterruptedError:
                continue
            except OSError as error:
                self._reason = error.strerror or str(error)
                self._lose(len(rest))
                return

    def _append(self, data: bytes) -> bool:
        """Write all or nothing: a mark that was cut is taken back."""
        try:
            written = self._write(self._descriptor, data)
        except OSError:
            return False
        if written == len(data):
            return True
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, os.fstat(self._descriptor).st_size - written)
        return False

    def _lose(self, count: int) -> None:
        self._gap += count
        self.lost += count

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


class JsonAppender:
    """A JSON-lines file that only grows. What a full disk refuses waits in memory until there is room.

    Attributes:
        lost: rows that had to be dropped, because too many were waiting.
    """

    def __init__(self, path: str | Path, write: Write = os.write) -> None:
        self._descriptor = open_for_append(path)
        self._write = write
        self._waiting: deque[bytes] = deque()
        self.lost = 0
        if self._ends_within_a_line(path):
            self._waiting.append(b"\n")

    @staticmethod
    def _ends_within_a_line(path: str | Path) -> bool:
        """A supervisor that was killed while it wrote leaves half a line; the next one begins a new line."""
        with Path(path).open("rb") as stream:
            if stream.seek(0, os.SEEK_END) == 0:
                return False
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) != b"\n"

    def write(self, row: Mapping[str, Any]) -> bool:
        """Append one object; False while it has to wait."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        if len(self._waiting) >= _MOST_WAITING:
            # The first may be half written: it stays, so that every line in the file is whole.
            del self._waiting[1]
            self.lost += 1
        self._waiting.append(line)
        return self.flush()

    def flush(self) -> bool:
        """Try again to write what waits; True when nothing does."""
        while self._waiting:
            try:
                written = self._write(self._descriptor, self._waiting[0])
            except InterruptedError:
                continue
            except OSError:
                return False
            rest = self._waiting[0][written:]
            if rest:
                self._waiting[0] = rest
            else:
                self._waiting.popleft()
        return True

    def close(self) -> None:
        """Close the file."""
        self.flush()
        os.close(self._descriptor)
