"""Everything about a run that isn't a curve: why it ended, where its files are, with what it was started."""

from __future__ import annotations

from datetime import datetime

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ...runner.process.reasons import reason_text
from ..i18n import language, t
from ..store.run_model import RunModel
from ..store.series import duration
from .cells import pad, wrap

Part = tuple[str, str]
_LABEL = 16


class RunInfo(VerticalScroll, can_focus=True):
    """A page of label and value."""

    DEFAULT_CSS = """
    RunInfo { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
    RunInfo > Static { width: 100%; height: auto; }
    """

    def __init__(self, model: RunModel) -> None:
        super().__init__(id="pane-info")
        self._text = Static("", markup=False)
        self.model = model

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    def on_resize(self) -> None:
        """Wrap for the new width."""
        self.retranslate()

    def retranslate(self) -> None:
        """Lay out anew."""
        self._text.update(Content("\n").join(self._lines()))

    def _lines(self) -> list[Content]:
        model = self.model
        lines: list[Content] = []
        if model.failure is not None:
            failure = model.failure
            said = f"{failure.line}: {failure.excerpt}" if failure.line and failure.excerpt else failure.excerpt
            rows = [("cause", failure.cause), ("said", said), ("remedy", failure.remedy)]
            lines += self._section("failure", [*rows, ("change", ", ".join(failure.parameters))])
        record = model.record
        if record is None:
            return [*lines, *self._section("files", [("log", str(model.log))])]
        times = [
            ("started", when(record.started or record.created)),
            ("ended", when(record.ended)),
            ("took", duration(model.elapsed) if model.elapsed is not None else ""),
            ("exit", "" if record.exit_code is None else str(record.exit_code)),
            ("signal", "" if record.signal is None else str(record.signal)),
            ("reason", reason_text(record, language())),
        ]
        files = [
            ("directory", record.directory),
            ("log", str(model.log)),
            ("config", record.config),
            ("checkpoints", record.checkpoint_dir),
            ("previous", record.previous),
        ]
        engine = [
            ("backend", f"{record.backend} {record.backend_version}".strip()),
            ("device", record.device),
            ("host", record.host),
            ("pid", str(record.pid) if record.pid else ""),
        ]
        lines += self._section("run", [("id", record.id), ("attach", f"agentic-rl attach {record.id}"), *times])
        lines += self._section("files", files)
        lines += self._section("engine", engine, sorted(record.versions.items()))
        return lines

    def _section(self, title: str, rows: list[Part], plain: list[Part] | None = None) -> list[Content]:
        lines = [Content.assemble((t(f"run.info.{title}"), "bold $accent"))]
        shown = [(t(f"run.info.{key}"), value) for key, value in rows if value]
        for label, value in [*shown, *(plain or [])]:
            room = max(10, self.content_size.width - _LABEL)
            for position, part in enumerate(wrap(" ".join(value.split()), room)):
                lines.append(Content.assemble((pad("" if position else f"  {label}", _LABEL), "$muted"), (part, "")))
        return [*lines, Content("")]


def when(stamp: float) -> str:
    """Seconds since the epoch as local time; empty for 0."""
    return datetime.fromtimestamp(stamp).astimezone().strftime("%Y-%m-%d %H:%M:%S") if stamp > 0 else ""
