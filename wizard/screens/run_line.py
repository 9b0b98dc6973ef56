"""One line of the log in full: wrapped, or as a table where it holds the metrics of a step."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ...runner.stream.metrics import parse_metric_line
from ..i18n import t
from ..store.series import number
from ..widgets.log_copy import copy_text, write_lines

# Laying out more than this would block the screen; the rest can be saved.
SHOWN = 64 * 1024


class WholeLine(ModalScreen[None]):
    """The text of a line; y copies it, S writes it to a file."""

    DEFAULT_CSS = """
    WholeLine { align: center middle; background: $background 60%; }
    WholeLine > VerticalScroll {
        width: 92%; height: 84%; padding: 1 2; background: $panel; border: round $border;
        border-title-color: $accent; border-subtitle-color: $muted; scrollbar-size-vertical: 1;
    }
    WholeLine Static { width: 100%; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", show=False),
        Binding("y,ctrl+c", "copy", show=False),
        Binding("S", "save", show=False),
    ]

    def __init__(self, number_: int, text: str, left_out: int, name: str) -> None:
        super().__init__()
        self._number = number_
        self._text = text
        self._left_out = left_out
        self._file_name = name

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with VerticalScroll():
            yield Static("", markup=False)

    def on_mount(self) -> None:
        """Show it."""
        self.retranslate()
        self.query_one(VerticalScroll).focus()

    def retranslate(self) -> None:
        """Lay out."""
        box = self.query_one(VerticalScroll)
        box.border_title = Content(f" {t('run.log.line')} {self._number + 1:,} ")
        hidden = max(0, len(self._text) - SHOWN) + self._left_out
        size = t("run.line.cut", shown=f"{SHOWN:,}", hidden=f"{hidden:,}") if hidden else ""
        box.border_subtitle = Content(f" {size}{t('run.line.keys')} ")
        metric = parse_metric_line(self._text) if len(self._text) <= SHOWN else None
        content = Content(self._text[:SHOWN]) if metric is None else self._table(*metric)
        self.query_one(Static).update(content)

    def _table(self, step: int, data: dict[str, float]) -> Content:
        lines = [Content.assemble((f"{t('run.log.step')} {step}", "bold $accent"))]
        width = max(len(key) for key in data)
        group = ""
        for key in sorted(data):
            if key.split("/")[0] != group:
                group = key.split("/")[0]
                lines.append(Content(""))
            lines.append(Content.assemble((f"{key:<{width}}  ", "$muted"), (number(data[key]), "bold")))
        return Content("\n").join(lines)

    def action_copy(self) -> None:
        """Copy the whole line."""
        key, values = copy_text(cast("App[Any]", self.app), self._text, f"{self._file_name}-line-{self._number + 1}")  # pyright: ignore[reportUnknownMemberType]
        self.notify(t(key, **values), markup=False)

    def action_save(self) -> None:
        """Write the whole line to a file."""
        try:
            path = write_lines([self._text], f"{self._file_name}-line-{self._number + 1}")
        except OSError as error:
            self.notify(t("run.not_saved", reason=error), severity="error", markup=False)
            return
        self.notify(t("run.saved", lines=1, path=path), markup=False)
