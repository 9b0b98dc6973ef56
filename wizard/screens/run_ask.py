"""Asks which other run to draw behind this one."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..i18n import t


class AskRun(ModalScreen[str]):
    """Returns what was typed; an empty text for nothing."""

    DEFAULT_CSS = """
    AskRun { align: center middle; background: $background 60%; }
    AskRun > Vertical {
        width: 64; max-width: 96%; height: auto; padding: 1 2; background: $panel; border: round $border;
    }
    AskRun .title { text-style: bold; width: 100%; }
    AskRun .body { color: $muted; width: 100%; margin-bottom: 1; }
    AskRun Input { height: 1; border: none; padding: 0 1; background: $boost; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "nothing", show=False)]

    def compose(self) -> ComposeResult:
        """Question and input."""
        with Vertical():
            yield Static(t("run.overlay.title"), classes="title", markup=False)
            yield Static(t("run.overlay.body"), classes="body", markup=False)
            yield Input(placeholder="runs/project/experiment/…")

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def action_nothing(self) -> None:
        """Escape."""
        self.dismiss("")
