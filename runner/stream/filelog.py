"""Readers of JSON-lines files that grow: verl's ``file`` logger, and our own metrics, events and device files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

_HEAD = 256
_CHUNK = 1 << 20
_LONGEST = 64 << 20


class GrowingFile:
    """Reads what was appended to a file since the last call; starts over when it was replaced or truncated.

    verl opens its log with "wb", so a resumed training truncates it, possibly to something that soon is longer
    than before: the first bytes are remembered and compared, not only the size.
    """

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        self.path = Path(path)
        self.offset = offset
        self.restarted = False
        self._inode = 0
        self._head = b""

    def read(self, limit: int = _CHUNK) -> bytes:
        """Return up to ``limit`` new bytes; b"" when there are none or the file can't be read."""
        self.restarted = False
        try:
            with self.path.open("rb") as stream:
                status = os.fstat(stream.fileno())
                head = stream.read(_HEAD)
                if (
                    (self._inode and status.st_ino != self._inode)
                    or status.st_size < self.offset
                    or not head.startswith(self._head)
                ):
                    self.offset = 0
                    self.restarted = True
                self._inode = status.st_ino
                self._head = head
                stream.seek(self.offset)
                data = stream.read(limit)
        except OSError:
            return b""
        self.offset += len(data)
        return data


class JsonLines:
    """Complete JSON objects of a growing file; a half-written last line waits, a broken line is skipped.

    Attributes:
        broken: how many lines were no JSON object.
    """

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        self.file = GrowingFile(path, offset)
        self.broken = 0
        self._rest = b""

    def read(self) -> list[dict[str, Any]]:
        """Return the objects that were completed since the last call."""
        return [row for rows in self.pieces() for row in rows]

    def pieces(self) -> Iterator[list[dict[str, Any]]]:
        """The same a megabyte at a time, for files that are not to be held in memory as a whole."""
        while data := self.file.read():
            if self.file.restarted:
                self._rest = b""
            lines = (self._rest + data).split(b"\n")
            self._rest = lines.pop()
            if len(self._rest) > _LONGEST:
                self._rest = b""
                self.broken += 1
            rows: list[dict[str, Any]] = []
            for line in lines:
                row = _object(line)
                if row is not None:
                    rows.append(row)
                elif line.strip():
                    self.broken += 1
            yield rows


def _object(line: bytes) -> dict[str, Any] | None:
    if not line.strip():
        return None
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def metric_row(row: Mapping[str, Any]) -> tuple[int, dict[str, float]] | None:
    """(step, numbers) of a row ``{"step": n, "data": {...}}``; null means nan; what is no number is left out."""
    step: Any = row.get("step")
    data: Any = row.get("data")
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not isinstance(data, dict):
        return None
    try:
        number = int(step)
    except (ValueError, OverflowError):  # NaN, Infinity
        return None
    values: dict[str, float] = {}
    for key, value in cast("dict[str, Any]", data).items():
        if value is None:
            values[key] = float("nan")
        elif isinstance(value, (int, float)):
            values[key] = float(value)
    return number, values
