"""A question with a few answers; the harmless one has the focus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: what `Confirm` returns, its text, and whether it does harm."""

    id: str
    text: str
    harmful: bool = False


class Confirm(ModalScreen[str]):
    """Returns the id of the answer; Escape gives the first one, which therefore must change nothing."""

    DEFAULT_CSS = """
    Confirm { align: center middle; background: $background 60%; }
    Confirm > Vertical {
        width: 76; max-width: 96%; height: auto; max-height: 100%; padding: 1 2;
        background: $panel; border: round $border; overflow-y: auto;
    }
    Confirm .title { text-style: bold; width: 100%; }
    Confirm .body { color: $label; width: 100%; margin: 1 0; }
    Confirm Horizontal { height: auto; width: 100%; }
    Confirm Button { min-width: 4; margin-right: 2; padding: 0 1; background: $boost; color: $foreground; }
    Confirm Button:focus {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
    }
    Confirm Button.harmful { color: $level-error; }
    Confirm Button.harmful:focus { background: $level-error; color: $background; }
    Confirm.low > Vertical { padding: 0 1; border: none; }
    Confirm.low .body { margin: 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "keep", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, body: str, answers: tuple[Answer, ...]) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._answers = answers

    def compose(self) -> ComposeResult:
        """Title, explanation, answers."""
        with Vertical():
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._body, classes="body", markup=False)
            with Horizontal():
                for answer in self._answers:
                    classes = "harmful" if answer.harmful else ""
                    yield Button(answer.text, id=f"answer-{answer.id}", classes=classes, compact=True)

    def on_mount(self) -> None:
        """Focus the harmless answer."""
        self.query(Button).first().focus()

    def on_resize(self) -> None:
        """Save lines where there are few."""
        self.set_class(self.size.height < 12, "low")

    @on(Button.Pressed)
    def _answered(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss((event.button.id or "").removeprefix("answer-"))

    def action_keep(self) -> None:
        """Change nothing."""
        self.dismiss(self._answers[0].id)
