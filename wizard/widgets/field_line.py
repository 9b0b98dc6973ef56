"""One line of text: the control of numbers and of free text."""

from __future__ import annotations

from typing import Any

from textual.suggester import Suggester
from textual.widgets import Input

from ...runner.catalogue.parameter import Parameter
from ..form.describe import placeholder
from ..form.values import LONGEST, parse_typed, same_value
from .controls import Typed
from .one_line import OneLine


class LineControl(OneLine):
    """An input of one line; empty means "the default", which stands in it as the placeholder."""

    def __init__(self, parameter: Parameter, suggester: Suggester | None = None) -> None:
        """Make the control of a parameter."""
        super().__init__(max_length=LONGEST, suggester=suggester, select_on_focus=False)
        self.parameter = parameter
        self._shown = ""

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show a value, unless what stands there already means it (``1e-6`` stays while it is typed)."""
        self.placeholder = "" if present else placeholder(self.parameter, value)
        if present and self.value.strip() and same_value(parse_typed(self.parameter, self.value), value):
            return
        shown = shown if present else ""
        if shown == self.value or (not present and not self.value.strip()):
            return
        self._shown = shown
        with self.prevent(Input.Changed):
            self.value = shown
        self.cursor_position = len(shown)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Report what was typed."""
        event.stop()
        if event.value != self._shown:
            self._shown = event.value
            self.post_message(Typed(event.value))
