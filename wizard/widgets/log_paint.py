"""How the lines of a log are painted: only rows that are visible are read, cleaned, styled and broken."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Region
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..store.log_index import LINE_CUT
from ..store.log_reader import LogReader
from ..store.log_text import line_text, show
from .log_render import SYMBOLS, Shown, pieces, shown_line, with_selection
from .log_wrap import Part, parts_of, rows_down, rows_up

GUTTER = 2


class LogPaint(ScrollView):
    """Paints rows of a `LogReader`; the scroll offset counts lines, whether long ones are broken or not."""

    following: reactive[bool] = reactive(True)
    row: reactive[int] = reactive(0)
    mark: reactive[int | None] = reactive[int | None](None)
    wrapped: reactive[bool] = reactive(False)

    def __init__(self, reader: LogReader) -> None:
        super().__init__()
        self.reader = reader
        self.hit_row: int | None = None
        self._cache: LRUCache[tuple[int, object], Shown] = LRUCache(2048)
        self._widest = 0
        self._laid: list[tuple[Shown | None, int, Part]] = []

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the screen; broken lines are laid out first."""
        self._laid = self._lay_out() if self.wrapped else []
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row as it is on the screen."""
        x, row = self.scroll_offset.x, self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        base = self.rich_style
        first = True
        if self._laid:
            shown, row, (x, end) = self._laid[y] if y < len(self._laid) else (None, -1, (0, 0))
            first = x == 0
        else:
            shown, end = self._shown_at(y), 0
        if shown is None:
            return Strip.blank(width, base)
        ground = self._ground(row, base)
        text, text_width = self._text_segments(shown, row, ground)
        strip = Strip(text, text_width)
        room = max(0, width - GUTTER)
        if self._laid:
            cut = strip.crop(x, end).extend_cell_length(room, ground)
            goes_on = y + 1 < len(self._laid) and self._laid[y + 1][1] == row
            if text_width > end and not goes_on:  # more of it than a screen: Enter shows all
                cut = Strip([*cut.crop(0, room - 1), Segment("›", ground + self._style("more"))], room)
        else:
            cut = strip.crop_extend(x, x + room, ground)
            if text_width > x + room > 1:
                cut = Strip([*cut.crop(0, room - 1), Segment("›", ground + self._style("more"))], room)
        cut = cut.apply_offsets(x, row)
        kind = shown.kind
        look = self._style("step-name" if kind == "step" else kind)
        symbol = Segment(f"{SYMBOLS[kind] if first else ' '} ", ground + look)
        return Strip([symbol, *cut], width)

    def _shown_at(self, y: int) -> Shown | None:
        """The line of a row of the screen, where lines are not broken; while the log is read, its end."""
        preview = self._preview
        if preview:
            position = len(preview) - self.scrollable_content_region.height + y
            return shown_line(show(preview[position][:LINE_CUT]) if position >= 0 else "", 0, False, None)
        line = self.reader.line_of_row(self.scroll_offset.y + y)
        return self.shown(line) if line >= 0 else None

    @property
    def _preview(self) -> Sequence[bytes]:
        return self.reader.preview if self.following and not self.reader.filtered else []

    def _lay_out(self) -> list[tuple[Shown | None, int, Part]]:
        """What stands in each row of the screen, where lines are broken."""
        height = max(1, self.scrollable_content_region.height)
        laid: list[tuple[Shown | None, int, Part]] = []
        if preview := self._preview:
            for raw in preview[-height:]:
                shown = shown_line(show(raw[:LINE_CUT]), 0, False, None)
                laid += [(shown, -1, part) for part in self._parts(shown)]
            blank: tuple[None, int, Part] = (None, -1, (0, 0))
            return [*[blank] * (height - len(laid)), *laid[-height:]]
        row, count = self.scroll_offset.y, self.reader.row_count()
        if self.following:  # the end stands at the bottom, below as much of the lines before it as there is room for
            last = count - 1
            while len(laid) < height and last >= 0 and (line := self.reader.line_of_row(last)) >= 0:
                shown = self.shown(line)
                laid = [*((shown, last, part) for part in self._parts(shown)), *laid]
                last -= 1
            return laid[-height:] or [(None, -1, (0, 0))]
        while len(laid) < height and row < count and (line := self.reader.line_of_row(row)) >= 0:
            shown = self.shown(line)
            laid += [(shown, row, part) for part in self._parts(shown)]
            row += 1
        return laid[:height] or [(None, -1, (0, 0))]

    def shown(self, line: int) -> Shown:
        """A line and its styles, from the cache where it can't have changed."""
        reader = self.reader
        search = reader.search
        query = search.query if search else None
        last = line >= reader.index.line_count - 1
        key = (line, query)
        if not last and (hit := self._cache.get(key)) is not None:
            return hit
        text, left_out = line_text(reader.index, line)
        shown = shown_line(text, left_out, reader.levels.is_step(line), query)
        if not last and line < reader.levels.done:
            self._cache[key] = shown
        return shown

    def _text_segments(self, shown: Shown, row: int, ground: Style) -> tuple[list[Segment], int]:
        segments: list[Segment] = []
        width = 0
        for text, names, cells in pieces(shown, cell_len):
            style = ground
            for name in names:
                style += self._style("hit-now" if name == "hit" and row == self.hit_row else name)
            segments.append(Segment(text, style))
            width += cells
        if more := _more(shown):
            segments.append(Segment(more, ground + self._style("more")))
            width += len(more)
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(row)) is not None:
            style = self.screen.get_component_rich_style("screen--selection")
            segments = with_selection(segments, span[0], len(shown.text) if span[1] == -1 else span[1], style)
        self._widest = max(self._widest, width)
        return segments, width

    def _ground(self, row: int, base: Style) -> Style:
        if self.mark is not None and min(self.mark, self.row) <= row <= max(self.mark, self.row):
            return base + self._style("mark")
        return base + self._style("row") if row == self.row and not self.following else base

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"log--{name}", partial=True)

    def _fitting(self, row: int, up: bool = False) -> int:
        """How many lines fit into the view from a row on, or up to it."""
        room = max(1, self.scrollable_content_region.height)
        if not self.wrapped:
            return room
        if up:
            return rows_up(self._height_of, row, room)
        return rows_down(self._height_of, row, self.reader.row_count(), room)

    def _height_of(self, row: int) -> int:
        line = self.reader.line_of_row(row)
        return len(self._parts(self.shown(line))) if line >= 0 else 1

    def _parts(self, shown: Shown) -> list[Part]:
        """The pieces of a broken line that can be in view, with the remark on what was left out."""
        region = self.scrollable_content_region
        return parts_of(shown.text + _more(shown), region.width - GUTTER, max(1, region.height))


def _more(shown: Shown) -> str:
    """How much of a line was left out."""
    return f" … +{shown.left_out:,} B" if shown.left_out else ""
