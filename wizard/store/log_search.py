"""The lines of a log that match a query and a level, found a chunk at a time in the reader's thread."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence

from .log_index import Chunk, LogIndex
from .log_query import Query
from .log_text import show

_ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")


class Search:
    """Matching lines so far.

    Attributes:
        done: lines before this one were looked at.
        hits: numbers of the matching lines, ascending.
    """

    def __init__(self, index: LogIndex, query: Query) -> None:
        self.index = index
        self.query = query
        self.clear()

    def clear(self) -> None:
        """Start over: the file was replaced."""
        self.done = 0
        self.hits = array("Q")

    def take(self, chunk: Chunk) -> None:
        """Look at the lines of a chunk (which begins with line `done`)."""
        if not chunk.plain:
            self._take_lines(chunk)
        elif self.query.needs:
            self._take_plain(chunk)
        else:
            lines = chunk.data.decode("utf-8", "replace").split("\n")[: chunk.last - chunk.first]
            search = self.query.pattern.search
            if b"\x1b" in chunk.data:
                self._take_lines(chunk)
            else:
                self.hits.extend(n for n, line in enumerate(lines, chunk.first) if search(line))
        self.done = chunk.last

    def _take_lines(self, chunk: Chunk) -> None:
        for number, raw in self.index.lines_of(chunk):
            if self.query.found_in(show(raw)):
                self.hits.append(number)

    def _take_plain(self, chunk: Chunk) -> None:
        """Look for the rarest thing first: the longest literal, in the whole chunk at once."""
        query = self.query
        data = chunk.data
        if b"\x1b" in data:
            data = _ESCAPES.sub(b"", data)  # colours may stand in the middle of what is looked for
        word = max(query.needs, key=len)
        needle = word.encode("utf-8", "surrogatepass")
        if query.matches_case or needle.isascii():
            haystack = data if query.matches_case else data.lower()
            self._find(chunk.first, data, haystack, needle)
            return
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), chunk.first):
            if number < chunk.last and query.found_in(line):
                self.hits.append(number)

    def _find(self, number: int, data: bytes, haystack: bytes, needle: bytes) -> None:
        literal = not self.query.regex
        counted = 0
        found = haystack.find(needle)
        while found >= 0:
            end = haystack.find(b"\n", found)
            end = len(haystack) if end < 0 else end
            number += haystack.count(b"\n", counted, found)
            counted = found
            if literal:
                self.hits.append(number)
            else:
                start = haystack.rfind(b"\n", 0, found) + 1
                line = data[start:end].decode("utf-8", "replace")
                if self.query.possible_in(line if self.query.matches_case else line.lower()) and (
                    self.query.found_in(line)
                ):
                    self.hits.append(number)
            found = haystack.find(needle, end)


class Rows:
    """Rows of the pane when not every line is shown: those in both of two ascending, growing lists.

    Attributes:
        lines: line numbers of the rows.
    """

    def __init__(self, first: Sequence[int], second: Sequence[int] | None) -> None:
        self.first = first
        self.second = second
        self._taken = 0
        self._both = array("Q")

    @property
    def lines(self) -> Sequence[int]:
        """Line numbers, ascending."""
        return self.first if self.second is None else self._both

    def update(self, until: int) -> None:
        """Take what was added to the first list; only lines before ``until``, which both lists know about."""
        second = self.second
        if second is None:
            return
        first = self.first
        while self._taken < len(first) and first[self._taken] < until:
            line = first[self._taken]
            position = bisect_left(second, line)
            if position < len(second) and second[position] == line:
                self._both.append(line)
            self._taken += 1
