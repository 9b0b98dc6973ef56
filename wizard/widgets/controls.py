"""What every control of a field has in common: it shows a value and says what a person made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.message import Message
from textual.widget import Widget


@dataclass
class Typed(Message):
    """A person typed text into a control; the form makes a value of it."""

    text: str


@dataclass
class Picked(Message):
    """A person chose a value in a control."""

    value: Any


@dataclass
class Trimmed(Message):
    """A paste did not fit into one line; only its first line was taken."""

    lines: int


@dataclass
class Remark(Message):
    """A control found something out about its own value (a path exists); ``text`` empty: nothing to say."""

    text: str
    good: bool = True


class Control(Widget):
    """A control of a field. Subclasses are `Widget`s; this class only names what `Field` calls."""

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show a value without reporting it as an edit.

        Args:
            value: the value of the field; the default where ``present`` is False.
            shown: the value as text, numbers as they are written in the file.
            present: whether the key stands in the text.
        """
        raise NotImplementedError
