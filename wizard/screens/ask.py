"""A question over the present screen: a title, a text, and one button for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from ..form.values import printable


class AskScreen(ModalScreen[str]):
    """Answers with the id of the pressed button; escape is the last one, which must be harmless."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "harmless", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, text: str, answers: Sequence[tuple[str, str]]) -> None:
        """Ask.

        Args:
            title: the question.
            text: what one should know to answer.
            answers: id and label of each button, the harmless one last.
        """
        super().__init__()
        self._title = title
        self._text = text
        self._answers = answers

    def compose(self) -> ComposeResult:
        """A box with the question."""
        with Vertical(classes="box"):
            yield Static(Content.styled(printable(self._title), "bold $primary"), classes="box-title")
            yield Static(Content("\n".join(printable(line) for line in self._text.split("\n"))), classes="box-text")
            with Horizontal(classes="buttons"):
                for name, label in self._answers:
                    yield Button(Content(label), id=name, compact=True)

    def on_mount(self) -> None:
        """The first answer has the cursor."""
        self.query(Button).first().focus()

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id or self._answers[-1][0])

    def action_harmless(self) -> None:
        """Answer with what does nothing."""
        self.dismiss(self._answers[-1][0])
