"""Bars that show where the time of a step goes."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from ..i18n import t
from ..store.chart_specs import stage_times
from ..store.metrics import MetricStore
from ..store.series import duration, number

STEPS = 10
MOST = 7
_NAMES = 16


class StageBars(Static):
    """Mean seconds of each stage over the last steps, as bars with their share."""

    DEFAULT_CSS = """
    StageBars { height: 9; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="chart-stages", markup=False)
        self._rows: list[tuple[str, float, float]] = []
        self._until: int | None = None

    def show(self, metrics: MetricStore, until: int | None = None) -> None:
        """Show the times up to a step, by default of the last steps."""
        self._until = until
        self._rows = stage_times(metrics, STEPS if until is None else 1, until)
        self.refresh_text()

    def retranslate(self) -> None:
        """Show the title in the language now in use."""
        self.refresh_text()

    def on_resize(self) -> None:
        """Bars take the width there is."""
        self.refresh_text()

    def refresh_text(self) -> None:
        """Lay out the rows anew."""
        width = self.content_size.width
        total = sum(seconds for _, seconds, _ in self._rows)
        title = t("run.chart.stages")
        when = t("run.chart.at_step", step=self._until) if self._until is not None else t("run.chart.mean_of", n=STEPS)
        parts: list[Content] = [
            Content.assemble((title, "bold"), (f" {when}", "$muted"), (f"  {duration(total)}", "bold"))
        ]
        names = _NAMES if width >= 48 else 12
        room = max(4, width - names - 16)
        for name, seconds, share in self._rows[:MOST]:
            bar = "━" * round(share * room)
            label = name if len(name) <= names else name[: names - 1] + "…"
            parts.append(
                Content.assemble(
                    (f"{label:<{names}} ", "$muted"),
                    (bar or "╸", "$series-1"),
                    ("─" * (room - max(1, len(bar))), "$rule"),
                    (f"{number(seconds):>7}s", ""),
                    (f"{share * 100:>5.0f}%", "$muted"),
                )
            )
        hidden = self._rows[MOST:]
        if hidden:
            rest = sum(seconds for _, seconds, _ in hidden)
            parts.append(Content.assemble((t("run.chart.more_stages", n=len(hidden), time=duration(rest)), "$muted")))
        self.update(Content("\n").join(parts))
