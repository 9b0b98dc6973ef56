"""The lines of a log on the screen: where one is in them, by key, mouse and search, and what is followed."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.selection import Selection

from ..store.log_reader import LogReader, Snapshot
from ..store.log_text import line_text
from .log_paint import GUTTER, LogPaint
from .log_render import selected

_STYLES = ("error", "warning", "info", "debug", "step", "step-name", "prefix", "hit", "hit-now", "row", "mark", "more")
MOST_COPIED = 200_000


class LogLines(LogPaint, can_focus=True):
    """Rows of a `LogReader`; follows the end until somebody scrolls up."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"log--{name}" for name in _STYLES}

    DEFAULT_CSS = """
    LogLines {
        height: 1fr; overflow-y: scroll; overflow-x: hidden; scrollbar-size-vertical: 1; padding: 0 0 0 1;
        & > .log--error { color: $level-error; }
        & > .log--warning { color: $level-warning; }
        & > .log--info { color: $level-info; }
        & > .log--debug { color: $level-debug; }
        & > .log--step { color: $level-info; }
        & > .log--step-name { color: $accent; text-style: bold; }
        & > .log--prefix { color: $muted; }
        & > .log--hit { background: $hit; }
        & > .log--hit-now { background: $hit-now; color: $hit-now-text; text-style: bold; }
        & > .log--row { background: $surface; }
        & > .log--mark { background: $block-cursor-background; color: $block-cursor-foreground; }
        & > .log--more { color: $muted; }
    }
    LogLines:focus > .log--row { background: $boost; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f", "page(1)", show=False),
        Binding("home", "top", show=False),
        Binding("end", "follow", show=False),
        Binding("left", "sideways(-8)", show=False),
        Binding("right", "sideways(8)", show=False),
        Binding("shift+left", "sideways(-60)", show=False),
        Binding("shift+right", "sideways(60)", show=False),
    ]

    class Moved(Message):
        """The current row, or following, changed."""

    class Opened(Message):
        """A line is to be shown in full."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, reader: LogReader) -> None:
        super().__init__(reader)
        self.ended = False
        self._seen: Snapshot | None = None
        self._own_scroll = False
        self._paused_at = 0
        self._was_behind = False

    # -- what is there ---------------------------------------------------------------------------------------------

    @property
    def line(self) -> int:
        """The line of the current row, -1 where there is none."""
        return self.reader.line_of_row(self.row)

    @property
    def pending(self) -> int:
        """Rows that arrived since following was paused."""
        return 0 if self.following else max(0, self.reader.row_count() - self._paused_at)

    def look(self, force: bool = False) -> bool:
        """Compare with what the reader has now and paint if that changed; called four times a second."""
        now = self.reader.snapshot()
        before, self._seen = self._seen, now
        if not force and before == now:
            return False
        if force or before is None or before.generation != now.generation:
            self._cache.clear()
            self._widest = 0
            self.mark = None
        if before is not None and before.generation != now.generation:
            self.following = True
        self._resize_virtual(now.rows)
        if self.following:
            self.jump(now.rows - 1, follow=True)
        elif self.row >= now.rows:
            self.row = max(0, now.rows - 1)
        self.refresh()
        return True

    def forget(self) -> None:
        """What is marked has changed: style every row anew."""
        self._cache.clear()
        self.refresh()

    def jump(self, row: int, follow: bool = False, middle: bool = False) -> None:
        """Make a row the current one and bring it into view.

        Args:
            row: where to.
            follow: whether new lines are followed from there (only sensible for the last row).
            middle: put it into the middle of the view rather than just inside.
        """
        count = self.reader.row_count()
        row = min(max(row, 0), max(count - 1, 0))
        self._set_following(follow)
        self.row = row
        top = round(self.scroll_y)
        height = self._fitting(top)
        if follow:
            top = self._bottom
        elif middle and not top + 2 <= row < top + height - 2:
            top = max(0, row - self._fitting(row, up=True) // 2)
        elif row < top:
            top = row
        elif row >= top + height:
            top = row - self._fitting(row, up=True) + 1
        self._scroll(top)
        self.refresh()

    def reveal_hit(self) -> None:
        """Scroll sideways until the first match of the current row can be seen."""
        search = self.reader.search
        text = self.text_of_row(self.row)
        spans = search.query.spans(text) if search else []
        if not spans or self.wrapped:
            return
        start, end = cell_len(text[: spans[0][0]]), cell_len(text[: spans[0][1]])
        room = max(8, self.scrollable_content_region.width - GUTTER - 1)
        x = self.scroll_offset.x
        if end <= room:
            x = 0
        elif not x <= start < end <= x + room:
            x = max(0, start - room // 3)
        self._scroll_sideways(x)

    # -- keys and mouse --------------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """One row up or down; up pauses following."""
        self.jump(self.row + by, follow=self.following and by > 0)

    def action_page(self, by: int) -> None:
        """One screen up or down."""
        height = self._fitting(round(self.scroll_y) if by > 0 else self.row, up=by < 0)
        self.jump(self.row + by * max(1, height - 1))

    def action_top(self) -> None:
        """To the first row."""
        self.jump(0)

    def action_follow(self) -> None:
        """To the last row, and stay there."""
        self.jump(self.reader.row_count() - 1, follow=True)

    def action_sideways(self, by: int) -> None:
        """Scroll long lines sideways; broken ones are in view as it is."""
        if self.wrapped:
            return
        self._scroll_sideways(max(0, self.scroll_offset.x + by))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Pause."""
        event.stop()
        event.prevent_default()
        self._wheel(-3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Follow again at the end."""
        event.stop()
        event.prevent_default()
        self._wheel(3)

    def on_click(self, event: events.Click) -> None:
        """Make the clicked row the current one; twice shows the whole line."""
        row = self._laid[event.y][1] if self.wrapped and event.y < len(self._laid) else self.scroll_offset.y + event.y
        if 0 <= row < self.reader.row_count():
            self.jump(row)
            if event.chain == 2:
                self.post_message(self.Opened(self.line))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The scroll bar was dragged: that pauses, or follows again at the end."""
        super().watch_scroll_y(old_value, new_value)
        if not self._own_scroll and round(old_value) != round(new_value):
            self._set_following(round(new_value) >= self._bottom)

    def watch_row(self, old: int, new: int) -> None:
        """Tell who shows the position."""
        if old != new:
            self.post_message(self.Moved())

    def on_resize(self) -> None:
        """Keep the end in view while following."""
        self._resize_virtual(self.reader.row_count())
        if self.following:
            self.jump(self.reader.row_count() - 1, follow=True)

    def notify_style_update(self) -> None:
        """Another theme."""
        super().notify_style_update()
        self.refresh()

    def watch_wrapped(self) -> None:
        """Show the same lines, broken or not."""
        self._resize_virtual(self.reader.row_count())
        self.scroll_to(x=0, animate=False, force=True)
        self.jump(self.row, follow=self.following)

    # -- selection -------------------------------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that was selected with the mouse, read from the file."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.reader.row_count() - 1
        rows = [self.text_of_row(row) for row in range(first, min(last, first + MOST_COPIED) + 1)]
        start = (selection.start.y, selection.start.x) if selection.start else None
        end = (selection.end.y, selection.end.x) if selection.end else None
        return selected(rows, first, start, end), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002
        """Show it."""
        self.refresh()

    def text_of_row(self, row: int) -> str:
        """The text of a row as shown."""
        line = self.reader.line_of_row(row)
        return line_text(self.reader.index, line)[0] if line >= 0 else ""

    # -- scrolling -------------------------------------------------------------------------------------------------

    @property
    def _bottom(self) -> int:
        count = self.reader.row_count()
        return max(0, count - self._fitting(count - 1, up=True))

    def _wheel(self, by: int) -> None:
        top = min(max(0, round(self.scroll_y) + by), self._bottom)
        self._scroll(top)
        self._set_following(by > 0 and top >= self._bottom)
        self.row = min(max(self.row, top), top + self._fitting(top) - 1)

    def _set_following(self, follow: bool) -> None:
        if self.following and not follow:
            self._paused_at = self.reader.row_count()
        if self.following != follow:
            self.following = follow
            self.post_message(self.Moved())

    def _scroll(self, top: int) -> None:
        self._own_scroll = True
        try:
            self.scroll_to(y=top, animate=False)
        finally:
            self._own_scroll = False

    def _scroll_sideways(self, x: int) -> None:
        self._widest = max(self._widest, x + self.size.width)
        self._resize_virtual(self.reader.row_count())
        self.scroll_to(x=x, animate=False, force=True)

    def _resize_virtual(self, rows: int) -> None:
        # Broken lines take more room than they are rows: the last ones must be reachable all the same.
        rows += max(0, self.scrollable_content_region.height - 1) if self.wrapped else 0
        self.virtual_size = Size(self.size.width if self.wrapped else max(self.size.width, self._widest + GUTTER), rows)
