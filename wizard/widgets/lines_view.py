"""A scrolled view of lines that styles only the visible ones: base of the preview and of the differences."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class LinesView(ScrollView, can_focus=True):
    """Shows lines of plain text; a subclass says how each one looks. Nothing in them is interpreted."""

    DEFAULT_CSS = """
    LinesView { height: 1fr; width: 1fr; background: $background; scrollbar-size: 1 1; }
    """

    def __init__(self, id: str | None = None) -> None:
        """Start empty."""
        super().__init__(id=id)
        self._widest = 0
        self._looks: dict[str, Style] = {}
        self._base: Style | None = None

    def look_of(self, name: str) -> Style:
        """Style of a component class, kept until theme or styles change: it is asked for at every line."""
        look = self._looks.get(name)
        if look is None:
            look = self._looks[name] = self.get_component_rich_style(name, partial=True)
        return look

    def notify_style_update(self) -> None:
        """Ask for the looks again."""
        self._looks.clear()
        self._base = None
        super().notify_style_update()

    def line_count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def segments(self, row: int) -> list[Segment]:
        """The styled parts of a line."""
        raise NotImplementedError

    def measure(self, widest: int) -> None:
        """Set the size of what can be scrolled to."""
        self._widest = widest
        size = Size(widest, self.line_count())
        if size != self.virtual_size:
            self.virtual_size = size

    def render_line(self, y: int) -> Strip:
        """One visible row."""
        left, top = self.scroll_offset
        row = top + y
        base = self._base = self._base or self.rich_style
        width = self.scrollable_content_region.width
        if row >= self.line_count():
            return Strip.blank(width, base)
        strip = Strip(self.segments(row)).apply_style(Style(bgcolor=base.bgcolor))
        return strip.crop_extend(left, left + width, base)


def widest_of(lines: list[str]) -> int:
    """Cells of the widest line (long lines are measured by their length: exactness is not needed there)."""
    return max((cell_len(line) if len(line) < 2000 else 2 * len(line) for line in lines), default=0)
