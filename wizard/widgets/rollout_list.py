"""The trajectories of a step, one a line, with the line of titles above them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from ...runner.process.masking import mask_text
from ...runner.stream.lines import clean_line
from ...runner.stream.rollout_types import Entry
from ..i18n import t
from ..store.series import duration, number
from .cells import crop, pad
from .lines_view import LinesView

# Column -> cells it takes; given up in this order where there is no room.
_WIDTHS = {"index": 5, "group": 6, "reward": 8, "turns": 6, "calls": 6, "time": 7}
_LESS_IMPORTANT = ("time", "calls", "turns", "group")
_SAID = 24


def shown(text: str) -> str:
    """Text of a trajectory on one line: no escape codes, no controls, secrets masked."""
    return mask_text(clean_line(" ".join(text.split())))


class RolloutList(LinesView, inherit_bindings=False):
    """Rows with a cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rollout--head", "rollout--row", "rollout--solved", "rollout--failed", "rollout--muted", "rollout--answer",
        "rollout--plain",
    }  # fmt: skip

    DEFAULT_CSS = """
    RolloutList {
        height: 1fr; overflow-x: hidden; overflow-y: auto; padding: 0 0 0 1;
        & > .rollout--head { color: $muted; }
        & > .rollout--row { background: $surface; }
        & > .rollout--solved { color: $state-live; }
        & > .rollout--failed { color: $level-error; }
        & > .rollout--muted { color: $muted; }
        & > .rollout--plain { color: $foreground; }
        & > .rollout--answer { color: $foreground; text-style: bold; }
    }
    RolloutList:focus > .rollout--row { background: $block-cursor-background; color: $block-cursor-foreground; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f", "page(1)", show=False),
        Binding("home", "move(-1000000000)", show=False),
        Binding("end", "move(1000000000)", show=False),
    ]

    class Moved(Message):
        """Another row is the current one."""

    class Opened(Message):
        """The current row was clicked twice."""

    def __init__(self) -> None:
        super().__init__(id="rollout-list")
        self.entries: Sequence[Entry] = ()
        self.row = 0
        self._grouped = True

    @property
    def entry(self) -> Entry | None:
        """The trajectory of the current row."""
        return self.entries[self.row] if 0 <= self.row < len(self.entries) else None

    def show(self, entries: Sequence[Entry], grouped: bool, keep: Entry | None) -> None:
        """Show trajectories.

        Args:
            entries: in the order of the rows.
            grouped: trajectories of a prompt stand together, so that its number need not be repeated.
            keep: the one that stays the current row where it is still there; None goes to the top.
        """
        self.entries, self._grouped = entries, grouped
        place = next((i for i, one in enumerate(entries) if keep is not None and _same(one, keep)), None)
        self.row = place if place is not None else min(self.row if keep else 0, max(0, len(entries) - 1))
        self.measure(0)
        if keep is None:
            self.scroll_to(y=0, animate=False)
        self._bring()
        self.refresh()

    def jump(self, row: int) -> bool:
        """Make a row the current one; False where it is already."""
        row = min(max(row, 0), max(len(self.entries) - 1, 0))
        if row == self.row:
            return False
        self.row = row
        self._bring()
        self.refresh()
        self.post_message(self.Moved())
        return True

    def _bring(self) -> None:
        top, height = round(self.scroll_y), max(1, self.size.height - 1)
        if self.row < top:
            self.scroll_to(y=self.row, animate=False)
        elif self.row >= top + height:
            self.scroll_to(y=self.row - height + 1, animate=False)

    def on_resize(self) -> None:
        """Keep the current row in view."""
        self.measure(0)
        self._bring()

    def action_move(self, by: int) -> None:
        """Up and down."""
        self.jump(self.row + by)

    def action_page(self, by: int) -> None:
        """A screen up or down."""
        self.jump(self.row + by * max(1, self.size.height - 2))

    def on_click(self, event: events.Click) -> None:
        """A click is the cursor, two open."""
        if event.y < 1:
            return
        self.jump(round(self.scroll_y) + event.y - 1)
        if event.chain == 2:
            self.post_message(self.Opened())

    # -- painting --------------------------------------------------------------------------------------------------

    def line_count(self) -> int:
        """Rows, and the titles that always stay at the top."""
        return len(self.entries) + 1

    def segments(self, row: int) -> list[Segment]:
        """A row by the place it scrolls to: the first visible one is that of the titles."""
        if row == round(self.scroll_y):
            return [Segment(self._cells(self._titles()), self.look_of("rollout--head"))]
        place = row - 1
        if not 0 <= place < len(self.entries):
            return []
        return self._row(place)

    def _columns(self) -> list[str]:
        names = [name for name in _WIDTHS if name != "time" or any(one.times.total is not None for one in self.entries)]
        width = self.scrollable_content_region.width
        for name in _LESS_IMPORTANT:
            if name in names and sum(_WIDTHS[one] for one in names) + _SAID > width:
                names.remove(name)
        return names

    def _titles(self) -> dict[str, str]:
        return {name: t(f"rollouts.col.{name}") for name in (*self._columns(), "said")}

    def _cells(self, values: dict[str, str]) -> str:
        said = values.pop("said", "")
        return "".join(pad(crop(text, _WIDTHS[name] - 1), _WIDTHS[name]) for name, text in values.items()) + said

    def _row(self, place: int) -> list[Segment]:
        one = self.entries[place]
        width = self.scrollable_content_region.width
        back = self.look_of("rollout--row") if place == self.row else None
        segments: list[Segment] = []
        for name in self._columns():
            text, style = self._cell(place, name)
            segments.append(Segment(pad(crop(text, _WIDTHS[name] - 1), _WIDTHS[name]), style))
        room = max(0, width - sum(cell_len(segment.text) for segment in segments))
        segments += self._said(one, room)
        if back is None:
            return segments
        used = sum(cell_len(segment.text) for segment in segments)
        segments.append(Segment(" " * max(0, width - used), None))
        return [Segment(segment.text, (segment.style or Style()) + back) for segment in segments]

    def _cell(self, place: int, name: str) -> tuple[str, Style]:
        one = self.entries[place]
        muted = self.look_of("rollout--muted")
        if name == "index":
            return str(one.index), muted
        if one.broken:
            return ("✗" if name == "reward" else ""), self.look_of("rollout--failed")
        if name == "group":
            first = not self._grouped or place == 0 or self.entries[place - 1].group != one.group
            return (str(one.group) if first else "┆"), muted
        if name == "reward":
            sign = "·" if one.solved is None else "✓" if one.solved else "✗"
            look = muted if one.solved is None else self.look_of(f"rollout--{'solved' if one.solved else 'failed'}")
            return f"{sign} {reward_text(one.reward)}", look
        if name == "time":
            return ("" if one.times.total is None else duration(one.times.total)), muted
        value = one.steps if name == "turns" else one.tool_calls
        return ("–" if value is None else str(value)), self.look_of("rollout--plain")

    def _said(self, one: Entry, room: int) -> list[Segment]:
        if one.broken:
            return [Segment(crop(t("rollouts.broken"), room), self.look_of("rollout--failed"))]
        asked, answered = shown(one.asked), shown(one.answered)
        asked = crop(asked, max(8, room // 3, room - cell_len(answered) - 3)) if asked else ""
        arrow = " → " if asked else ""
        left = room - cell_len(asked + arrow)
        muted, strong = self.look_of("rollout--muted"), self.look_of("rollout--answer")
        return [Segment(asked + arrow, muted), Segment(crop(answered, left) if left > 1 else "", strong)]


def reward_text(reward: float | None) -> str:
    """A reward in at most six cells."""
    if reward is None:
        return "–"
    return number(reward, 6) if math.isfinite(reward) else str(reward)


def _same(one: Entry, other: Entry) -> bool:
    return (one.file, one.offset, one.step, one.validation) == (other.file, other.offset, other.step, other.validation)
