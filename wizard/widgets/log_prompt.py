"""The line at the bottom of the log where one types what to find, or a step to go to."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ..i18n import t

Purpose = Literal["find", "step"]


class LogPrompt(Horizontal):
    """Asks for a text; hidden while nothing is asked."""

    DEFAULT_CSS = """
    LogPrompt {
        display: none; height: 1; background: $surface; padding: 0 1;
        &.asking { display: block; }
        & > #prompt-label { width: auto; color: $accent; text-style: bold; }
        & > Input {
            width: 1fr; height: 1; border: none; padding: 0; background: $surface;
            &:focus { border: none; background: $surface; }
        }
        & > #prompt-note { width: auto; color: $muted; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+r", "regex", show=False, priority=True),
        Binding("down", "submit(1)", show=False),
        Binding("up", "submit(-1)", show=False),
    ]

    class Typed(Message):
        """What is looked for has changed."""

        def __init__(self, text: str, regex: bool) -> None:
            super().__init__()
            self.text = text
            self.regex = regex

    class Submitted(Message):
        """Enter, or an arrow: go to the next (or previous) match, or to the step."""

        def __init__(self, purpose: Purpose, text: str, direction: int, leave: bool) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text
            self.direction = direction
            self.leave = leave

    class Closed(Message):
        """Escape."""

        def __init__(self, purpose: Purpose) -> None:
            super().__init__()
            self.purpose = purpose

    def __init__(self) -> None:
        super().__init__()
        self.purpose: Purpose = "find"
        self.regex = False

    def compose(self) -> ComposeResult:
        """Label, input, note."""
        yield Static("", id="prompt-label", markup=False)
        yield Input(id="prompt-input", select_on_focus=True)
        yield Static("", id="prompt-note", markup=False)

    @property
    def asking(self) -> bool:
        """Whether it is shown."""
        return self.has_class("asking")

    def ask(self, purpose: Purpose, text: str = "") -> None:
        """Show the prompt and put the focus there."""
        self.purpose = purpose
        entry = self.query_one(Input)
        with entry.prevent(Input.Changed):
            entry.value = text
        self.add_class("asking")
        self.retranslate()
        entry.focus()

    def close(self) -> None:
        """Hide it."""
        self.remove_class("asking")

    def note(self, text: str, bad: bool = False) -> None:
        """Show something at the right: the count of matches, or what is wrong."""
        self.query_one("#prompt-note", Static).update(
            Content.assemble((f" {text}" if text else "", "$level-error" if bad else "$muted"))
        )

    def retranslate(self) -> None:
        """Show the label in the language now in use."""
        label = t(f"run.prompt.{self.purpose}")
        if self.purpose == "find" and self.regex:
            label = t("run.prompt.regex")
        self.query_one("#prompt-label", Static).update(Content(f"{label} "))
        self.query_one(Input).placeholder = t(f"run.prompt.{self.purpose}_hint")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look for it while it is typed."""
        event.stop()
        if self.purpose == "find":
            self.post_message(self.Typed(event.value, self.regex))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.post_message(self.Submitted(self.purpose, event.value, 1, leave=True))

    def action_submit(self, direction: int) -> None:
        """An arrow: next or previous, and go on typing."""
        if self.purpose == "find":
            self.post_message(self.Submitted(self.purpose, self.query_one(Input).value, direction, leave=False))

    def action_regex(self) -> None:
        """Text or regular expression."""
        if self.purpose == "find":
            self.regex = not self.regex
            self.retranslate()
            self.post_message(self.Typed(self.query_one(Input).value, self.regex))

    def action_close(self) -> None:
        """Escape."""
        self.close()
        self.post_message(self.Closed(self.purpose))
