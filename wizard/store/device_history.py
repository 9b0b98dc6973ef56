"""What each device did over the whole run, in bounded memory: the longer the run, the coarser the past."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .devices import Device, Sample

METRICS = ("use", "hbm", "temperature", "power")
"""Utilisation and memory in percent, degrees Celsius, watts; the names are those of the table's columns."""

_MOST = 2048
# So many usual distances without a sample are a gap.
_GAP = 4

Value = float | None
Points = Sequence[tuple[float, tuple[Value, ...]]]


@dataclass(slots=True)
class Track:
    """(time, values of `METRICS`) of one device, ascending in time; ``node`` and ``name`` are the device's."""

    node: str = ""
    name: str = ""
    points: list[tuple[float, tuple[Value, ...]]] = field(default_factory=list[tuple[float, tuple[Value, ...]]])

    def add(self, time: float, values: tuple[Value, ...]) -> None:
        """Take a sample; where there are too many, each two of the older half become one."""
        if self.points and time <= self.points[-1][0]:
            return
        self.points.append((time, values))
        if len(self.points) > _MOST:
            half = _MOST // 2
            old = self.points[:half]
            # A new list, so that whoever draws the old one meanwhile is not disturbed.
            self.points = [_merged(old[i], old[i + 1]) for i in range(0, half, 2)] + self.points[half:]


def _merged(
    one: tuple[float, tuple[Value, ...]], other: tuple[float, tuple[Value, ...]]
) -> tuple[float, tuple[Value, ...]]:
    return other[0], tuple(mean_of((a, b)) for a, b in zip(one[1], other[1], strict=True))


def mean_of(values: Iterable[Value]) -> Value:
    """The mean of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


class DeviceHistory:
    """The tracks of all devices by their keys, in the order in which they were seen."""

    def __init__(self) -> None:
        self.tracks: dict[str, Track] = {}

    def add(self, sample: Sample) -> None:
        """Take a sample; one of which a device tool's part is old repeats the last and is left out."""
        if sample.time is None:
            return
        for one in sample.devices:
            taken = sample.time - sample.age_of(one)
            track = self.tracks.get(one.key)
            if track is None:
                track = self.tracks[one.key] = Track(one.node, one.name)
            if not track.points or taken > track.points[-1][0] + 0.5:
                track.add(taken, values_of(one))

    def span(self) -> tuple[float, float] | None:
        """First and last time of any device; None where there is nothing."""
        ends = [(track.points[0][0], track.points[-1][0]) for track in self.tracks.values() if track.points]
        return (min(first for first, _ in ends), max(last for _, last in ends)) if ends else None

    def limits(self, metric: str) -> tuple[float, float]:
        """The scale of a metric: 0 to 100 percent, 0 to the most watts, or the temperatures there were."""
        place = METRICS.index(metric)
        values = [v[place] for track in list(self.tracks.values()) for _, v in track.points]
        known = [value for value in values if value is not None]
        if metric in {"use", "hbm"} or not known:
            return 0.0, 100.0
        low = 0.0 if metric == "power" else 5 * math.floor(min(known) / 5) - 5
        return low, max(5 * math.ceil(max(known) / 5), low + 5)


def values_of(one: Device) -> tuple[Value, ...]:
    """The values of `METRICS`."""
    share = None if one.memory_used is None or not one.memory_total else 100 * one.memory_used / one.memory_total
    return one.utilization, share, one.temperature, one.power


def cells_of(points: Points, metric: str, first: float, last: float, cells: int) -> list[Value]:
    """A history in so many cells, each the mean of its samples; None where there was no sample.

    A cell between two samples that are no further apart than usual takes the one before.
    """
    if cells < 1 or not points:
        return []
    place = METRICS.index(metric)
    width = max(last - first, 1e-9) / cells
    sums = [[0.0, 0.0] for _ in range(cells)]
    for time, values in points:
        value = values[place]
        if value is not None and first <= time <= last:
            cell = sums[min(cells - 1, int((time - first) / width))]
            cell[0] += value
            cell[1] += 1
    steps = sorted(b[0] - a[0] for a, b in pairwise(points))
    usual = steps[len(steps) // 2] if steps else 0.0
    reach = max(1, math.ceil(_GAP * usual / width))
    result: list[Value] = []
    before: Value = None
    age = 0
    for total, count in sums:
        if count:
            before, age = total / count, 0
        else:
            age += 1
        result.append(before if age < reach else None)
    return result
