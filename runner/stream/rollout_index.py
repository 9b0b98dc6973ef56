"""Where the lines of a dump are: a file of gigabytes is scanned once, piece by piece, and never held in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

_CHUNK = 1 << 20
_HEAD = 256
LONGEST = 32 << 20
"""Bytes of a line that are still read; no trajectory is that long, and one that is would stop everything else."""


class LineIndex:
    """The complete lines of a file that grows or is written anew.

    Attributes:
        done: bytes that were looked at.
        version: grows when the file was replaced or truncated, so that what was known of it must be forgotten.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done = 0
        self.version = 0
        self._stamp = (-1, -1, -1)
        self._inode = 0
        self._head = b""

    def changed(self) -> bool:
        """Whether there may be something new; costs one stat."""
        try:
            status = self.path.stat()
        except OSError:
            return False
        return (status.st_ino, status.st_size, status.st_mtime_ns) != self._stamp

    def grow(self, budget: int = 64 << 20) -> Iterator[tuple[int, int, bytes | None]]:
        """(offset, size, bytes) of lines that were not delivered yet; the bytes are None where a line is too long.

        A last line without its end waits, unless it is a whole JSON object already.

        Args:
            budget: bytes to look at in this call, so that other work gets its turn; never less than one line.
        """
        try:
            with self.path.open("rb") as stream:
                status = os.fstat(stream.fileno())
                self._notice(status, stream.read(_HEAD))
                stream.seek(self.done)
                end = min(status.st_size, self.done + max(budget, LONGEST + _CHUNK))
                yield from self._lines(stream, end)
                if self.done >= status.st_size or end == status.st_size:
                    self._stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
        except OSError:
            return

    def _notice(self, status: os.stat_result, head: bytes) -> None:
        replaced = self._inode and status.st_ino != self._inode
        # verl opens a dump with "w": a resumed training writes the same name anew.
        if replaced or status.st_size < self.done or not head.startswith(self._head):
            self.done = 0
            self.version += 1
        self._inode, self._head = status.st_ino, head

    def _lines(self, stream: Any, end: int) -> Iterator[tuple[int, int, bytes | None]]:
        rest = b""
        place = self.done  # of the first byte of rest
        while place + len(rest) < end and (data := cast("bytes", stream.read(_CHUNK))):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.done = place + len(line) + 1
                if line.strip():
                    yield place, len(line), line
                place = self.done
            if len(rest) > LONGEST:
                size = self._skip(stream, place + len(rest)) - place
                if size < 0:
                    return
                self.done = place + size + 1
                yield place, size, None
                place, rest = self.done, b""
        if rest.rstrip().endswith(b"}") and object_of(rest) is not None:
            self.done = place + len(rest)
            yield place, len(rest), rest

    def _skip(self, stream: Any, position: int) -> int:
        """The place of the next line end, and the stream behind it; -1 where the line has none yet."""
        while data := cast("bytes", stream.read(_CHUNK)):
            found = data.find(b"\n")
            if found >= 0:
                stream.seek(position + found + 1)
                return position + found
            position += len(data)
        return -1


def object_of(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line; None where it is none. NaN and Infinity are accepted, as Python writes them."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def read_at(path: Path, offset: int, size: int) -> bytes:
    """A piece of a file; b"" where it can't be read."""
    try:
        with path.open("rb") as stream:
            stream.seek(offset)
            return stream.read(min(size, LONGEST))
    except OSError:
        return b""
