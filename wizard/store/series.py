"""Arithmetic of charts: smoothing, decimation, gaps, axes and numbers that are good to read. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]


def smooth(points: Sequence[Point], weight: float) -> list[Point]:
    """Exponential moving average, corrected for its start as Adam's moments are, so that it begins at the data.

    Args:
        points: (x, y), ascending; a y that is nan or infinite stays a gap and doesn't enter the average.
        weight: of the past, 0 (no smoothing) to below 1.
    """
    if weight <= 0:
        return list(points)
    average, norm = 0.0, 0.0
    result: list[Point] = []
    for x, y in points:
        if math.isfinite(y):
            average = weight * average + (1 - weight) * y
            norm = weight * norm + (1 - weight)
            result.append((x, average / norm))
        else:
            result.append((x, math.nan))
    return result


def split_gaps(points: Iterable[Point]) -> list[list[Point]]:
    """Runs of finite points; between two runs the line is interrupted."""
    runs: list[list[Point]] = []
    current: list[Point] = []
    for x, y in points:
        if math.isfinite(x) and math.isfinite(y):
            current.append((x, y))
        elif current:
            runs.append(current)
            current = []
    if current:
        runs.append(current)
    return runs


def decimate(points: Sequence[Point], buckets: int) -> list[Point]:
    """At most about four points a bucket: first, lowest, highest, last, so that no spike is lost.

    Args:
        points: finite, ascending in x.
        buckets: columns of dots there are to draw on.
    """
    if buckets < 1 or len(points) <= 4 * buckets:
        return list(points)
    low, high = points[0][0], points[-1][0]
    width = (high - low) / buckets or 1.0
    result: list[Point] = []
    start = 0
    for bucket in range(buckets):
        limit = low + (bucket + 1) * width
        end = start
        while end < len(points) and (points[end][0] < limit or bucket == buckets - 1):
            end += 1
        part = points[start:end]
        start = end
        if part:
            lowest, highest = min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])
            result += sorted({part[0], lowest, highest, part[-1]})
    return result


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values on a scale.

    Attributes:
        low: at the bottom (or left); high: at the top, above ``low``.
        log: logarithmic; then both are above 0.
        ticks: values worth a label, ascending, inside the range.
    """

    low: float
    high: float
    log: bool = False
    ticks: tuple[float, ...] = ()

    def place(self, value: float) -> float | None:
        """Where a value is: 0 at ``low``, 1 at ``high``; None where it can't be shown."""
        if not math.isfinite(value) or (self.log and value <= 0):
            return None
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def value_axis(values: Iterable[float], intervals: Sequence[int], log: bool = False) -> Axis | None:
    """The axis that holds all values.

    Args:
        values: those that aren't finite (and on a log axis those not above 0) are ignored.
        intervals: into how many equal parts the labels may divide the axis; the closest fit is taken.
        log: whether a logarithmic axis is wanted; it is given where some value is above 0.

    Returns:
        The axis, or None where there is nothing to show.
    """
    finite = [value for value in values if math.isfinite(value)]
    if log:
        positive = [value for value in finite if value > 0]
        if positive:
            return _log_axis(min(positive), max(positive), max(intervals) + 1)
    if not finite:
        return None
    low, high = min(finite), max(finite)
    if low == high:  # a flat line is drawn in the middle
        margin = abs(low) * 0.1 or 1.0
        low, high = low - margin, high + margin
    best: tuple[float, float, int] | None = None
    for count in sorted(intervals, reverse=True):
        step = nice_step((high - low) / count, _FINE)
        start = math.floor(low / step + 1e-9) * step
        if start + count * step < high - step * 1e-9:  # rounding down to a good start lost the top
            step = nice_step(step * 1.01, _FINE)
            start = math.floor(low / step + 1e-9) * step
            if start + count * step < high - step * 1e-9:
                continue
        if best is None or step * count < best[1] * best[2] * (1 - 1e-9):
            best = (start, step, count)
    if best is None:
        return Axis(low, high, False, (low, high))
    start, step, count = best
    ticks = tuple(round(start / step) * step + number_ * step for number_ in range(count + 1))
    return Axis(ticks[0], ticks[-1], False, ticks)


