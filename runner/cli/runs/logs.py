"""`agentic-rl logs`: clean lines of train.log, from its end or all of it, and as it grows."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ...process.index import read_run
from ...process.record import ENDED, RunRecord
from ...stream import GrowingFile, LineSplitter, clean_line

_BLOCK = 1 << 18


def tail_offset(path: Path, lines: int) -> int:
    """Where the last ``lines`` lines begin; looks at the end of the file only, however large it is."""
    with path.open("rb") as stream:
        position = stream.seek(0, os.SEEK_END)
        wanted = lines
        if position:
            stream.seek(position - 1)
            wanted += stream.read(1) == b"\n"
        if lines <= 0:
            return position
        while position > 0:
            size = min(_BLOCK, position)
            position -= size
            stream.seek(position)
            block = stream.read(size)
            count = block.count(b"\n")
            if count >= wanted:
                end = len(block)
                for _ in range(wanted):
                    end = block.rfind(b"\n", 0, end)
                return position + end + 1
            wanted -= count
    return 0


def _lines(file: GrowingFile, splitter: LineSplitter) -> Iterator[str]:
    while data := file.read():
        yield from map(clean_line, splitter.feed(data))


def print_log(
    record: RunRecord,
    path: Path,
    out: TextIO,
    count: int | None,
    pattern: re.Pattern[str] | None,
    follow: bool,
) -> None:
    """Print the log.

    Args:
        record: the run, for its end when following.
        path: train.log.
        out: where to.
        count: only the last so many lines (of those that match); all if None.
        pattern: only lines in which it is found.
        follow: go on until the run has ended and all is printed.

    Raises:
        FileNotFoundError: there is no log.
    """
    path.stat()
    offset = tail_offset(path, count) if count is not None and pattern is None else 0
    file, splitter = GrowingFile(path, offset), LineSplitter()
    lines = _lines(file, splitter)
    if pattern:
        lines = (line for line in lines if pattern.search(line))
    if count is not None and pattern:
        lines = iter(deque(lines, maxlen=max(count, 0)))
    for line in lines:
        out.write(line + "\n")
    while follow:
        out.flush()
        ended = read_run(record.directory).state in ENDED
        for line in _lines(file, splitter):
            if not pattern or pattern.search(line):
                out.write(line + "\n")
        if ended:
            break
        time.sleep(0.2)
    for line in map(clean_line, splitter.close()):
        if not pattern or pattern.search(line):
            out.write(line + "\n")
