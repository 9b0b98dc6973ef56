"""Where the lines of a growing log file begin: 8 bytes a line, nothing else is kept.

A training log may hold a million lines, grow by thousands a second, be truncated, rotated or deleted while it is
looked at, and contain any bytes. The file stays the store: a row of the screen is read with ``pread`` when it is
shown. Measured anchors and the reason for an ``array('Q')`` are in bench/run_view.py.

A carriage return ends a line, because the text before it must not be lost (verl's metrics come glued to a bar);
only redraws of a progress bar that are followed by another redraw are collapsed into the newest.
"""

from __future__ import annotations

import os
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, count
from pathlib import Path
from stat import S_ISREG
from typing import Literal, NamedTuple

READ = 1 << 18
PAGE = 1 << 16
LINE_CUT = 4096
FULL_CUT = 16 << 20

Status = Literal["missing", "open", "vanished", "refused"]

_REDRAW = re.compile(rb"\d%\|| ?\d+%\s|\d(?:it/s|s/it)\b")
# Ray writes its prefix, then a bar that begins with a carriage return: one line, so that the worker stays known.
_TERMINATOR = re.compile(rb"\r?\n|(?<!\) )(?<!\)\x1b\[0m )\r")
_EDGE = 64


class Chunk(NamedTuple):
    """Whole lines of the file: ``data`` begins with line ``first`` and ends with the end of line ``last - 1``."""

    first: int
    last: int
    data: bytes
    plain: bool
    """No carriage return inside: lines can be counted by their newlines."""


