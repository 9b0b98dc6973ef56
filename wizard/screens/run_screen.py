"""The screen that shows a run, alive or ended, or just a log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, cast

from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget

from ...runner.process.record import RunRecord
from ..i18n import t
from ..store.failure import failure_of_log
from ..store.log_reader import LogReader
from ..store.log_text import full_text
from ..store.run_keys import Context
from ..store.run_model import RunFiles, RunModel, earlier_attempts, now, rollouts_missing, rollouts_of
from ..widgets.chart_grid import ChartGrid
from ..widgets.devices import DeviceTable
from ..widgets.header import RunHeader
from ..widgets.key_line import KeyLine, bindings
from ..widgets.log_pane import LogPane
from ..widgets.rollouts_pane import RolloutsPane
from ..widgets.run_info import RunInfo
from ..widgets.tab_line import PANES, TabLine
from .run_actions import RunActions

WIDE = 110
VERY_WIDE = 170
READ_SECONDS = 1.0

Stop = Callable[[RunRecord, bool], object]


class RunScreen(RunActions, Screen[None]):
    """Header, panes, keys. What the keys do to the run is in `RunActions`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("run")
    CSS_PATH = "../runview.tcss"
    AUTO_FOCUS = None

    def __init__(self, model: RunModel, stop: Stop | None = None) -> None:
        super().__init__()
        self.model = model
        self.stop_run = stop
        self.reader = LogReader(model.log)
        self.files = RunFiles(model.directory) if model.directory is not None else None
        self.pane = "log"
        self.side = "charts"
        self.zoomed = False
        self._taken_metrics = 0
        self._looked_for_error = False
        self._diagnosed = self._log_size = -1  # bytes of a bare log
        name = model.record.id if model.record else model.log.stem
        self.header = RunHeader(model)
        self.tabs = TabLine()
        safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)[:60] or "run"
        self.log_pane = LogPane(self.reader, safe)
        self.charts = ChartGrid()
        places = None if model.record is None else lambda: rollouts_of(self.model)
        self.rollouts = RolloutsPane(safe, places, lambda: rollouts_missing(self.model))
        self.devices = DeviceTable()
        self.info = RunInfo(model)
        self.keys = KeyLine()

    def compose(self) -> ComposeResult:
        """Header, tabs, panes, keys."""
        yield self.header
        yield self.tabs
        with Horizontal(id="body"):
            yield self.log_pane
            for pane in (self.charts, self.rollouts, self.devices, self.info):
                pane.add_class("side")
                yield pane
        yield self.keys

    def on_mount(self) -> None:
        """Begin to read."""
        self.reader.look()
        self.call_after_refresh(self.reader.start)
        if self.files is not None:
            self.model.apply(self.files.read())
        if self.model.state == "failed":
            self.side = "info"
        self.place_panes()
        self.refresh_panes()
        self.log_pane.lines.focus()
        self._watch_files()

    def on_unmount(self) -> None:
        """Stop reading; the run itself isn't touched."""
        self.reader.stop()

    def on_resize(self) -> None:
        """Arrange the panes for the new size."""
        self.place_panes()

    def on_descendant_focus(self) -> None:
        """Show the keys of the place that has the focus."""
        self.show_focus()

    def retranslate(self) -> None:
        """The panes do it themselves; only what is cached here is renewed."""
        self.show_focus()

    # -- arrangement -----------------------------------------------------------------------------------------------

    @property
    def panes(self) -> dict[str, Widget]:
        """The panes by name."""
        return {
            "log": self.log_pane, "charts": self.charts, "rollouts": self.rollouts, "devices": self.devices,
            "info": self.info,
        }  # fmt: skip

    @property
    def wide(self) -> bool:
        """Whether log and another pane are side by side."""
        return self.size.width >= WIDE and not self.zoomed

    def place_panes(self) -> None:
        """Decide which panes are on the screen."""
        width, height = self.size
        self.set_class(self.wide, "wide")
        self.set_class(width >= VERY_WIDE, "very-wide")
        self.set_class(height < 14 or width < 40, "low")
        self.set_class(height < 9, "tiny")
        self.header.low = self.has_class("low")
        self.header.retranslate()
        visible = {"log", self.side} if self.wide else {self.pane}
        for name, pane in self.panes.items():
            pane.set_class(name in visible, "shown")
        if "rollouts" in visible:
            self.rollouts.look()
        self.show_focus()

    def show_focus(self) -> None:
        """Mark the pane with the focus, and show its keys."""
        focused = self.focused_pane or self.pane
        visible = frozenset(name for name, pane in self.panes.items() if pane.has_class("shown"))
        self.tabs.show(visible, focused)
        context = cast("Context", focused if focused in {"log", "charts", "rollouts", "devices"} else "run")
        hidden = set[str]()
        if self.stop_run is None or self.model.record is None or self.model.ended:
            hidden.add("stop")
        if self.size.width < WIDE:
            hidden.add("zoom")
        if self.reader.search is None:
            hidden |= {"next_hit", "only_matching"}
        if (context == "charts" and not self.charts.charts) or (
            context == "rollouts" and self.rollouts.has_class("empty")
        ):
            context = "run"
        hidden |= {"rollout_open", "rollout_sort"} if self.rollouts.reading else {"rollout_list", "rollout_next"}
        if not self.devices.has_history:
            hidden.add("device_metric")
        if self.rollouts.one_kind:
            hidden.add("rollout_validation")
        self.keys.show(context, frozenset(hidden))

    def action_pane(self, name: str) -> None:
        """Show a pane and give it the focus."""
        if name not in PANES:
            return
        self.pane = name
        if name != "log":
            self.side = name
        self.place_panes()
        target = self.log_pane.lines if name == "log" else self.panes[name]
        target.focus()

    @on(TabLine.Chosen)
    def _tab_chosen(self, event: TabLine.Chosen) -> None:
        self.action_pane(event.pane)

    def action_zoom(self) -> None:
        """Only the pane with the focus, or all again."""
        self.pane = self.focused_pane or self.pane
        self.zoomed = not self.zoomed
        self.place_panes()

    # -- data ------------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="files")
    async def _watch_files(self) -> None:
        if self.model.record is not None and self.model.record.previous:
            self.model.take_earlier(await asyncio.to_thread(earlier_attempts, self.model.record))
            self.refresh_panes()
        while self.is_attached:
            await asyncio.sleep(READ_SECONDS)
            if self.files is not None:
                self.model.apply(await asyncio.to_thread(self.files.read))
                self.model.take_totals(await asyncio.to_thread(self.rollouts.totals))
            if self.model.state == "failed" and self.model.failure is None and not self._looked_for_error:
                self._looked_for_error = True
                self.model.failure = await asyncio.to_thread(failure_of_log, self.model.log, True)
            if self.files is None:
                await self._diagnose_log()
            self.refresh_panes()

    async def _diagnose_log(self) -> None:
        """Look for the cause in a log that nobody watched, whenever it has stopped growing."""
        size, before = self.reader.index.size, self._log_size
        self._log_size = size
        if size and size == before and size != self._diagnosed:
            self._diagnosed = size
            self.model.failure = await asyncio.to_thread(failure_of_log, self.model.log)

    def take_log_metrics(self) -> None:
        """Take the metrics from the log, where no metrics.jsonl tells them."""
        levels = self.reader.levels
        if self._taken_metrics > len(levels.metrics):
            self._taken_metrics = 0
            self.model.metrics.start_over()
        for step, data in levels.metrics[self._taken_metrics :]:
            self.model.take_metrics(step, data)
            self._taken_metrics += 1
        self.model.progress.total = levels.total or self.model.progress.total
        self.model.progress.checkpoint = levels.checkpoint or self.model.progress.checkpoint

    def refresh_panes(self) -> None:
        """Show what the model knows now."""
        if self.files is None:
            self.take_log_metrics()
        self.header.retranslate()
        self.log_pane.set_ended(self.model.ended)
        empty = "run.charts.empty_ended" if self.model.ended or self.model.record is None else "run.charts.empty"
        self.charts.show(self.model.metrics, empty)
        history = self.files.history if self.files is not None else None
        self.devices.show(self.model.devices, now(), self.model.ended, history)
        self.info.retranslate()
        if self.rollouts.has_class("shown"):
            self.rollouts.look()
        self.show_focus()

    @on(LogPane.SearchChanged)
    def _search_changed(self) -> None:
        self.show_focus()

    @on(LogPane.StepWanted)
    def _step_wanted(self, event: LogPane.StepWanted) -> None:
        self.action_pane("charts")
        self.charts.put_cursor(float(event.step))

    @on(ChartGrid.StepChosen)
    def _step_chosen(self, event: ChartGrid.StepChosen) -> None:
        if not self.log_pane.show_step(event.step):
            self.notify(t("run.prompt.no_such_step", step=event.step))
            return
        self.action_pane("log")

    @on(ChartGrid.StepPointed)
    def _step_pointed(self, event: ChartGrid.StepPointed) -> None:
        self.rollouts.point(event.step)

    @on(RolloutsPane.StepChosen)
    def _rollout_step(self, event: RolloutsPane.StepChosen) -> None:
        self.charts.put_cursor(float(event.step))
        if event.show:
            self.action_pane("charts")

    @on(LogPane.Opened)
    def _line_opened(self, event: LogPane.Opened) -> None:
        from .run_line import WholeLine

        text, left_out = full_text(self.reader.index, event.line)
        cast("App[Any]", self.app).push_screen(WholeLine(event.line, text, left_out, self.log_pane.file_name))  # pyright: ignore[reportUnknownMemberType]
