"""A list of free values: its items as chips, and a line to add one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from ...runner.catalogue.parameter import Parameter
from ..form.values import LONGEST, line_count, parse_items, printable, show_value
from ..i18n import t
from .controls import Picked, Trimmed
from .one_line import OneLine
from .signs import sign

MOST_PASTED = 200


class Chips(Widget):
    """The items in a row; a click removes one."""

    DEFAULT_CSS = "Chips { height: auto; width: 1fr; padding: 0 1; pointer: pointer; }"

    def __init__(self) -> None:
        """Start without items."""
        super().__init__()
        self.items: list[Any] = []

    def render(self) -> Content:
        """Each item with its sign to remove it."""
        if not self.items:
            return Content.styled(t("wizard.list_empty"), "$muted")
        chips = [
            Content.assemble(
                (_chip(item), "on $panel"),
                (f"{sign('remove')} ", "$muted on $panel"),
            )
            for item in self.items
        ]
        return Content("  ").join(chips)

    def on_click(self, event: events.Click) -> None:
        """Remove the item under the mouse (those of the first row)."""
        left, row = event.get_content_offset_capture(self)
        if row:
            return
        for place, item in enumerate(self.items):
            width = cell_len(_chip(item)) + 2
            if left < width:
                parent = self.parent
                if isinstance(parent, ListControl):
                    parent.take([one for other, one in enumerate(self.items) if other != place])
                return
            left -= width + 2


def _chip(item: Any) -> str:
    """Text of a chip."""
    text = printable(show_value(item))
    return f" {text if len(text) <= 60 else text[:59] + '…'} "


class _AddLine(OneLine):
    """The line that adds an item; backspace in the empty line removes the last one."""

    def on_key(self, event: events.Key) -> None:
        """Catch backspace where there is nothing to delete."""
        parent = self.parent
        if event.key == "backspace" and not self.value and isinstance(parent, ListControl) and parent.items:
            event.prevent_default()
            event.stop()
            parent.take(parent.items[:-1])

    def _on_paste(self, event: events.Paste) -> None:
        """Each pasted line is an item."""
        event.prevent_default()
        event.stop()
        parent = self.parent
        lines = event.text[: LONGEST * MOST_PASTED].splitlines()
        if len(lines) <= 1:
            self.insert_text_at_cursor(printable(event.text[:LONGEST]))
            return
        if isinstance(parent, ListControl):
            if len(lines) > MOST_PASTED:
                self.post_message(Trimmed(line_count(event.text)))
                return
            parent.add([printable(line) for line in lines])


class ListControl(Vertical):
    """Chips above a line that adds items (enter; commas separate several)."""

    DEFAULT_CSS = "ListControl { height: auto; }"

    def __init__(self, parameter: Parameter) -> None:
        """Make the control of a parameter that is a list."""
        super().__init__()
        self.parameter = parameter
        self._chips = Chips()
        self._line = _AddLine(max_length=LONGEST, placeholder=t("wizard.list_add"))

    @property
    def items(self) -> list[Any]:
        """The present items."""
        return self._chips.items

    def compose(self) -> ComposeResult:
        """Chips and line."""
        yield self._chips
        yield self._line

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show the items of a list; a value that is no list counts as its only item."""
        del shown, present
        many = isinstance(value, list | tuple)
        items = list(cast("Sequence[Any]", value)) if many else [] if value is None else [value]
        if items != self._chips.items:
            self._chips.items = items
            self._chips.refresh(layout=True)

    def add(self, typed: list[str]) -> None:
        """Add items, those that are not there yet."""
        new = [one for one in parse_items(self.parameter, typed) if one not in self.items]
        if new:
            self.take([*self.items, *new])

    def take(self, items: list[Any]) -> None:
        """Make ``items`` the list."""
        self._chips.items = items
        self._chips.refresh(layout=True)
        self.post_message(Picked(items))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Add what was typed."""
        event.stop()
        self.add(event.value.split(","))
        self._line.value = ""

    def on_input_blurred(self, event: Input.Blurred) -> None:
        """An item that was typed and left counts."""
        if event.value.strip():
            self.on_input_submitted(Input.Submitted(event.input, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Half an item is nobody's business."""
        event.stop()
