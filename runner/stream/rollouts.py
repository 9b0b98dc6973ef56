"""The trajectories of a run, step by step, read lazily from the dumps of whichever back end wrote them.

Two kinds of files: ``<step>.jsonl`` (verl: the name tells the step, so that nothing is read before the step is asked
for) and any other ``*.jsonl`` (the wrapper bridge, AgentSDK: each row tells its step). A folder whose name begins with
``val`` holds validation. Everything here may be called from one other thread, by one caller at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .rollout_file import KEPT, STEP_NAME, DumpFile
from .rollout_index import object_of, read_at
from .rollout_row import rollout_of, words_of
from .rollout_types import Entry, Rollout, StepInfo

_MOST_FILES = 100_000
_DEEPEST = 2


@dataclass(frozen=True, slots=True)
class Place:
    """Where dumps may be: a folder, or one file. ``validation`` None: the names of the folders tell."""

    path: Path
    validation: bool | None = None


class RolloutStore:
    """The dumps of a run, perhaps of several attempts: a later one wins from its first step on."""

    def __init__(self, attempts: Sequence[Sequence[Place]]) -> None:
        """Look at these places from now on, those of the first attempt first; none of them has to exist."""
        self.attempts = [list(places) for places in attempts]
        self._files: list[DumpFile] = []
        self._known: set[Path] = set()
        self._used: dict[StepInfo, None] = {}

    def look(self, budget: int = 64 << 20, stopped: Callable[[], bool] = lambda: False) -> bool:
        """Find new files, and read on in those whose rows tell the step.

        Returns:
            Whether there is more to read than the budget allowed.
        """
        for attempt, places in enumerate(self.attempts):
            for path, validation in (found for place in places for found in _dumps(place)):
                if path not in self._known:
                    self._known.add(path)
                    self._files.append(DumpFile(path, len(self._files), validation, attempt))
        more = False
        for one in self._files:
            if one.step is None and one.index.changed():
                one.read(budget, stopped)
                more = more or one.index.changed()
                if stopped():
                    break
        return more

    def steps(self) -> list[StepInfo]:
        """The steps that have trajectories, ascending; training before the validation of the same step."""
        first = self._first_steps()
        found = {
            info
            for one in self._files
            for info in _steps_of(one)
            if all(info.step < step for attempt, step in first.items() if attempt > one.attempt)
        }
        return sorted(found, key=lambda info: (info.step, info.validation))

    def _first_steps(self) -> dict[int, int]:
        """The first step that each attempt trained on."""
        first: dict[int, int] = {}
        for one in self._files:
            for info in _steps_of(one):
                if not info.validation:
                    first[one.attempt] = min(info.step, first.get(one.attempt, info.step))
        return first

    def entries(self, info: StepInfo, stopped: Callable[[], bool] = lambda: False) -> list[Entry]:
        """All trajectories of a step in the order of the dump. Reads the files of that step to their present end.

        Args:
            info: one of `steps`.
            stopped: asked after each row; True ends the reading early.
        """
        self._use(info)
        holding = [one for one in self._files if info in _steps_of(one)]
        latest = max((one.attempt for one in holding), default=-1)
        rows: list[tuple[Entry, str]] = []
        # What the bridge writes tells turns and times; verl's own dump of the same trajectories tells less.
        for one in sorted(holding, key=lambda file: (file.step is not None, file.number)):
            if one.attempt != latest or (rows and one.step is not None):
                continue
            while one.index.changed():
                before = one.index.done
                one.read(64 << 20, stopped)
                if one.index.done == before or stopped():
                    break
            rows += one.entries(info)
        groups: dict[str, int] = {}
        return [
            replace(entry, index=place, group=groups.setdefault(group, len(groups) + 1))
            for place, (entry, group) in enumerate(rows)
        ]

    def _use(self, info: StepInfo) -> None:
        """Put away what was read of steps that nobody has looked at for long."""
        self._used.pop(info, None)
        self._used[info] = None
        while len(self._used) > KEPT:
            old = next(iter(self._used))
            del self._used[old]
            for one in self._files:
                if one.step == old.step and one.validation == old.validation:
                    one.put_away()

    def totals(self) -> dict[int, tuple[int, Mapping[str, float]]]:
        """Step -> (trajectories, numbers) of what training rows were read so far, `Totals.data`."""
        found: dict[int, tuple[int, Mapping[str, float]]] = {}
        for one in sorted((file for file in self._files if file.told), key=lambda file: file.attempt):
            for info, totals in list(one.totals.items()):
                if not info.validation and totals.count >= found.get(info.step, (0,))[0]:
                    found[info.step] = (totals.count, totals.data())
        return found

    def look_closer(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Read dumps of verl for their totals where they hold the bridge's numbers; a slice at a time."""
        for one in self._files:
            if one.step is not None and one.told is not False and one.index.changed():
                if stopped():
                    return
                if one.tells_more():
                    one.read(64 << 20, stopped)
                    if one.step not in {info.step for info in self._used}:
                        one.put_away()

    def pending(self, info: StepInfo) -> bool:
        """Whether a file of the step holds more than was read."""
        return any(one.index.changed() for one in self._files if info in _steps_of(one))

    def read(self, entry: Entry) -> Rollout | None:
        """The whole trajectory; None where the line is broken or gone."""
        one = self._files[entry.file]
        row = object_of(read_at(one.path, entry.offset, entry.size))
        return None if row is None else rollout_of(row, entry.step, one.validation)

    def words(self, entry: Entry) -> str:
        """All text of a trajectory, to search in; "" where the line is broken or gone."""
        row = object_of(read_at(self._files[entry.file].path, entry.offset, entry.size))
        return "" if row is None else words_of(row)

    def raw(self, entry: Entry, limit: int = 64 << 10) -> bytes:
        """The beginning of the line itself, for lines that are no trajectory."""
        return read_at(self._files[entry.file].path, entry.offset, min(entry.size, limit))

    def path_of(self, entry: Entry) -> Path:
        """The file that holds a trajectory."""
        return self._files[entry.file].path


def _steps_of(one: DumpFile) -> Iterable[StepInfo]:
    return one.places.keys() if one.step is None else (StepInfo(one.step, one.validation),)


def _dumps(place: Place) -> Iterator[tuple[Path, bool]]:
    """Dumps of a folder and the folders in it, steps in their order; links to folders are not followed."""
    known, path = place.validation, place.path
    if path.is_file():
        yield path, _is_validation(path.parent.name) if known is None else known
        return
    found: list[Path] = []
    top = len(path.parts)
    for folder, names, files in os.walk(path, onerror=None, followlinks=False):
        depth = len(Path(folder).parts) - top
        names[:] = sorted(name for name in names if not name.startswith(".")) if depth < _DEEPEST else []
        found += [Path(folder, name) for name in files if name.endswith(".jsonl") and not name.startswith(".")]
        if len(found) > _MOST_FILES:
            break
    for one in sorted(found[:_MOST_FILES], key=_order):
        told = any(_is_validation(part) for part in one.parts[top - 1 : -1])
        yield one, told if known is None else known


def _is_validation(name: str) -> bool:
    return name.lower().startswith("val")


def _order(path: Path) -> tuple[str, int, str]:
    named = STEP_NAME.match(path.name)
    return (str(path.parent), int(named[1]) if named else -1, path.name)
