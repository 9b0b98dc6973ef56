"""What differs from the file on disk, and from the template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ..form.changes import DiffLine, difference
from ..form.values import printable
from ..i18n import t
from ..widgets.lines_view import LinesView, widest_of

STYLE = {"+": "diff--new", "-": "diff--old", "@": "diff--place", " ": "diff--same"}


class DiffView(LinesView):
    """A unified difference; plus and minus stand before the lines, colour only repeats them."""

    DEFAULT_CSS = """
    DiffView > .diff--new { color: $success; background: $changed; }
    DiffView > .diff--old { color: $error; }
    DiffView > .diff--place { color: $primary; text-style: bold; }
    DiffView > .diff--same { color: $muted; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = set(STYLE.values())

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self._lines: list[DiffLine] = []

    def show(self, lines: list[DiffLine]) -> None:
        """Show a difference."""
        self._lines = lines
        self.measure(widest_of([line.text for line in lines]) + 2)
        self.scroll_home(animate=False)

    def line_count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def segments(self, row: int) -> list[Segment]:
        """Sign and text of a line."""
        line = self._lines[row]
        style = self.get_component_rich_style(STYLE[line.sign], partial=True)
        head = "" if line.sign == "@" else f"{line.sign} "
        return [Segment(head + printable(line.text), style)]


class DiffScreen(Screen[None]):
    """Differences, one comparison at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f7,q", "close", show=False),
        Binding("tab,right", "other(1)", show=False, priority=True),
        Binding("shift+tab,left", "other(-1)", show=False, priority=True),
    ]

    def __init__(self, text: str, bases: Sequence[tuple[str, str | None]]) -> None:
        """Compare.

        Args:
            text: the present text.
            bases: name and text of what it is compared with; None for what does not exist.
        """
        super().__init__()
        self._text = text
        self._bases = bases
        self._place = 0

    def compose(self) -> ComposeResult:
        """Names of the comparisons, the difference, the keys."""
        yield Static(classes="diff-head")
        yield DiffView()
        yield Static(Content.styled(t("wizard.diff_foot"), "$muted"), classes="diff-foot")

    def on_mount(self) -> None:
        """Show the first comparison that has a difference."""
        self.query_one(DiffView).focus()
        wanted = [place for place, (_, base) in enumerate(self._bases) if base not in (None, self._text)]
        self._place = wanted[0] if wanted else 0
        self._show()

    def action_other(self, way: int) -> None:
        """Show another comparison."""
        self._place = (self._place + way) % len(self._bases)
        self._show()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def _show(self) -> None:
        """Show the present comparison."""
        base = self._bases[self._place][1]
        lines = [] if base is None else difference(base, self._text)
        plus, minus = (sum(line.sign == one for line in lines) for one in "+-")
        said = t("wizard.diff_count", plus=plus, minus=minus) if lines else t("wizard.diff_none")
        if base is None:
            said = t("wizard.diff_no_base")
        tabs = [
            Content.styled(f" {printable(name)} ", "reverse bold" if place == self._place else "$muted")
            for place, (name, _) in enumerate(self._bases)
        ]
        self.query_one(".diff-head", Static).update(Content("  ").join([*tabs, Content.styled(said, "$label")]))
        self.query_one(DiffView).show(lines)
