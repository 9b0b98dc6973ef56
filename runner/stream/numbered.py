"""The lines of a big file that are worth reading, with the numbers that an editor or ``grep -n`` gives them.

A log of 100 MB has a million lines, of which some hundreds matter. Looking for words in a megabyte at once costs a
twentieth of asking each line; memory stays at a few megabytes whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

_CHUNK = 1 << 20
_LONGEST = 1 << 20

Line = tuple[int, bytes]


def marked_lines(
    stream: BinaryIO, words: Sequence[bytes], until: Callable[[], int] = lambda: 0, skip: int = 0
) -> Iterator[Line]:
    """(number, bytes) of the lines that hold a word; the redraws of a progress bar within a line share its number.

    Args:
        stream: opened for reading bytes, at its start.
        words: in lower case; case doesn't matter in the file.
        until: asked after each line: every line up to this number is wanted, whatever it holds.
        skip: so many bytes at the beginning are only counted, not read.

    Yields:
        Numbers from 1, rising; last of all the number of the last line, with no bytes. A line longer than 1 MiB is
        delivered in its first MiB only.
    """
    number, whole = 1, True
    while skip > 0 and (data := stream.read(min(_CHUNK, skip))):
        number += data.count(b"\n")
        skip -= len(data)
        whole = data.endswith(b"\n")  # else the line in which the reading begins is not whole
    rest = b""
    while data := stream.read(_CHUNK):
        if not whole:
            _, mark, data = data.partition(b"\n")
            if not mark:
                continue
            number, whole = number + 1, True
        end = data.rfind(b"\n") + 1
        if end:
            block = rest + data[:end] if rest else data[:end]
            yield from _of_block(block, number, words, until)
            number += block.count(b"\n")
            rest = data[end:]
        else:
            rest += data
        if len(rest) > _LONGEST:
            done, mark, tail = rest.rpartition(b"\r")
            if mark and len(tail) <= _LONGEST:
                yield from _parts(number, done)
                rest = tail
            else:
                yield from _parts(number, rest)
                rest, whole = b"", False
    if rest:
        yield from _of_block(rest, number, words, until)
        number += 1
    if number > 1:
        yield number - 1, b""


def _of_block(block: bytes, number: int, words: Sequence[bytes], until: Callable[[], int]) -> Iterator[Line]:
    """The lines of a block that begins with line ``number``."""
    starts = _starts(block, words)
    place = position = 0
    while position < len(block):
        if number > until():
            while place < len(starts) and starts[place] < position:
                place += 1
            if place == len(starts):
                return
            number += block.count(b"\n", position, starts[place])
            position = starts[place]
        end = block.find(b"\n", position)
        end = len(block) if end < 0 else end
        yield from _parts(number, block[position:end])
        position, number = end + 1, number + 1


def _starts(block: bytes, words: Sequence[bytes]) -> list[int]:
    """Where the lines begin that hold a word, ascending."""
    low = block.lower()
    starts: set[int] = set()
    for word in words:
        found = low.find(word)
        while found >= 0:
            starts.add(low.rfind(b"\n", 0, found) + 1)
            end = low.find(b"\n", found)
            found = low.find(word, end) if end >= 0 else -1
    return sorted(starts)


def _parts(number: int, line: bytes) -> Iterator[Line]:
    if b"\r" not in line:
        yield number, line[:_LONGEST]
        return
    parts = line.split(b"\r")
    for place, part in enumerate(parts):
        # A bar that is drawn again tells nothing that the next drawing doesn't, unless something is glued to it.
        if part and not (place + 1 < len(parts) and _is_bar(part) and _is_bar(parts[place + 1])):
            yield number, part[:_LONGEST]


def _is_bar(part: bytes) -> bool:
    return len(part) < 400 and b"%|" in part and b"step:" not in part


def fewest(words: Sequence[bytes]) -> tuple[bytes, ...]:
    """The words without those that hold another of them: finding the shorter one finds their lines as well."""
    kept: list[bytes] = []
    for word in sorted(set(words), key=lambda one: (len(one), one)):
        if not any(other in word for other in kept):
            kept.append(word)
    return tuple(kept)
