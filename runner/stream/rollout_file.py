"""One dump: where its rows are, and what is kept of them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .rollout_index import LONGEST, LineIndex, object_of, read_at
from .rollout_row import rollout_of
from .rollout_totals import Totals
from .rollout_types import Entry, Rollout, StepInfo

STEP_NAME = re.compile(r"(?:step_?)?(\d{1,12})\.jsonl$")
KEPT = 6
"""Steps whose entries are kept; more would be gigabytes in a long run."""
_EXCERPT = 160
_FOLDED = re.compile(r"\s+")


class DumpFile:
    """A dump: where its rows are, by step; the entries of the steps last looked at; the totals of each step."""

    def __init__(self, path: Path, number: int, validation: bool, attempt: int) -> None:
        self.path = path
        self.attempt = attempt
        self.number = number
        self.validation = validation
        named = STEP_NAME.match(path.name)
        self.step = int(named[1]) if named else None
        # Whether it holds what no metric of verl tells, the bridge's numbers; None until somebody looked.
        self.told: bool | None = True if self.step is None else None
        self.index = LineIndex(path)
        self._start_over()

    def _start_over(self) -> None:
        self.version = self.index.version
        self.last: StepInfo | None = None
        self.places: dict[StepInfo, array[int]] = {}
        self.totals: dict[StepInfo, Totals] = {}
        self._entries: dict[StepInfo, list[tuple[Entry, str]]] = {}

    def read(self, budget: int, stopped: Callable[[], bool]) -> None:
        """Read on."""
        for offset, size, line in self.index.grow(budget):
            if self.version != self.index.version:
                self._start_over()
            entry, whole = _entry(self, offset, size, line)
            info = StepInfo(max(entry.step, 0), entry.validation)
            if entry.broken and self.step is None:
                # It stands behind the step that was written last; a file of which no row is a trajectory isn't ours.
                if self.last is None:
                    continue
                info = self.last
            self._take(info, replace(entry, step=info.step), whole)
            if stopped():
                return

    def _take(self, info: StepInfo, entry: Entry, whole: Rollout | None) -> None:
        self.last = info
        if info not in self.places:
            self.places[info] = array("q")
            self.totals[info] = Totals()
            self._keep(info, [])
        self.places[info].extend((entry.offset, entry.size))
        if whole is not None:
            self.totals[info].add(whole)
        if info in self._entries:
            self._entries[info].append((entry, whole.group if whole is not None else f"broken:{entry.offset}"))

    def _keep(self, info: StepInfo, rows: list[tuple[Entry, str]]) -> None:
        self._entries[info] = rows
        while len(self._entries) > KEPT:
            oldest = next(iter(self._entries))
            del self._entries[oldest]
            self.totals[oldest].close()

    def entries(self, info: StepInfo) -> list[tuple[Entry, str]]:
        """The rows of a step with their groups; read again where they were put away."""
        if info in self.places and info not in self._entries:
            spots = self.places[info]
            rows: list[tuple[Entry, str]] = []
            for offset, size in zip(spots[::2], spots[1::2], strict=True):
                entry, whole = _entry(self, offset, size, read_at(self.path, offset, size) if size <= LONGEST else None)
                group = whole.group if whole is not None else f"broken:{offset}"
                rows.append((replace(entry, step=info.step, validation=info.validation), group))
            self._keep(info, rows)
        return self._entries.get(info, [])

    def put_away(self) -> None:
        """Keep only where the rows are."""
        self._entries.clear()

    def tells_more(self) -> bool:
        """Look whether its first rows hold the bridge's numbers."""
        if self.told is None:
            head = read_at(self.path, 0, 1 << 16)
            self.told = b'"traj_' in head if b"\n" in head else None
        return bool(self.told)


def _entry(one: DumpFile, offset: int, size: int, line: bytes | None) -> tuple[Entry, Rollout | None]:
    row = None if line is None else object_of(line)
    place = Entry(-1 if one.step is None else one.step, 0, 0, one.number, offset, size, validation=one.validation)
    if row is None:
        return replace(place, broken=True), None
    whole = rollout_of(row, place.step, one.validation)
    if not whole.turns and whole.reward is None and not whole.problem:
        return replace(place, broken=True), None
    # The name decides where there is one: a dump is about one step, whatever a row of it says.
    step, validation = (whole.step, whole.validation) if one.step is None else (one.step, one.validation)
    asked = next((turn.text for turn in reversed(whole.turns) if turn.role == "user"), whole.prompt)
    answered = next((turn.text for turn in reversed(whole.turns) if turn.model), whole.response)
    return replace(
        place,
        step=step,
        validation=validation,
        reward=whole.reward,
        steps=whole.steps,
        tool_calls=whole.tool_calls,
        times=whole.times,
        solved=whole.solved,
        asked=_folded(_asked_of(whole) or asked)[:_EXCERPT],
        answered=_folded(whole.problem)[:_EXCERPT] or _folded(answered[-4 * _EXCERPT :])[-_EXCERPT:],
    ), whole


def _asked_of(whole: Rollout) -> str:
    """The question: what was said last before the model's first turn."""
    for place, turn in enumerate(whole.turns):
        if turn.model:
            return whole.turns[place - 1].text[: 4 * _EXCERPT] if place else ""
    return ""


def _folded(text: str) -> str:
    return _FOLDED.sub(" ", text).strip()
