"""Where to save: asked when the text has no file yet, or another name is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from ..form.values import printable
from ..i18n import t
from ..widgets.field_path import PathSuggester
from ..widgets.one_line import OneLine
from ..widgets.signs import sign


class SaveScreen(ModalScreen["Path | None"]):
    """Answers with the path to write to; None when nothing is to be written."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, suggested: str, said: str = "", errors: int = 0) -> None:
        """Ask for a path.

        Args:
            suggested: what stands in the line at first.
            said: why the last attempt failed; empty at first.
            errors: number of errors in the text, which saving does not forbid.
        """
        super().__init__()
        self._suggested = suggested
        self._said = said
        self._errors = errors

    def compose(self) -> ComposeResult:
        """A box with the line."""
        with Vertical(classes="box"):
            yield Static(Content.styled(t("wizard.save_title"), "bold $primary"), classes="box-title")
            yield OneLine(self._suggested, max_length=4096, suggester=PathSuggester())
            yield Static(classes="box-text")
            with Horizontal(classes="buttons"):
                yield Button(Content(t("wizard.answer_save")), id="save", compact=True)
                yield Button(Content(t("wizard.answer_cancel")), id="cancel", compact=True)

    def on_mount(self) -> None:
        """The name can be typed over at once."""
        line = self.query_one(Input)
        line.focus()
        line.cursor_position = len(self._suggested)
        self._say(self._said)

    @on(Input.Changed)
    def look(self, event: Input.Changed) -> None:
        """Say what is at that place already."""
        if event.value == self._suggested:
            return
        path = _path(event.value)
        self._say(t("wizard.save_replaces") if path is not None and path.is_file() else "")

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter saves."""
        self._save()

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        """A button."""
        if event.button.id == "save":
            self._save()
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        """Write nothing."""
        self.dismiss(None)

    def _save(self) -> None:
        """Answer, if there is a name."""
        path = _path(self.query_one(Input).value)
        if path is None:
            self._say(t("wizard.save_no_name"))
        else:
            self.dismiss(path)

    def _say(self, said: str) -> None:
        """Show a sentence, and the number of errors."""
        parts = [Content.styled(f"{sign('warning')} {printable(said)}", "$level-warning")] if said else []
        if self._errors:
            errors = t("wizard.save_with_errors", count=self._errors)
            parts.append(Content.styled(f"{sign('error')} {errors}", "$level-error"))
        parts.append(Content.styled(t("wizard.save_how"), "$muted"))
        self.query_one(".box-text", Static).update(Content("\n").join(parts))


def _path(typed: str) -> Path | None:
    """The path that was typed; None for nothing, or for what can't be one."""
    try:
        return Path(typed.strip()).expanduser() if typed.strip() and "\0" not in typed else None
    except RuntimeError:  # "~nobody"
        return None
