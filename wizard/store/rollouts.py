"""What the pane of trajectories shows: the step, its trajectories, their order and choice. No Textual in here.

`RolloutView.read` does the slow work in a thread, in slices of a fraction of a second; `apply` takes its result in the
screen's thread. What a person asks for meanwhile makes the thread give up at the next row.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...runner.stream.rollout_summary import ONLY, SORTS, Only, Sort, Summary, only_entries, sort_entries, summary_of
from ...runner.stream.rollout_types import Entry, Rollout, StepInfo
from ...runner.stream.rollouts import Place, RolloutStore

SLICE = 0.25
"""Seconds that one call of `RolloutView.read` takes at most, so that what is read is seen while more is read."""
_LONGER = 6
# So many slices at once where there is much already: each ends with work that grows with the number of rows.
_MANY = 1000


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be read: a step (None: the newest) of training or validation, and what its texts must hold."""

    step: int | None = None
    validation: bool = False
    words: str = ""
    number: int = 0


@dataclass(slots=True)
class Found:
    """What a reading brought; ``more`` says that there is more of it."""

    wish: Wish
    steps: list[StepInfo] = field(default_factory=list[StepInfo])
    info: StepInfo | None = None
    entries: list[Entry] = field(default_factory=list[Entry])
    matching: frozenset[int] | None = None
    searched: int = 0
    summary: Summary = field(default_factory=Summary)
    more: bool = False


