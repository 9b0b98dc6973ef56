"""The thread that reads a log for a pane: index, levels, search. The screen only looks at what is there.

Nothing is sent to the screen: it asks four times a second (`snapshot`), so a fast log can't flood it.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .log_index import LogIndex, Status
from .log_levels import LevelIndex
from .log_query import Query
from .log_search import Rows, Search

Threshold = Literal["all", "warning", "error"]
THRESHOLDS: tuple[Threshold, ...] = ("all", "warning", "error")

INTERVAL = 0.2
AT_ONCE = 1 << 18
# Between two pieces of work the screen's thread gets the interpreter at once instead of after a switch interval.
BREATH = 0.0005


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the screen compares to know whether it must paint."""

    generation: int
    lines: int
    rows: int
    hits: int
    errors: int
    classified: int
    behind: int
    searching: bool
    status: Status


class LogReader:
    """Reads one file in a thread of its own.

    Attributes:
        index: the lines; levels: errors, warnings and steps.
        preview: the last lines of a large file, until they are indexed.
    """

    def __init__(self, path: str | Path, interval: float = INTERVAL) -> None:
        self.index = LogIndex(path)
        self.levels = LevelIndex(self.index)
        self.search: Search | None = None
        self.threshold: Threshold = "all"
        self.only_matching = False
        self.preview: list[bytes] = []
        self._rows: Rows | None = None
        self._interval = interval
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._generation = 0
        self._thread: threading.Thread | None = None

    def look(self) -> None:
        """See what can be seen at once, in the calling thread: a small file, or the end of a large one."""
        self.index.poll()
        if self.index.behind <= AT_ONCE:
            self.catch_up()
        else:
            self.preview = self.index.tail()

    def start(self) -> None:
        """Begin to read; after the first paint, because two busy threads paint late."""
        self._thread = threading.Thread(target=self._run, name="log-reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the file."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(2)
        self.index.close()

    def find(self, query: Query | None) -> None:
        """Look for something else (or for nothing) from now on; the search under way is dropped."""
        with self._lock:
            self.search = Search(self.index, query) if query else None
            self._choose_rows()
        self._wake.set()

    def show_only(self, threshold: Threshold, matching: bool) -> None:
        """Show only lines of a level or above, only matching ones, or both."""
        with self._lock:
            self.threshold = threshold
            self.only_matching = matching
            self._choose_rows()
        self._wake.set()

    @property
    def filtered(self) -> bool:
        """Whether some lines are hidden."""
        return self._rows is not None

    @property
    def rows(self) -> Sequence[int] | None:
        """Line numbers of the rows; None when every line is shown."""
        return None if self._rows is None else self._rows.lines

    def row_count(self) -> int:
        """How many rows there are to show."""
        rows = self.rows
        return self.index.line_count if rows is None else len(rows)

    def line_of_row(self, row: int) -> int:
        """The line that a row shows; -1 when there is no such row."""
        rows = self.rows
        if rows is None:
            return row if 0 <= row < self.index.line_count else -1
        return rows[row] if 0 <= row < len(rows) else -1

    def row_of_line(self, line: int) -> int:
        """The row of a line; of the next line that is shown where it is hidden itself."""
        rows = self.rows
        return line if rows is None else min(bisect_left(rows, line), max(0, len(rows) - 1))

    def hit_near(self, line: int, direction: int) -> int | None:
        """The row of the next match after a line (or before it), among the rows that are shown; wraps around."""
        hits = self.search.hits if self.search else ()
        count = len(hits)
        position = bisect_right(hits, line) if direction > 0 else bisect_left(hits, line) - 1
        for _ in range(count):
            hit = hits[position % count]
            row = self.row_of_line(hit)
            if self.line_of_row(row) == hit:
                return row
            position += direction
        return None

    def snapshot(self) -> Snapshot:
        """Counts as of now."""
        search = self.search
        index = self.index
        return Snapshot(
            index.generation,
            index.line_count,
            self.row_count(),
            len(search.hits) if search else 0,
            len(self.levels.errors),
            self.levels.done,
            index.behind,
            search is not None and search.done < index.line_count - 1,
            index.status,
        )

    def catch_up(self) -> None:
        """Do everything that can be done now, in the calling thread (tests, `first paint` of a small file)."""
        self.index.poll()
        while self._step():
            pass

    def _choose_rows(self) -> None:
        level = {"all": None, "warning": self.levels.severe, "error": self.levels.errors}[self.threshold]
        hits = self.search.hits if self.search and self.only_matching else None
        if hits is None:
            self._rows = None if level is None else Rows(level, None)
        else:
            self._rows = Rows(hits, level)

    def _run(self) -> None:
        while not self._ended.is_set():
            self.index.poll()
            while not self._ended.is_set() and self._step():
                time.sleep(BREATH)
            self._wake.wait(self._interval)
            self._wake.clear()

    def _step(self) -> bool:
        """One piece of work, small enough to be cancelled soon; False when there is nothing left to do."""
        index, levels = self.index, self.levels
        with self._lock:
            if index.generation != self._generation:
                self._generation = index.generation
                levels.clear()
                if self.search:
                    self.search.clear()
                self._choose_rows()
            search = self.search
        if index.scan():
            return True
        self.preview = []
        worked = False
        # What the user waits for comes first.
        for consumer in (search, levels):
            if consumer is None:
                continue
            for chunk in index.chunks(consumer.done):
                consumer.take(chunk)
                worked = True
                if consumer is levels:
                    break
                if self.search is not search or self._ended.is_set():
                    return True
                time.sleep(BREATH)
        with self._lock:
            if self._rows is not None and search is not None:
                self._rows.update(min(search.done, levels.done))
        return worked
