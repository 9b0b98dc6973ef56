"""An input that takes the first line of a paste, without control characters, however long the paste is."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from ..form.values import LONGEST, clean_line
from .controls import Trimmed


class OneLine(Input):
    """A line of text; `Trimmed` tells that a paste did not fit."""

    def _on_paste(self, event: events.Paste) -> None:
        """Take what fits."""
        event.prevent_default()
        event.stop()
        line, trimmed = clean_line(event.text)
        room = max(0, (self.max_length or LONGEST) - len(self.value) + len(self.selected_text))
        self.replace(line[:room], *sorted(self.selection))
        if trimmed or len(line) > room:
            self.post_message(Trimmed(event.text.count("\n") + 1))
