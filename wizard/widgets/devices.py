"""Processor, memory and accelerators, as the last sample tells, with its age and a short history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ..i18n import t
from ..store.device_history import METRICS, DeviceHistory
from ..store.devices import Device, Sample, read_sample
from ..store.series import duration, number
from .cells import pad
from .device_past import past_lines
from .key_line import bindings

BARS = (20, 12)
STALE = 30.0
PROBLEMS = frozenset({"timeout", "stuck", "failed", "not_started", "flood"})
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
        if sample.devices:
            lines += device_rows(sample.devices, self._room, self._stale(sample))
        elif not sample.problems:
            lines.append(Content.assemble((t("run.devices.none"), "$muted")))
        if past := self._past():
            lines += [Content(""), *past]
        return lines

    def _stale(self, sample: Sample) -> bool:
        """Whether what is shown of the devices is too old to be what they do."""
        ages = [self._now - sample.time] if self._now and sample.time is not None else []
        return sum(ages) + (sample.device_age or 0.0) > STALE

    def _age(self, sample: Sample) -> Content:
        source = f" · {sample.source}" if sample.source else ""
        if not self._now or sample.time is None:
            return Content.assemble((t("run.devices.last_sample"), "bold"), (source, "$muted"))
        # What people look at are the devices; their part of a line may be older than the line.
        age = max(0.0, self._now - sample.time) + (sample.device_age or 0.0 if sample.devices else 0.0)
        stale = age > STALE
        return Content.assemble(
            (t("run.devices.sample"), "bold"),
            (f"  {t('run.devices.age', age=duration(age))}", "bold $level-warning" if stale else "$muted"),
            (f"  ⚠ {t('run.devices.stale')}" if stale else "", "bold $level-warning"),
            (source, "$muted"),
        )

    def _problems(self, sample: Sample) -> list[Content]:
        known = [code for code in sample.problems if code in PROBLEMS]
        return [
            Content.assemble((f"✗ {t(f'run.devices.problem.{code}', tool=sample.source)}", "$level-error"))
            for code in known
        ]


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


Cell = list[tuple[str, str]]
COLUMNS = ("device", "model", "health", "use", "hbm", "size", "temperature", "power")
# Given up in this order where there is no room.
_LESS_IMPORTANT = ("power", "model", "temperature", "size")


def device_rows(devices: Sequence[Device], width: int, stale: bool = False) -> list[Content]:
    """The table of accelerators, its columns under each other whatever the language.

    Args:
        devices: of a sample.
        width: in cells; less important columns are left out until the rest fits.
        stale: the sample is old, which is to be seen.
    """
    columns = list(COLUMNS)
    table = [{name: [(t(f"run.devices.{name}"), "$muted")] for name in columns}, *(_cells(one) for one in devices)]
    widths = {name: max(_size(row[name]) for row in table) + 2 for name in columns}
    for name in _LESS_IMPORTANT:
        if sum(widths[column] for column in columns) - 2 > width:
            columns.remove(name)
    lines: list[Content] = []
    for row in table:
        parts: Cell = []
        for name in columns:
            parts += [*row[name], (" " * (widths[name] - _size(row[name])), "")]
        if stale:
            parts = [(text, style if "error" in style else "$muted") for text, style in parts]
        lines.append(Content.assemble(*parts))
    return lines


def _size(cell: Cell) -> int:
    return sum(cell_len(text) for text, _ in cell)


def _cells(one: Device) -> dict[str, Cell]:
    healthy = one.health.upper() in {"OK", ""}
    return {
        "device": [(one.name, "bold")],
        "model": [(one.model or "–", "")],
        "health": [(one.health or "–", "$state-live" if healthy else "bold $level-error")],
        "use": small_bar(one.utilization, "$series-1"),
        "hbm": small_bar(percent(one.memory_used, one.memory_total), "$series-3"),
        "size": [(gib(one.memory_used, one.memory_total).removesuffix(" GiB"), "$muted")],
        "temperature": [("–" if one.temperature is None else f"{one.temperature:.0f} °C", "")],
        "power": [("–" if one.power is None else f"{one.power:.0f} W", "")],
    }


def small_bar(share: float | None, style: str) -> Cell:
    """Eight cells and a number."""
    if share is None:
        return [(f"{'–':>13}", "$muted")]
    filled = round(min(max(share, 0), 100) / 100 * 8)
    return [("━" * filled, style), ("─" * (8 - filled), "$rule"), (f" {share:>3.0f}%", "")]


def spark(values: Iterable[float | None]) -> str:
    """A history of percentages, one cell each."""
    return "".join("·" if v is None else _LEVELS[min(8, max(0, round(v / 100 * 8)))] for v in list(values)[-24:])


def percent(used: float | None, total: float | None) -> float | None:
    """Share in percent; None where it can't be told."""
    return None if used is None or not total else 100 * used / total


def gib(used: float | None, total: float | None) -> str:
    """MiB as GiB: ``12.3/64 GiB``."""
    if used is None:
        return "–"
    return f"{number(used / 1024)}/{number(total / 1024)} GiB" if total else f"{number(used / 1024)} GiB"
