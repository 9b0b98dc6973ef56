"""All keys of the run view, from the same table that binds them."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..i18n import t
from ..store.run_keys import Context, keys_of
from ..widgets.cells import pad, wrap

_KEY = 12

CONTEXTS: tuple[Context, ...] = ("run", "log", "charts", "rollouts", "devices")


class RunHelp(ModalScreen[None]):
    """Closed by any of the keys that people try."""

    DEFAULT_CSS = """
    RunHelp { align: center middle; background: $background 60%; }
    RunHelp > VerticalScroll {
        width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
        background: $panel; border: round $border; scrollbar-size-vertical: 1;
    }
    RunHelp Static { width: 100%; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "dismiss", show=False),
    ]

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with VerticalScroll():
            yield Static("", markup=False)

    def on_resize(self) -> None:
        """Wrap for the new width."""
        self.call_after_refresh(self.retranslate)

    def on_mount(self) -> None:
        """Show it."""
        self.retranslate()
        self.query_one(VerticalScroll).focus()

    def retranslate(self) -> None:
        """Lay out in the language now in use."""
        lines: list[Content] = []
        room = max(12, self.query_one(Static).content_size.width - _KEY)
        for context in CONTEXTS:
            lines.append(Content.assemble((t(f"run.help_title.{context}"), "bold $accent")))
            for key in keys_of(context):
                for position, part in enumerate(wrap(t(f"run.help.{key.id}"), room)):
                    shown = "" if position else f"  {key.shown}"
                    lines.append(Content.assemble((pad(shown, _KEY), "bold $footer-key-foreground"), (part, "")))
            lines.append(Content(""))
        lines.append(Content.assemble((t("run.help_end"), "$muted")))
        self.query_one(Static).update(Content("\n").join(lines))
