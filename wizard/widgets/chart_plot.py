"""From points to rows of coloured text: the picture of a chart, without Textual."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..store.braille import PATTERNS, SOLID, Canvas
from ..store.series import Axis, Point, decimate, number, smooth, split_gaps, step_axis, tick_text, value_axis

LABELS = 7

Piece = tuple[str, str]
"""Text and the name of its style: ``axis``, ``cursor``, ``faint``, ``overlay``, ``series-1`` ..."""


@dataclass(slots=True)
class Line:
    """A line of a chart: its points and those of the overlaid run."""

    points: list[Point]
    overlay: list[Point] = field(default_factory=list[Point])


@dataclass(slots=True)
class Plot:
    """What decides the picture.

    Attributes:
        lines: in the order of their colours.
        smoothing: weight of the past (0 is off); the raw line then stays visible, faint.
        log: logarithmic value axis where all values allow it.
        cursor: step to mark.
        patterns: tell lines apart by dashes, for terminals without colour.
    """

    lines: list[Line]
    smoothing: float = 0.0
    log: bool = False
    cursor: float | None = None
    patterns: bool = False


@dataclass(slots=True)
class Picture:
    """The rows of a chart and the axes they were drawn with (for the mouse)."""

    rows: list[list[Piece]]
    x: Axis | None = None
    y: Axis | None = None
    left: int = LABELS + 1
    width: int = 0

    def step_at(self, column: int) -> float | None:
        """The step under a column of the chart."""
        if self.x is None or self.width < 2:
            return None
        share = (column - self.left + 0.5) / self.width
        return self.x.low + min(max(share, 0.0), 1.0) * (self.x.high - self.x.low)


def draw(plot: Plot, width: int, height: int) -> Picture:
    """Draw.

    Args:
        plot: what to draw.
        width: in cells, the labels included.
        height: in cells, the labels included.

    Returns:
        ``height`` rows, or no rows when there is nothing to show or no room for it.
    """
    inner, rows = width - LABELS - 1, height - 1
    everything = [point for line in plot.lines for point in (*line.points, *line.overlay)]
    steps = [x for x, y in everything if math.isfinite(y)]
    values = [y for _, y in everything]
    y_axis = value_axis(values, intervals_of(rows), plot.log)
    if inner < 8 or rows < 2 or not steps or y_axis is None:
        return Picture([])
    x_axis = step_axis(min(steps), max(steps), max(2, inner // 8))
    canvas = Canvas(inner, rows)
    _draw_lines(canvas, plot, x_axis, y_axis)
    cursor = None
    if plot.cursor is not None and (place := x_axis.place(plot.cursor)) is not None and 0 <= place <= 1:
        cursor = min(inner - 1, int(place * (2 * inner - 1)) // 2)
    labels = _value_labels(y_axis, rows)
    picture: list[list[Piece]] = []
    for row in range(rows):
        label = labels.get(row, "")
        pieces: list[Piece] = [(f"{label:>{LABELS}}", "axis"), ("┤" if label else "│", "frame")]
        pieces += _with_cursor(list(canvas.row(row)), cursor)
        picture.append(pieces)
    picture.append(_step_labels(x_axis, inner))
    return Picture(picture, x_axis, y_axis, LABELS + 1, inner)


def intervals_of(rows: int) -> list[int]:
    """Into how many parts labels can divide the rows evenly, at least two rows apart."""
    return [count for count in range(1, 7) if (rows - 1) % count == 0 and (rows - 1) // count >= 2] or [1]


def _draw_lines(canvas: Canvas, plot: Plot, x_axis: Axis, y_axis: Axis) -> None:
    wide, high = 2 * canvas.width, 4 * canvas.height

    def path(points: Sequence[Point], owner: int, pattern: tuple[int, ...]) -> None:
        for run in split_gaps(points):
            before: tuple[int, int] | None = None
            for x, y in decimate(run, wide):
                across, up = x_axis.place(x), y_axis.place(y)
                if across is None or up is None:
                    before = None
                    continue
                here = (round(across * (wide - 1)), round((1 - up) * (high - 1)))
                canvas.line(before or here, here, owner, pattern)
                before = here

    # Back to front: the other run, raw lines behind their smoothed ones, then the first series on top of the others.
    styles = list(range(len(plot.lines)))
    for number_ in styles:
        path(smooth(plot.lines[number_].overlay, plot.smoothing), OVERLAY, (1, 0))
    for number_ in reversed(styles):
        if plot.smoothing > 0:
            path(plot.lines[number_].points, FAINT, SOLID)
    longest = max((len(line.points) for line in plot.lines), default=0)
    sparse = [i for i in styles if SPARSE * len(plot.lines[i].points) <= longest]
    for number_ in reversed(styles):
        if number_ in sparse:
            continue
        pattern = PATTERNS[number_ % len(PATTERNS)] if plot.patterns else SOLID
        path(smooth(plot.lines[number_].points, plot.smoothing), number_, pattern)
    # Validation every so many steps: marks instead of a line that would hide the others.
    for number_ in sparse:
        for x, y in plot.lines[number_].points:
            across, up = x_axis.place(x), y_axis.place(y)
            if across is not None and up is not None:
                column, row = round(across * (wide - 1)), round((1 - up) * (high - 1))
                for dx, dy in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
                    canvas.dot(column + dx, row + dy, number_)


OVERLAY, FAINT = 100, 101
SPARSE = 4


def style_of(owner: int) -> str:
    """The name of the style of what was drawn with this number."""
    if owner == OVERLAY:
        return "overlay"
    if owner == FAINT:
        return "faint"
    return "" if owner < 0 else f"series-{owner % 6 + 1}"


def _with_cursor(runs: list[tuple[str, int]], cursor: int | None) -> list[Piece]:
    pieces: list[Piece] = []
    column = 0
    for text, owner in runs:
        style = style_of(owner)
        inside = cursor is not None and column <= cursor < column + len(text)
        if inside and cursor is not None:
            cut = cursor - column
            # Where a line passes, the cursor shows the line in reverse instead of hiding it.
            mark = "│" if text[cut] == " " else text[cut]
            pieces += [(text[:cut], style), (mark, "cursor"), (text[cut + 1 :], style)]
        else:
            pieces.append((text, style))
        column += len(text)
    return [piece for piece in pieces if piece[0]]


def _value_labels(axis: Axis, rows: int) -> dict[int, str]:
    labels: dict[int, str] = {}
    for tick in axis.ticks:
        place = axis.place(tick)
        if place is not None:
            row = min(rows - 1, round((1 - place) * (rows - 1)))
            labels.setdefault(row, tick_text(tick, axis))
    return labels


def _step_labels(axis: Axis, inner: int) -> list[Piece]:
    cells = [" "] * inner
    free = 0
    for tick in axis.ticks:
        place = axis.place(tick)
        if place is None:
            continue
        text = number(tick) if tick < 100_000 else f"{tick / 1000:g}k"
        centre = round(place * (inner - 1))
        start = min(max(0, centre - len(text) // 2), inner - len(text))
        if start >= free:
            cells[start : start + len(text)] = text
            free = start + len(text) + 2
    return [(" " * LABELS, "axis"), ("└", "frame"), ("".join(cells), "axis")]