def step_axis(low: float, high: float, ticks: int) -> Axis:
    """The axis of training steps: whole numbers, exactly from the first to the last."""
    if high <= low:
        low, high = low - 0.5, low + 0.5
    step = max(1.0, nice_step((high - low) / max(ticks, 1)))
    first = math.ceil(low / step - 1e-9) * step
    return Axis(low, high, False, tuple(_multiples(first, high, step)))


_COARSE = (1.0, 2.0, 2.5, 5.0, 10.0)
_FINE = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def nice_step(least: float, factors: Sequence[float] = _COARSE) -> float:
    """The smallest of ``factors`` (1, 2, 2.5, 5) times a power of ten that is at least ``least``."""
    if least <= 0 or not math.isfinite(least):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    for factor in factors:
        if factor * power >= least * (1 - 1e-9):
            return factor * power
    return 10.0 * power


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = round(low / step), round(high / step)
    if abs(first * step - low) > step * 1e-6:
        first = math.ceil(low / step)
    if last * step > high + step * 1e-6:
        last -= 1
    return [number * step for number in range(first, min(last, first + 50) + 1)]


def _log_axis(low: float, high: float, ticks: int) -> Axis:
    if low == high:
        low, high = low / 2, high * 2
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    decades = list(range(first, last + 1))
    every = max(1, math.ceil(len(decades) / max(ticks, 1)))
    marks = [10.0**power for power in decades if (power - first) % every == 0 and low <= 10.0**power <= high]
    if len(marks) < 2:
        marks = sorted({low, *marks, high})
    return Axis(low, high, True, tuple(marks))


def number(value: float, width: int = 7) -> str:
    """A number for an axis or a legend: few digits, with a unit (k, M, G) or an exponent where it is long.

    >>> number(0.30000000000000004), number(12500), number(0.0000012), number(-0.5)
    ('0.3', '12.5k', '1.2e-6', '-0.5')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    size = abs(value)
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if size >= scale * 0.99995:
            divisor = 1e3 if unit == "k" else scale
            return _short(value / divisor, width - 1) + unit
    if size < 1e-3:
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return _short(value, width)


def tick_text(value: float, axis: Axis) -> str:
    """A label of an axis: as many decimals as its neighbours differ by, so that no two look the same."""
    step = min((b - a for a, b in pairwise(axis.ticks)), default=0.0)
    if axis.log or step <= 0 or abs(value) >= 1e4 or step < 1e-4:
        texts = [number(0.0 if abs(tick) < step / 1e6 else tick) for tick in axis.ticks]
        if axis.log or step <= 0 or len(set(texts)) == len(texts):
            return number(0.0 if abs(value) < step / 1e6 else value)
        digits = min(6, max(0, math.ceil(math.log10(max(map(abs, axis.ticks)) / step))))
        mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    decimals = next(places for places in range(6) if abs(round(step, places) - step) < step * 1e-6 or places == 5)
    return f"{value:.{decimals}f}" if abs(value) > step / 1e6 else "0"


def _short(value: float, width: int) -> str:
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3 if size >= 0.1 else 4
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text[:width] if "." in text else text


def duration(seconds: float | None) -> str:
    """Seconds as people say them: ``8.2s``, ``4m 10s``, ``3h 05m``, ``2d 4h``; ``–`` when unknown."""
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        return "–"
    if seconds < 20:
        return f"{seconds:.1f}s"
    if seconds < 60:
        return f"{seconds:.0f}s"
    minutes = int(seconds // 60)
    if minutes < 60:
        return f"{minutes}m {int(seconds % 60):02d}s"
    if minutes < 48 * 60:
        return f"{minutes // 60}h {minutes % 60:02d}m"
    return f"{minutes // 1440}d {minutes % 1440 // 60}h"


def readout_at(points: Sequence[Point], x: float) -> Point | None:
    """The finite point nearest to ``x``."""
    finite = [point for point in points if math.isfinite(point[1])]
    return min(finite, key=lambda point: abs(point[0] - x)) if finite else None