class LogIndex:
    """The lines of one file; `poll` and `scan` belong to one thread, everything else may be used from any.

    Attributes:
        path: the file.
        size: bytes that are indexed.
        file_size: bytes that the file has.
        generation: grows when the file was replaced or truncated, and line numbers therefore mean something new.
        status: ``missing`` (not there yet), ``open``, ``vanished`` (deleted; still readable through the open
            descriptor where the file system allows), ``refused`` (no permission, or not a regular file).
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.size = 0
        self.file_size = 0
        self.generation = 0
        self.status: Status = "missing"
        self._starts = array("Q", [0])
        self._descriptor: int | None = None
        self._identity = (0, 0)
        self._edge = b""
        self._redraw = False
        self._pages: dict[int, bytes] = {}

    @property
    def line_count(self) -> int:
        """Lines, the unfinished last one included."""
        complete = len(self._starts) - 1
        return complete + 1 if self.size > self._starts[-1] else complete

    @property
    def behind(self) -> int:
        """Bytes of the file that aren't indexed yet."""
        return max(0, self.file_size - self.size)

    def close(self) -> None:
        """Close the file."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def poll(self) -> None:
        """Look at the file: open it when it appears, notice growth, truncation, rotation, disappearance."""
        try:
            status = self.path.stat()
        except PermissionError:
            self.status = "refused"
            return
        except OSError:
            self.status = "missing" if self._descriptor is None else "vanished"
            return
        identity = (status.st_dev, status.st_ino)
        if self._descriptor is not None and identity == self._identity:
            self.status = "open"
            self.file_size = status.st_size
            if status.st_size < self.size or not self._same_edge():
                self._reset()
            return
        try:
            if not S_ISREG(status.st_mode):
                raise OSError(f"{self.path} is not a regular file")
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            self.status = "refused"
            return
        if self._descriptor is not None:
            self._reset()
            self.close()
        self._descriptor = descriptor
        self._identity = identity
        self.file_size = status.st_size
        self.status = "open"

    def scan(self, budget: int = 4 * READ) -> bool:
        """Index up to ``budget`` more bytes.

        Returns:
            Whether more is waiting.
        """
        end = min(self.file_size, self.size + budget)
        while self.size < end:
            data = self._read(self.size, min(READ, end - self.size))
            if data.endswith(b"\r"):
                data = data[:-1]  # the next byte decides whether this is CR LF
            if not data:
                break
            if b"\r" in data:
                self._add_with_returns(data)
            else:
                self._add(data)
        return self.size < self.file_size and end < self.file_size

    def offset(self, line: int) -> int:
        """Where a line begins, in bytes."""
        starts = self._starts
        return starts[line] if line < len(starts) else self.size

    def raw(self, line: int, limit: int = LINE_CUT) -> tuple[bytes, int]:
        """Bytes of a line without its end.

        Args:
            line: counted from 0; beyond the end gives an empty line.
            limit: at most so many bytes.

        Returns:
            The bytes and how many more the line has (0 when it is complete).
        """
        if not 0 <= line < self.line_count:
            return b"", 0
        start = self.offset(line)
        extent = max(0, self.offset(line + 1) - start)
        data = self._read_near(start, min(extent, limit + 2))
        end = _TERMINATOR.search(data)
        if end is not None:
            return data[: min(end.start(), limit)], max(0, end.start() - limit)
        ended = line < len(self._starts) - 1
        return data[:limit], max(0, extent - limit - ended)

    def tail(self, amount: int = 1 << 16) -> list[bytes]:
        """The last complete lines of the file as it is now, for the moment before everything is indexed."""
        start = max(0, self.file_size - amount)
        lines = self._read(start, amount).replace(b"\r", b"\n").split(b"\n")
        if start:
            del lines[0]
        return lines[:-1] if lines and not lines[-1] else lines

    def chunks(self, line: int, amount: int = READ) -> Iterator[Chunk]:
        """Complete lines from ``line`` on, at most ``amount`` bytes at a time, but at least one line.

        A line longer than ``amount`` comes alone, cut to that: nobody looks for a level or a word behind it.
        """
        while line < len(self._starts) - 1:
            starts = self._starts
            begin = starts[line]
            last = max(line + 1, bisect_right(starts, begin + amount, line + 1) - 1)
            extent = min(starts[last] - begin, amount)
            data = self._read(begin, extent)
            if len(data) < extent:
                return  # truncated meanwhile; the next poll notices
            yield Chunk(line, last, data, b"\r" not in data)
            line = last

    def lines_of(self, chunk: Chunk) -> Iterator[tuple[int, bytes]]:
        """The lines of a chunk, whatever they contain: (number, bytes)."""
        base = self.offset(chunk.first)
        for number in range(chunk.first, chunk.last):
            data = chunk.data[self.offset(number) - base : self.offset(number + 1) - base]
            end = _TERMINATOR.search(data)
            yield number, data if end is None else data[: end.start()]

    def _add(self, data: bytes) -> None:
        # accumulate(map(len, ...)) runs in C: 6 million lines a second instead of 2 with a loop over find().
        pieces = data.split(b"\n")
        pieces.pop()
        if pieces:
            ends = accumulate(map(len, pieces), initial=self.size)
            next(ends)
            self._starts.extend(array("Q", map(int.__add__, ends, count(1))))
            self._redraw = False
        self._finish(data)

    def _add_with_returns(self, data: bytes) -> None:
        begin = self.size
        position = 0
        for end in _TERMINATOR.finditer(data):
            start = self._starts[-1]
            segment = data[position : end.start()]
            position = end.end()
            lone = end.group() == b"\r"
            empty = begin + end.start() == start
            if empty and lone:
                self._starts[-1] = begin + position  # an empty redraw is no line
                continue
            redraw = _REDRAW.search(segment) is not None and b"step:" not in segment
            if redraw and self._redraw and len(self._starts) > 1:
                self._starts.pop(-2)  # the line before it is cut at its own end, so this forgets the older redraw
            self._starts.append(begin + position)
            self._redraw = redraw and lone
        self._finish(data)

    def _finish(self, data: bytes) -> None:
        self._edge = (self._edge + data[-_EDGE:])[-_EDGE:]
        self.size += len(data)

    def _same_edge(self) -> bool:
        """Whether the last indexed bytes are still there: a rewrite that soon is longer is found by this only."""
        return self._read(self.size - len(self._edge), len(self._edge)) == self._edge

    def _reset(self) -> None:
        self.generation += 1
        self.size = 0
        self._starts = array("Q", [0])
        self._edge = b""
        self._redraw = False
        self._pages = {}

    def _read_near(self, offset: int, amount: int) -> bytes:
        """As `_read`, from pages that are kept.

        A screen of rows lies in one or two pages. Each ``pread`` gives up the interpreter, and while the reader's
        thread is busy it takes milliseconds to get it back: 45 of them were a pause of a quarter of a second.
        """
        number, begin = divmod(offset, PAGE)
        if begin + amount > PAGE:
            return self._read(offset, amount)
        pages = self._pages  # a reset replaces them: what is read from the old file is stored in the old ones
        page = pages.get(number, b"")
        if len(page) < begin + amount:
            page = self._read(number * PAGE, PAGE)
            while len(pages) >= 16:
                pages.pop(next(iter(pages)), None)
            pages[number] = page
        return page[begin : begin + amount]

    def _read(self, offset: int, amount: int) -> bytes:
        descriptor = self._descriptor
        if descriptor is None or amount <= 0 or offset < 0:
            return b""
        try:
            return os.pread(descriptor, amount, offset)
        except OSError:  # a stale handle of a network file system
            return b""
