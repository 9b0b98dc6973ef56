"""The names of the panes, with the keys that show them."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ..i18n import t

PANES = ("log", "charts", "rollouts", "devices", "info")
_GAP = 3


class TabLine(Static):
    """One line; a click shows a pane."""

    DEFAULT_CSS = """
    TabLine { height: 1; padding: 0 1; background: $panel; }
    """

    class Chosen(Message):
        """A name was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._visible_panes: frozenset[str] = frozenset()
        self._focused_pane = ""

    def show(self, visible: frozenset[str], focused: str) -> None:
        """Mark what is on the screen and where the focus is."""
        self._visible_panes, self._focused_pane = visible, focused
        self.retranslate()

    def retranslate(self) -> None:
        """Lay out anew."""
        parts: list[tuple[str, str]] = []
        for number, pane in enumerate(PANES, 1):
            focused = pane == self._focused_pane
            seen = pane in self._visible_panes
            style = "bold $accent underline" if focused else "bold $foreground" if seen else "$muted"
            if number > 1:
                parts.append((" " * _GAP, ""))
            parts += [(f"{number} ", "$footer-key-foreground" if not focused else "bold $accent")]
            parts.append((t(f"run.pane.{pane}"), style))
        self.update(Content.assemble(*parts))

    def on_click(self, event: events.Click) -> None:
        """Show the pane whose name was clicked."""
        column = self.styles.padding.left
        for pane in PANES:
            width = 2 + cell_len(t(f"run.pane.{pane}"))
            if column <= event.x < column + width + _GAP:
                self.post_message(self.Chosen(pane))
                return
            column += width + _GAP
