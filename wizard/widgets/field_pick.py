"""Controls to pick from known values: a switch, a row of choices, a row of ticks, a menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Select

from ..form.values import printable, show_value
from .controls import Picked
from .signs import sign


class SwitchControl(Widget, can_focus=True):
    """True or false, with the word beside the switch."""

    DEFAULT_CSS = """
    SwitchControl { height: 1; width: 1fr; padding: 0 1; pointer: pointer; }
    SwitchControl:focus { background: $block-hover-background; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "turn", show=False),
        Binding("left", "put(False)", show=False),
        Binding("right", "put(True)", show=False),
    ]
    on: reactive[bool | None] = reactive(None)

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show a truth value; anything else is neither on nor off."""
        del shown, present
        self.on = value if isinstance(value, bool) else None

    def render(self) -> Content:
        """The switch and its word."""
        style = "$success" if self.on else "$muted"
        word = show_value(self.on) if self.on is not None else "?"
        return Content.assemble((sign("on" if self.on else "off"), style), "  ", word)

    def action_turn(self) -> None:
        """Turn it over."""
        self.action_put(not self.on)

    def action_put(self, on: bool) -> None:
        """Turn it on or off."""
        if on != self.on:
            self.on = on
            self.post_message(Picked(on))

    def on_click(self) -> None:
        """Turn it over with the mouse."""
        self.action_turn()


class RowControl(Widget, can_focus=True):
    """Choices in one row, one picked (``○ fixed  ● adaptive``), or several ticked for a list."""

    DEFAULT_CSS = """
    RowControl { height: auto; width: 1fr; padding: 0 1; pointer: pointer; }
    RowControl:focus { background: $block-hover-background; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("space,enter", "pick", show=False),
    ]
    picked: reactive[tuple[Any, ...]] = reactive(())
    cursor: reactive[int] = reactive(0)

    def __init__(self, choices: Sequence[Any], many: bool) -> None:
        """Offer choices, of which one or ``many`` can be picked."""
        super().__init__()
        self.choices = choices
        self.many = many

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show the picked value, or the ticked ones."""
        del shown, present
        many = isinstance(value, list | tuple)
        self.picked = tuple(cast("Sequence[Any]", value)) if many else (value,)
        if not self.has_focus:
            places = [place for place, choice in enumerate(self.choices) if choice in self.picked]
            self.cursor = places[0] if places else 0

    def render(self) -> Content:
        """The choices with their marks; a value that is none of them stands at the end."""
        marks = ("ticked", "unticked") if self.many else ("picked", "unpicked")
        parts: list[Content] = []
        for place, choice in enumerate(self.choices):
            chosen = choice in self.picked
            mark = Content.styled(sign(marks[0] if chosen else marks[1]), "$primary" if chosen else "$muted")
            here = self.has_focus and place == self.cursor
            word = Content.styled(show_value(choice), "reverse" if here else "bold" if chosen else "$label")
            parts.append(Content.assemble(mark, " ", word))
        strange = [one for one in self.picked if one not in self.choices and one is not None]
        parts.extend(Content.styled(f"{sign('error')} {printable(show_value(one))[:40]}", "$error") for one in strange)
        return Content("   ").join(parts)

    def action_move(self, way: int) -> None:
        """Go to a neighbour; where one is picked, it is the picked one from now on."""
        self.cursor = (self.cursor + way) % len(self.choices)
        if not self.many:
            self.action_pick()

    def action_pick(self) -> None:
        """Pick, or tick, the choice under the cursor."""
        choice = self.choices[self.cursor]
        if self.many:
            ticked = [one for one in self.picked if one != choice]
            if choice not in self.picked:
                ticked = [one for one in self.choices if one in self.picked or one == choice]
            self.picked = tuple(ticked)
            self.post_message(Picked(list(ticked)))
        elif self.picked != (choice,):
            self.picked = (choice,)
            self.post_message(Picked(choice))

    def on_click(self, event: events.Click) -> None:
        """Pick with the mouse."""
        left = event.get_content_offset_capture(self).x
        for place, choice in enumerate(self.choices):
            width = cell_len(sign("picked")) + 1 + cell_len(show_value(choice))
            if left < width:
                self.cursor = place
                self.action_pick()
                return
            left -= width + 3

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()


class MenuControl(Select[Any]):
    """Choices that do not fit into a row."""

    DEFAULT_CSS = "MenuControl { width: 1fr; }"

    def __init__(self, choices: Sequence[Any]) -> None:
        """Offer choices."""
        options = [(show_value(choice), choice) for choice in choices]
        super().__init__(options, allow_blank=True, compact=True, prompt="")
        self._choices = choices

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show the picked value; one that is not among the choices as a prompt."""
        del shown, present
        known = value in self._choices
        self.prompt = "" if known or value is None else printable(show_value(value))
        with self.prevent(Select.Changed):
            self.value = value if known else Select.NULL

    def on_select_changed(self, event: Select.Changed) -> None:
        """Report what was picked."""
        event.stop()
        if event.value is not Select.NULL:
            self.post_message(Picked(event.value))
