"""What the keys of the run view do to the run: detach, stop, compare, help."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.app import App

from ...runner.process.follow import rows_of
from ...runner.process.record import METRICS, RunRecord
from ..i18n import t
from ..store.metrics import MetricStore
from ..widgets.confirm import Answer, Confirm

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from ..store.run_model import RunModel
    from ..widgets.chart_grid import ChartGrid
    from ..widgets.log_pane import LogPane
    from ..widgets.rollouts_pane import RolloutsPane

    _Base = Screen[None]
else:
    _Base = object


class RunActions(_Base):
    """Mixed into `RunScreen`."""

    model: RunModel
    charts: ChartGrid
    log_pane: LogPane
    rollouts: RolloutsPane
    stop_run: Callable[[RunRecord, bool], object] | None

    @property
    def panes(self) -> dict[str, Widget]:
        """The panes by name."""
        raise NotImplementedError

    @property
    def focused_pane(self) -> str | None:
        """The pane that has the focus."""
        if self.focused is None:
            return None
        inside = {self.focused, *self.focused.ancestors}
        return next((name for name, pane in self.panes.items() if pane in inside), None)

    @property
    def own_app(self) -> App[Any]:
        """The app, typed."""
        return cast("App[Any]", self.app)  # pyright: ignore[reportUnknownMemberType]

    def action_detach(self) -> None:
        """Leave; the run goes on, and how to come back is printed to the terminal."""
        record = self.model.record
        if record is None or self.model.ended:
            self.own_app.exit()
            return
        self.own_app.exit(message=t("run.detached", id=record.id))

    def action_show_help(self) -> None:
        """All keys."""
        from .run_help import RunHelp

        self.own_app.push_screen(RunHelp())

    def action_cancel(self) -> None:
        """Escape: take away the search, the filter or the cursor, whichever is there."""
        if self.focused_pane == "rollouts" and self.rollouts.cancel():
            return
        if not self.log_pane.cancel():
            self.charts.put_cursor(None)

    def action_stop(self) -> None:
        """Ask whether and how to stop the run."""
        record = self.model.record
        if record is None or self.stop_run is None:
            self.notify(t("run.stop.only_log"))
        elif self.model.ended:
            self.notify(t("run.stop.ended"))
        else:
            self._ask_stop(record)

    @work(exclusive=True, group="stop")
    async def _ask_stop(self, record: RunRecord) -> None:
        checkpoint = self.model.progress.checkpoint
        body = t("run.stop.body") + "\n" + (
            t("run.stop.checkpoint", step=checkpoint) if checkpoint is not None else t("run.stop.no_checkpoint")
        )  # fmt: skip
        answers = (
            Answer("keep", t("run.stop.keep")),
            Answer("gently", t("run.stop.gently"), harmful=True),
            Answer("now", t("run.stop.now"), harmful=True),
            Answer("leave", t("run.stop.leave")),
        )
        title = t("run.stop.title", name=record.experiment or record.id)
        answer = await self.own_app.push_screen_wait(Confirm(title, body, answers))
        if answer == "leave":
            self.action_detach()
        if answer not in {"gently", "now"} or self.stop_run is None:
            return
        self.notify(t("run.stop.asked"))
        try:
            await asyncio.to_thread(self.stop_run, record, answer == "now")
        except Exception as error:  # whatever went wrong, the user must read it and the screen must live on
            code = getattr(error, "code", "")
            params: dict[str, object] = getattr(error, "params", {})
            reason = t(f"run.{code.replace('run.', 'stop.')}", **params) if code else str(error)
            self.notify(t("run.stop.failed", reason=reason), severity="error", markup=False)

    def action_overlay(self) -> None:
        """Draw another run behind this one, or take it away."""
        if self.charts.overlay is not None:
            self.charts.show_overlay(None)
        else:
            self._ask_overlay()

    @work(exclusive=True, group="overlay")
    async def _ask_overlay(self) -> None:
        from .run_ask import AskRun

        reference = await self.own_app.push_screen_wait(AskRun())
        if not reference:
            return
        store = await asyncio.to_thread(load_metrics, reference)
        if store is None or not store.steps:
            self.notify(t("run.overlay.none", reference=reference), severity="warning", markup=False)
            return
        self.charts.show_overlay(store, Path(reference).name)


def load_metrics(reference: str) -> MetricStore | None:
    """The metrics of another run (a reference) or of a log file; None where there is neither."""
    from ..store.log_reader import LogReader
    from ..store.run_open import find_directory

    store = MetricStore()
    path = Path(reference).expanduser()
    if path.is_file() and path.name != METRICS:
        reader = LogReader(path)
        reader.catch_up()
        reader.stop()
        store.start_over(reader.levels.metrics)
        return store
    directory = path.parent if path.is_file() else find_directory(reference)
    if directory is None:
        return None
    store.start_over(rows_of(directory))
    return store
