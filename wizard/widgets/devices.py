"""Processor, memory and accelerators, as the last sample tells, with its age and a short history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ..i18n import t
from ..store.device_history import METRICS, DeviceHistory
from ..store.devices import Sample, read_sample
from ..store.series import duration
from .cells import pad
from .device_past import past_lines
from .device_rows import PROBLEMS, STALE, device_rows, gib, node_rows, percent
from .key_line import bindings

BARS = (20, 12)
CLUSTER_PROBLEMS = frozenset({"no_cluster", "ended", "not_started", "flood"})
_LEVELS = " ▁▂▃▄▅▆▇█"


class DeviceTable(VerticalScroll, can_focus=True):
    """The last sample of devices.jsonl."""

    DEFAULT_CSS = """
    DeviceTable { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    DeviceTable > Static { width: 100%; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("devices")

    def __init__(self) -> None:
        super().__init__(id="pane-devices")
        self.metric = METRICS[0]
        self.history: DeviceHistory | None = None
        self._text = Static("", markup=False)
        self._samples: list[Sample] = []
        self._now = 0.0

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    def show(
        self, rows: Sequence[Mapping[str, Any]], now: float, ended: bool, history: DeviceHistory | None = None
    ) -> None:
        """Show samples, oldest first.

        Args:
            rows: of devices.jsonl.
            now: seconds since the epoch, for the age of the last sample.
            ended: the run is over, so the age doesn't matter.
            history: of the whole run.
        """
        self.history = history
        self._samples = [read_sample(row) for row in list(rows)[-60:]]
        self._now = 0.0 if ended else now
        self.retranslate()

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.retranslate()

    @property
    def _room(self) -> int:
        """Cells of a line, without the scroll bar that may be there."""
        return self.scrollable_content_region.width

    @property
    def has_history(self) -> bool:
        """Whether there is a history."""
        return self.history is not None and self.history.span() is not None

    def action_metric(self) -> None:
        """The history of something else."""
        self.metric = METRICS[(METRICS.index(self.metric) + 1) % len(METRICS)]
        self.retranslate()
        if self._past():
            self.scroll_end(animate=False)

    def _past(self) -> list[Content]:
        return past_lines(self.history, self.metric, self._room) if self.history is not None else []

    def retranslate(self) -> None:
        """Lay out anew."""
        self._text.update(Content("\n").join(self._lines()))

    def _lines(self) -> list[Content]:
        if not self._samples:
            return [Content.assemble((t("run.devices.empty"), "$muted"))]
        sample = self._samples[-1]
        wide = self._room >= 76
        lines = [self._age(sample), *self._problems(sample), Content("")]
        if sample.nodes:  # what follows is measured where the supervisor lives
            lines.append(Content.assemble((t("run.devices.supervisor"), "$muted")))
        cpu = f"{sample.cores} {t('run.devices.cores')}" if sample.cores else ""
        bar = BARS[0 if self._room >= 60 else 1]
        history = spark(s.cpu for s in self._samples) if wide else ""
        lines.append(meter(t("run.devices.cpu"), sample.cpu, cpu, bar, history))
        history = spark(_memory_share(s) for s in self._samples) if wide else ""
        free = t("run.devices.free", size=gib(sample.free, None)) if sample.free is not None else ""
        lines.append(meter(t("run.devices.memory"), _memory_share(sample), free, bar, history))
        if sample.memory is not None:
            own = t("run.devices.run_memory", size=gib(sample.memory, None), n=sample.processes or "?")
            lines.append(Content.assemble((" " * 10 + own, "$muted")))
        lines.append(Content(""))
        if sample.nodes:
            lines += node_rows(sample, self._room, self._line_age(sample))
        elif sample.devices:
            lines += device_rows(sample.devices, self._room, lambda _one: self._stale(sample))
        elif not sample.problems:
            lines.append(Content.assemble((t("run.devices.none"), "$muted")))
        if past := self._past():
            lines += [Content(""), *past]
        return lines

    def _line_age(self, sample: Sample) -> float:
        """Seconds since the sample was written; 0.0 where that does not matter."""
        return max(0.0, self._now - sample.time) if self._now and sample.time is not None else 0.0

    def _stale(self, sample: Sample) -> bool:
        """Whether what is shown of the devices is too old to be what they do."""
        return self._line_age(sample) + (sample.device_age or 0.0) > STALE

    def _age(self, sample: Sample) -> Content:
        source = f" · {sample.source}" if sample.source else ""
        if not self._now or sample.time is None:
            return Content.assemble((t("run.devices.last_sample"), "bold"), (source, "$muted"))
        # What people look at are the devices; their part of a line may be older than the line. Nodes tell their own.
        own = sample.device_age or 0.0 if sample.devices and not sample.nodes else 0.0
        age = self._line_age(sample) + own
        stale = age > STALE
        return Content.assemble(
            (t("run.devices.sample"), "bold"),
            (f"  {t('run.devices.age', age=duration(age))}", "bold $level-warning" if stale else "$muted"),
            (f"  ⚠ {t('run.devices.stale')}" if stale else "", "bold $level-warning"),
            (source, "$muted"),
        )

    def _problems(self, sample: Sample) -> list[Content]:
        # With several nodes the line's own problems are those of the way to the cluster.
        kind, codes = ("cluster", CLUSTER_PROBLEMS) if _of_cluster(sample) else ("problem", PROBLEMS)
        known = [code for code in sample.problems if code in codes]
        return [
            Content.assemble((f"✗ {t(f'run.devices.{kind}.{code}', tool=sample.source)}", "$level-error"))
            for code in known
        ]


def _of_cluster(sample: Sample) -> bool:
    return bool(sample.nodes) or sample.source == "ray"


def _memory_share(sample: Sample) -> float | None:
    """Memory of the run in percent of what it could have: its own and what is free."""
    if sample.memory is None or sample.free is None:
        return None
    return percent(sample.memory, sample.memory + sample.free)


def meter(label: str, share: float | None, note: str, width: int, history: str = "") -> Content:
    """A line with a bar: label, bar, percent, note, history."""
    filled = 0 if share is None else round(min(max(share, 0), 100) / 100 * width)
    style = "$state-failed" if share is not None and share >= 95 else "$series-1"
    return Content.assemble(
        (pad(label, 10), "$muted"),
        ("━" * filled, style),
        ("─" * (width - filled), "$rule"),
        (f"{'–' if share is None else f'{share:.0f}%':>6}", "bold"),
        (pad(f"  {note}", 20 if history else 0), "$muted"),
        (history, "$series-1"),
    )


def spark(values: Iterable[float | None]) -> str:
    """A history of percentages, one cell each."""
    return "".join("·" if v is None else _LEVELS[min(8, max(0, round(v / 100 * 8)))] for v in list(values)[-24:])
