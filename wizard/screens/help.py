"""The help screen: every key and what it does, made from the same table as the bindings and the footer."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..i18n import t
from ..keys import FORM_KEYS
from ..widgets.signs import sign


class KeysScreen(ModalScreen[None]):
    """Keys, how fields are edited, what the signs mean."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,enter", "close", show=False)]

    def compose(self) -> ComposeResult:
        """A box with everything."""
        with Vertical(classes="box tall"):
            yield Static(Content.styled(t("wizard.keys_title"), "bold $primary"), classes="box-title")
            with VerticalScroll():
                yield Static(keys_text())
            yield Static(Content.styled(t("wizard.esc_closes"), "$muted"), classes="box-foot")

    def on_mount(self) -> None:
        """The text can be scrolled at once."""
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def keys_text() -> Content:
    """The whole help as one text."""
    lines = [_row(key.shown, t(f"wizard.does_{key.name}"), 6) for key in FORM_KEYS]
    lines += [Content(), Content.styled(t("wizard.keys_fields"), "bold $label")]
    for number in range(1, 8):
        shown, _, does = t(f"wizard.keys_field_{number}").partition(" | ")
        lines.append(_row(shown, does, 18))
    lines += [Content(), Content.styled(t("wizard.keys_signs"), "bold $label")]
    for name in ("error", "warning", "hint", "done", "untouched", "edited", "changed"):
        lines.append(_row(sign(name), t(f"wizard.sign_{name}"), 6))
    return Content("\n").join(lines)


def _row(left: str, right: str, width: int) -> Content:
    """Two columns."""
    gap = " " * max(1, width - cell_len(left))
    return Content.assemble((left, "bold $footer-key-foreground"), gap, right)
