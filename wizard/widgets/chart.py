"""A line chart that is drawn with Braille dots, and its cursor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ..i18n import t
from ..store.chart_specs import ChartSpec, SeriesData
from ..store.series import Point, number, readout_at, smooth
from .chart_plot import Line, Picture, Plot, draw
from .colour import no_colour

MARKS = ("━", "╍", "┄")


class Chart(Widget, can_focus=True):
    """One chart: title with legend and values, plot, steps. Its data are set with `show`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "chart--title", "chart--axis", "chart--frame", "chart--cursor", "chart--faint", "chart--overlay",
        "chart--series-1", "chart--series-2", "chart--series-3", "chart--series-4", "chart--series-5",
        "chart--series-6",
    }  # fmt: skip

    DEFAULT_CSS = """
    Chart {
        height: 9; padding: 0 1;
        & > .chart--title { color: $foreground; text-style: bold; }
        & > .chart--axis { color: $muted; }
        & > .chart--frame { color: $rule; }
        & > .chart--cursor { color: $accent; text-style: bold; }
        & > .chart--faint { color: $rule; }
        & > .chart--overlay { color: $muted; }
        & > .chart--series-1 { color: $series-1; }
        & > .chart--series-2 { color: $series-2; }
        & > .chart--series-3 { color: $series-3; }
        & > .chart--series-4 { color: $series-4; }
        & > .chart--series-5 { color: $series-5; }
        & > .chart--series-6 { color: $series-6; }
        &:focus { background: $surface; }
        &:focus > .chart--title { color: $accent; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("shift+left", "cursor(-10)", show=False),
        Binding("shift+right", "cursor(10)", show=False),
        Binding("home", "cursor(-1000000000)", show=False),
        Binding("end", "cursor(1000000000)", show=False),
    ]

    smoothing: reactive[float] = reactive(0.0)
    log_axis: reactive[bool] = reactive(False)
    cursor: reactive[float | None] = reactive[float | None](None)

    class Cursor(Message):
        """The cursor was put on a step."""

        def __init__(self, step: float) -> None:
            super().__init__()
            self.step = step

    class Chosen(Message):
        """The step under the cursor was clicked twice: show it elsewhere."""

        def __init__(self, step: float) -> None:
            super().__init__()
            self.step = step

    def __init__(self, spec: ChartSpec) -> None:
        super().__init__(id=f"chart-{spec.id}")
        self.spec = spec
        self.series: list[SeriesData] = []
        self._overlay: dict[str, list[Point]] = {}
        self._overlay_name = ""
        self._picture: Picture | None = None
        self._drawn = (0, 0)

    def show(self, series: Sequence[SeriesData], overlay: Sequence[SeriesData] = (), overlay_name: str = "") -> None:
        """Show other data; ``overlay`` are the same lines of another run."""
        self.series = list(series)
        self._overlay = {one.label: one.points for one in overlay}
        self._overlay_name = overlay_name
        self._forget()

    def retranslate(self) -> None:
        """Draw the title in the language now in use."""
        self.refresh()

    @property
    def steps(self) -> list[float]:
        """Steps with a value, ascending."""
        return sorted({x for one in self.series for x, y in one.points if math.isfinite(y)})

    def watch_smoothing(self) -> None:
        """Draw again."""
        self._forget()

    def watch_log_axis(self) -> None:
        """Draw again."""
        self._forget()

    def watch_cursor(self) -> None:
        """Draw again."""
        self._forget()

    def on_resize(self) -> None:
        """Draw again in the new size."""
        self._forget()

    def notify_style_update(self) -> None:
        """Another theme: the cached rows have old colours."""
        super().notify_style_update()
        self._forget()

    def action_cursor(self, by: int) -> None:
        """Move the cursor by data points."""
        steps = self.steps
        if not steps:
            return
        if self.cursor is None:
            position = len(steps) - 1 if by < 0 or by == 1 else 0
        else:
            nearest = min(range(len(steps)), key=lambda i: abs(steps[i] - (self.cursor or 0)))
            position = min(max(nearest + by, 0), len(steps) - 1)
        self.post_message(self.Cursor(steps[position]))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the mouse is; twice goes to that step in the log."""
        if self._picture is None:
            return
        step = self._picture.step_at(event.x - self.styles.padding.left)
        steps = self.steps
        if step is not None and steps:
            nearest = min(steps, key=lambda one: abs(one - step))
            self.post_message(self.Chosen(nearest) if event.chain == 2 else self.Cursor(nearest))

    def render_line(self, y: int) -> Strip:
        """A row: the title, then the picture."""
        width, height = self.content_size
        base = self.rich_style
        if y == 0:
            return self._title(width, base)
        if self._picture is None or self._drawn != (width, height):
            lines = [Line(one.points, self._overlay.get(one.label, [])) for one in self.series]
            plot = Plot(lines, self.smoothing, self.log_axis, self.cursor, no_colour(self))
            self._picture = draw(plot, width, height - 1)
            self._drawn = (width, height)
        rows = self._picture.rows
        if y - 1 >= len(rows):
            text = t("run.chart.no_values") if y == 1 and not rows else ""
            return Strip([Segment(text, self._style("axis"))]).adjust_cell_length(width, base)
        segments = [Segment(text, self._style(name) if name else base) for text, name in rows[y - 1]]
        return Strip(segments).adjust_cell_length(width, base)

    def _forget(self) -> None:
        self._picture = None
        self.refresh()

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"chart--{name}")

    def _title(self, width: int, base: Style) -> Strip:
        title = t(f"run.chart.{self.spec.id}")
        segments = [Segment(title, self._style("title"))]
        if self.cursor is not None:
            segments.append(Segment(" " + t("run.chart.at_step", step=f"{self.cursor:g}"), self._style("cursor")))
        used = sum(cell_len(one.text) for one in segments)
        for names, values in self._legends():
            legend = self._legend(names, values)
            size = sum(cell_len(one.text) for one in legend)
            if used + size <= width:
                segments += legend
                used += size
                break
        notes = [t("run.chart.log_axis")] if self.log_axis else []
        notes += [t("run.chart.smoothed", weight=f"{self.smoothing:g}")] if self.smoothing else []
        notes += [t("run.chart.overlay", name=self._overlay_name)] if self._overlay else []
        note = " · ".join(notes)
        if note and used + cell_len(note) + 2 <= width:
            segments += [
                Segment(" " * (width - used - cell_len(note)), base),
                Segment(note, self._style("axis")),
            ]
        return Strip(segments).adjust_cell_length(width, base)

    def _legends(self) -> list[tuple[bool, int]]:
        """(names, how many values) to try, from the fullest on; under a cursor values matter more than names."""
        count = len(self.series)
        short = [(False, count), (True, 0)] if self.cursor is not None else [(True, 1), (True, 0), (False, count)]
        return [(True, count), *short, (False, 1)]

    def _legend(self, names: bool, values: int) -> list[Segment]:
        """Mark and name of each line, the first ``values`` of them with their value."""
        segments: list[Segment] = []
        for position, one in enumerate(self.series):
            mark = MARKS[position % 3] if no_colour(self) else MARKS[0]
            label = f" {t(f'run.series.{one.label}')}" if names and len(self.series) > 1 else ""
            gap = "  " if names else " "
            segments.append(Segment(f"{gap}{mark}{label}", self._style(f"series-{position % 6 + 1}")))
            if position < values:
                segments.append(Segment(f" {self._value(one.points)}", self._style("title")))
        return segments

    def _value(self, points: Sequence[Point]) -> str:
        shown = smooth(points, self.smoothing)
        if self.cursor is not None:
            at = readout_at(shown, self.cursor)
            return number(at[1]) if at is not None and abs(at[0] - self.cursor) < 0.5 else "–"
        finite = [y for _, y in shown if math.isfinite(y)]
        return number(finite[-1]) if finite else "–"
