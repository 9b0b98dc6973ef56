"""The lines of a file with the numbers that an editor or ``grep -n`` gives them, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

_CHUNK = 1 << 20
_LONGEST = 1 << 20


def numbered_lines(stream: BinaryIO, skip: int = 0) -> Iterator[tuple[int, bytes]]:
    """(number, bytes) of every line; the redraws of a progress bar within a line share its number.

    Args:
        stream: opened for reading bytes, at its start.
        skip: so many bytes at the beginning are only counted, not delivered.

    Yields:
        Numbers from 1. A line longer than 1 MiB is delivered in its first MiB only.
    """
    number = 1
    rest = b""
    cut = False
    while skip > 0 and (data := stream.read(min(_CHUNK, skip))):
        number += data.count(b"\n")
        skip -= len(data)
        cut = not data.endswith(b"\n")  # the line in which the reading begins is not whole
    while data := stream.read(_CHUNK):
        *lines, tail = data.split(b"\n")
        for line in lines:
            if not cut:
                yield from _parts(number, rest + line if rest else line)
            rest, cut = b"", False
            number += 1
        if cut:
            continue
        rest += tail
        if len(rest) > _LONGEST:
            done, mark, rest = rest.rpartition(b"\r")
            if mark:
                yield from _parts(number, done)
            if len(rest) > _LONGEST:
                yield from _parts(number, rest[:_LONGEST])
                rest, cut = b"", True
    if rest:
        yield from _parts(number, rest)


def _parts(number: int, line: bytes) -> Iterator[tuple[int, bytes]]:
    if b"\r" not in line:
        yield number, line if len(line) <= _LONGEST else line[:_LONGEST]
        return
    for part in line.split(b"\r"):
        if part:
            yield number, part[:_LONGEST]
