"""An input that takes the first line of a paste, without control characters, however long the paste is."""

from __future__ import annotations

from typing import Any, cast

from textual import events
from textual.geometry import Size
from textual.reactive import Reactive
from textual.validation import ValidationResult
from textual.widgets import Input

from ..form.values import LONGEST, clean_line, line_count
from .controls import Trimmed


class OneLine(Input):
    """A line of text; `Trimmed` tells that a paste did not fit."""

    # The width of what was typed moves nothing on the screen, so that a letter need not lay it all out anew.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str | None = None, **options: Any) -> None:
        """Make a compact input; ``options`` are those of `Input`."""
        super().__init__(value, **options)
        # As ``compact=True``, which would style the widget once more for every input of a page.
        self.set_reactive(cast("Reactive[bool]", Input.compact), True)
        self.add_class("-textual-compact", update=False)

    def validate(self, value: str) -> ValidationResult | None:
        """The form judges values; the classes of Textual's validators would be styled for nothing."""
        del value
        return None

    def _on_paste(self, event: events.Paste) -> None:
        """Take what fits."""
        event.prevent_default()
        event.stop()
        line, trimmed = clean_line(event.text)
        room = max(0, (self.max_length or LONGEST) - len(self.value) + len(self.selected_text))
        self.replace(line[:room], *sorted(self.selection))
        if trimmed or len(line) > room:
            self.post_message(Trimmed(line_count(event.text)))
