"""The metrics of a run by key, for charts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

Points = list[tuple[float, float]]


class MetricStore:
    """Rows by step; a later row of a step adds to it, a later attempt replaces from its first step on.

    Attributes:
        version: grows with every change, so that a chart knows whether to draw again.
    """

    def __init__(self) -> None:
        self.version = 0
        self._rows: dict[int, dict[str, float]] = {}
        self._keys: dict[str, None] = {}

    @property
    def steps(self) -> list[int]:
        """Steps that reported something, ascending."""
        return sorted(self._rows)

    @property
    def keys(self) -> list[str]:
        """Every metric seen, in order of appearance."""
        return list(self._keys)

    def add(self, step: int, data: Mapping[str, float]) -> None:
        """Take one row."""
        self._rows.setdefault(step, {}).update(data)
        self._keys.update(dict.fromkeys(data))
        self.version += 1

    def start_over(self, rows: Iterable[tuple[int, Mapping[str, float]]] = ()) -> None:
        """Forget everything, then take rows."""
        self._rows.clear()
        self._keys.clear()
        self.version += 1
        for step, data in rows:
            self.add(step, data)

    def cut(self, step: int) -> None:
        """Forget a step and everything after it: an attempt goes on from before it."""
        for later in [number for number in self._rows if number >= step]:
            del self._rows[later]
        self.version += 1

    def row(self, step: int) -> Mapping[str, float]:
        """Everything that a step reported."""
        return self._rows.get(step, {})

    def points(self, key: str) -> Points:
        """(step, value) of one metric, ascending; nan where the step reported null."""
        rows = self._rows
        return [(float(step), rows[step][key]) for step in sorted(rows) if key in rows[step]]

    def latest(self, key: str) -> float | None:
        """The last finite value of a metric."""
        for step in sorted(self._rows, reverse=True):
            value = self._rows[step].get(key)
            if value is not None and math.isfinite(value):
                return value
        return None
