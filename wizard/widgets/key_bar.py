"""The footer: one key each, made from the key table; a click does what the key does."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from ..i18n import t
from ..keys import Key
from .of_app import app_of


class KeyBar(Widget):
    """Keys and what they do, as many as fit, the most needed first."""

    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; background: $footer-background; padding: 0 1; pointer: pointer; }
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        """Show the keys of a table."""
        super().__init__()
        self._keys = keys
        self._places: list[tuple[int, int, str]] = []

    def render(self) -> Content:
        """The line, remembering where each key stands."""
        parts: list[Content] = []
        self._places = []
        left = 0
        room = self.size.width
        wide = app_of(self).size.width >= 110
        space = " " if wide else ""  # as htop does: on 80 columns all of them fit only without
        for key in self._keys:
            label = t(f"wizard.key_{key.name}")
            width = cell_len(key.shown) + len(space) + cell_len(label)
            if not key.footer or (key.wide and not wide) or left + width > room:
                continue
            self._places.append((left, left + width, key.action))
            shown = (key.shown, "bold $footer-key-foreground")
            parts.append(Content.assemble(shown, space, (label, "$footer-description-foreground")))
            left += width + 1
        return Content(" ").join(parts)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        x = event.get_content_offset_capture(self).x
        for start, end, action in self._places:
            if start <= x < end:
                await self.run_in_screen(action)
                return

    async def run_in_screen(self, action: str) -> None:
        """Run an action of the screen, or of the app where the screen has none."""
        if not await app_of(self).run_action(action, self.screen):
            await app_of(self).run_action(action, app_of(self))

    def retranslate(self) -> None:
        """Show the words in the language in use."""
        self.refresh()
