"""All charts of a run, in as many columns as there is room for; they share one cursor."""

from __future__ import annotations

import math
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import ItemGrid, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from ..i18n import t
from ..store.chart_specs import available, chart_specs, series_of, stage_times
from ..store.metrics import MetricStore
from .chart import Chart
from .chart_stages import StageBars
from .key_line import bindings

SMOOTHING = (0.0, 0.6, 0.9)
COLUMN = 37


class ChartGrid(VerticalScroll, can_focus=True):
    """The charts that have data; a sentence where none has."""

    DEFAULT_CSS = """
    ChartGrid {
        height: 1fr; scrollbar-size-vertical: 1;
        & > ItemGrid { height: auto; grid-gutter: 1 1; grid-rows: 9; display: none; }
        & > #charts-empty { color: $muted; padding: 1 2; width: 100%; }
        &.charts > ItemGrid { display: block; }
        &.charts > #charts-empty { display: none; }
        & Chart, & StageBars { display: none; }
        & .data { display: block; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("charts")

    class StepChosen(Message):
        """Show a step in the log."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class StepPointed(Message):
        """The cursor was moved to a step."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self) -> None:
        super().__init__(id="pane-charts")
        self.metrics: MetricStore | None = None
        self.overlay: MetricStore | None = None
        self.overlay_name = ""
        self.cursor: float | None = None
        self.smoothing = 0.0
        self._version = -1
        self._empty_key = "run.charts.empty"
        self._empty = Static("", id="charts-empty", markup=False)
        self._stages = StageBars()
        self._all = [Chart(spec) for spec in chart_specs()]

    def compose(self) -> ComposeResult:
        """One widget for each chart there may be; those without data stay hidden."""
        yield self._empty
        with ItemGrid(min_column_width=COLUMN):
            yield self._all[0]
            yield self._stages
            yield from self._all[1:]

    def on_mount(self) -> None:
        """Say that there is nothing yet."""
        self.retranslate()

    def retranslate(self) -> None:
        """Show the empty sentence in the language now in use."""
        self._empty.update(t(self._empty_key))

    def show(self, metrics: MetricStore, empty: str = "run.charts.empty", force: bool = False) -> None:
        """Show the metrics of a run, if they changed.

        Args:
            metrics: of the run.
            empty: key of the sentence that is shown while there are none.
            force: lay out even when nothing changed.
        """
        if empty != self._empty_key:
            self._empty_key = empty
            self.retranslate()
        if not force and self.metrics is metrics and metrics.version == self._version:
            return
        self.metrics, self._version = metrics, metrics.version
        have = {spec.id for spec in available(metrics)}
        for chart in self._all:
            shown = chart.spec.id in have
            chart.set_class(shown, "data")
            if shown:
                other = series_of(chart.spec, self.overlay) if self.overlay is not None else []
                chart.show(series_of(chart.spec, metrics), other, self.overlay_name)
        bars = self._stages
        bars.set_class(bool(stage_times(metrics)), "data")
        bars.show(metrics, self._cursor_step())
        self.set_class(bool(have), "charts")

    def show_overlay(self, metrics: MetricStore | None, name: str = "") -> None:
        """Draw another run behind this one; None ends it."""
        self.overlay, self.overlay_name = metrics, name
        if self.metrics is not None:
            self.show(self.metrics, self._empty_key, force=True)

    def put_cursor(self, step: float | None) -> None:
        """Put the cursor of all charts on a step, or take it away."""
        self.cursor = step
        for chart in self._all:
            chart.cursor = step
        if self.metrics is not None:
            self._stages.show(self.metrics, self._cursor_step())

    @property
    def charts(self) -> list[Chart]:
        """The charts that are shown."""
        return [chart for chart in self._all if chart.has_class("data")]

    def on_focus(self) -> None:
        """Hand the focus to the first chart."""
        if self.charts:
            self.charts[0].focus()

    @on(Chart.Cursor)
    def _cursor_moved(self, event: Chart.Cursor) -> None:
        event.stop()
        self.put_cursor(event.step)
        self.post_message(self.StepPointed(round(event.step)))

    @on(Chart.Chosen)
    def _step_chosen(self, event: Chart.Chosen) -> None:
        event.stop()
        self.put_cursor(event.step)
        self.post_message(self.StepChosen(round(event.step)))

    def action_to_log(self) -> None:
        """Show the step under the cursor (by default the last one) in the log."""
        step = self.cursor
        if step is None and self.metrics is not None and self.metrics.steps:
            step = self.metrics.steps[-1]
        if step is not None:
            self.post_message(self.StepChosen(round(step)))

    def action_smoothing(self) -> None:
        """Off, some, much."""
        position = min(range(len(SMOOTHING)), key=lambda i: abs(SMOOTHING[i] - self.smoothing))
        self.smoothing = SMOOTHING[(position + 1) % len(SMOOTHING)]
        for chart in self._all:
            chart.smoothing = self.smoothing

    def action_log_axis(self) -> None:
        """A logarithmic axis for the focused chart, or back."""
        for chart in self.charts:
            if chart.has_focus or not any(one.has_focus for one in self.charts):
                chart.log_axis = not chart.log_axis

    def action_next_chart(self, by: int) -> None:
        """The chart below or above."""
        charts = self.charts
        if not charts:
            return
        focused = next((i for i, chart in enumerate(charts) if chart.has_focus), None)
        position = 0 if focused is None else min(max(focused + by, 0), len(charts) - 1)
        charts[position].focus()
        charts[position].scroll_visible(animate=False)

    def _cursor_step(self) -> int | None:
        return None if self.cursor is None or not math.isfinite(self.cursor) else round(self.cursor)