class RolloutView:
    """The trajectories of a run as a person looks at them.

    Attributes:
        steps: those of training or validation, whichever is looked at, ascending.
        info: the step that is shown; None while there is none.
        entries: all its trajectories in the order of the dump.
        shown: those that are chosen, in the chosen order.
        following: the newest step is shown whenever there is a newer one.
        loading: more of the step is being read.
        looked: something was read at least once.
    """

    def __init__(self, attempts: Sequence[Sequence[Place]]) -> None:
        self.store = RolloutStore(attempts)
        self.steps: list[StepInfo] = []
        self.all_steps: list[StepInfo] = []
        self.info: StepInfo | None = None
        self.entries: list[Entry] = []
        self.shown: list[Entry] = []
        self.summary = Summary()
        self.following = True
        self.validation = False
        self.sort: Sort = "order"
        self.only: Only = "all"
        self.words = ""
        self.loading = False
        self.looked = False
        self.wish = Wish()
        self._lock = threading.Lock()
        self._matching: frozenset[int] | None = None
        self._searched: tuple[StepInfo | None, str, int, frozenset[int]] = (None, "", 0, frozenset())

    # -- in the thread ---------------------------------------------------------------------------------------------

    def read(self, wish: Wish) -> Found:
        """Look for news and read a slice of the step that is wished for. Never raises for what stands in files."""
        end = time.monotonic() + (SLICE if len(self.entries) < _MANY else _LONGER * SLICE)

        def stopped() -> bool:
            time.sleep(0)  # gives way to the screen, which else waits for the interpreter at each key
            return self.wish.number != wish.number or time.monotonic() > end

        found = Found(wish)
        with self._lock:
            found.more = self.store.look(stopped=stopped)
            found.steps = self.store.steps()
            found.info = _chosen(found.steps, wish)
            if found.info is not None:
                found.entries = self.store.entries(found.info, stopped)
                found.more = found.more or self.store.pending(found.info)
                if wish.words:
                    self._search(found, stopped)
                found.summary = summary_of(found.entries)
        return found

    def _search(self, found: Found, stopped: Callable[[], bool]) -> None:
        info, words, done, hits = self._searched
        if (info, words) != (found.info, found.wish.words) or done > len(found.entries):
            done, hits = 0, frozenset[int]()
        more = set(hits)
        while done < len(found.entries):
            if stopped():
                break
            if holds(self.store.words(found.entries[done]), found.wish.words):
                more.add(done)
            done += 1
        self._searched = (found.info, found.wish.words, done, frozenset(more))
        found.matching = frozenset(more)
        found.searched = done
        found.more = found.more or done < len(found.entries)

    def totals(self) -> dict[int, tuple[int, Mapping[str, float]]]:
        """What the trajectories of each step amount to, as far as they were read; reads on for a slice."""
        end = time.monotonic() + 3 * SLICE

        def stopped() -> bool:
            time.sleep(0)
            return time.monotonic() > end

        with self._lock:
            self.store.look(stopped=stopped)
            if not stopped():
                self.store.look_closer(stopped)
            return self.store.totals()

    def load(self, entry: Entry) -> Rollout | None:
        """The whole trajectory."""
        return self.store.read(entry)

    # -- on the screen ---------------------------------------------------------------------------------------------

    def apply(self, found: Found) -> bool:
        """Take what was read, unless something else is wished for by now; True where it changes what is shown."""
        if found.wish.number != self.wish.number:
            return False
        before = (self.info, len(self.entries), len(self.all_steps), self._matching, self.loading, self.looked)
        self.looked = True
        self.all_steps = found.steps
        if found.info is not None and not self.wish.validation and found.info.validation:
            self.validation = True  # there is nothing but validation
        self.steps = [one for one in found.steps if one.validation == self.validation]
        self.info, self.entries, self._matching = found.info, found.entries, found.matching
        self.loading = found.more
        after = (self.info, len(self.entries), len(self.all_steps), self._matching, self.loading, self.looked)
        if before == after:
            return False
        self.summary = found.summary
        self._choose()
        return True

    def _choose(self) -> None:
        chosen = only_entries(self.entries, self.only)
        if self._matching is not None:
            matching = self._matching
            chosen = [one for one in chosen if one.index in matching]
        self.shown = sort_entries(chosen, self.sort)

    def _ask(self, step: int | None) -> None:
        self.wish = Wish(step, self.validation, self.words, self.wish.number + 1)

    def go(self, step: int) -> bool:
        """Show a step; False where it has no trajectories."""
        if all(one.step != step for one in self.steps):
            return False
        self.following = step == self.steps[-1].step and self.following
        self._ask(None if self.following else step)
        return True

    def move(self, by: int) -> int | None:
        """The next or previous step that has trajectories; None where there is none."""
        if self.info is None or not self.steps:
            return None
        place = self.steps.index(self.info) if self.info in self.steps else len(self.steps) - 1
        target = self.steps[min(max(place + by, 0), len(self.steps) - 1)]
        if target == self.info:
            return None
        self.following = False
        self._ask(target.step)
        return target.step

    def follow(self) -> None:
        """Show the newest step from now on, or stay at this one."""
        self.following = not self.following
        self._ask(None if self.following or self.info is None else self.info.step)

    def toggle_validation(self) -> bool:
        """From training to validation and back, to the same step where it has both; False where there is one only."""
        other = [one for one in self.all_steps if one.validation != self.validation]
        if not other:
            return False
        self.validation = not self.validation
        same = self.info is not None and StepInfo(self.info.step, self.validation) in other
        self._ask(self.info.step if same and self.info is not None and not self.following else None)
        return True

    def find(self, words: str) -> None:
        """Show only trajectories whose text holds some words; "" shows all."""
        if words != self.words:
            self.words = words
            self._ask(None if self.following or self.info is None else self.info.step)

    def next_sort(self) -> None:
        """The next order."""
        self.sort = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]
        self._choose()

    def next_only(self) -> None:
        """All, failed, solved."""
        self.only = ONLY[(ONLY.index(self.only) + 1) % len(ONLY)]
        self._choose()

    def show_all(self) -> None:
        """Failed and solved ones."""
        self.only = "all"
        self._choose()


def holds(text: str, words: str) -> bool:
    """Whether a text holds some words; capitals matter where some are asked for."""
    return words in (text if words != words.lower() else text.lower())


def _chosen(steps: Sequence[StepInfo], wish: Wish) -> StepInfo | None:
    kind = [one for one in steps if one.validation == wish.validation] or list(steps)
    if wish.step is None:
        return kind[-1] if kind else None
    return next((one for one in kind if one.step == wish.step), kind[-1] if kind else None)
