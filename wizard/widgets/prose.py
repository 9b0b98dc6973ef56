"""A text that wraps as people write: Chinese at any character, words whole; hanging lines indented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from .wrapping import wrap_cells


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: its style, and what stands before its first line (the others are indented as far)."""

    text: str
    style: str = ""
    mark: str = ""


class Prose(Static):
    """Paragraphs, wrapped anew whenever the width changes."""

    DEFAULT_CSS = "Prose { height: auto; width: 1fr; }"

    def __init__(self, classes: str | None = None) -> None:
        """Start empty."""
        super().__init__(markup=False, classes=classes)
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._laid_out: tuple[tuple[Paragraph, ...], int] = ((), 0)

    def show(self, paragraphs: Sequence[Paragraph]) -> None:
        """Show paragraphs."""
        self._paragraphs = tuple(paragraphs)
        self._lay_out()

    def on_resize(self) -> None:
        """Wrap anew."""
        self._lay_out()

    def _coming_width(self) -> int:
        """The width that it will have in its parent, so that it is laid out once; 60 where that is not known yet."""
        parent = self.parent
        room = parent.scrollable_content_region.width if isinstance(parent, Widget) else 0
        return room - self.styles.gutter.width if room > self.styles.gutter.width else 60

    def _lay_out(self) -> None:
        """Wrap, unless that is done already."""
        width = self.scrollable_content_region.width or self._coming_width()
        if (self._paragraphs, width) != self._laid_out:
            self._laid_out = self._paragraphs, width
            self.update(Content("\n").join(laid_out(self._paragraphs, width)))


def laid_out(paragraphs: Sequence[Paragraph], width: int) -> list[Content]:
    """The lines of paragraphs at a width."""
    lines: list[Content] = []
    for paragraph in paragraphs:
        indent = " " * len(paragraph.mark)
        wrapped = wrap_cells(paragraph.text, width - len(indent))
        for place, line in enumerate(wrapped):
            lines.append(Content.styled((indent if place else paragraph.mark) + line, paragraph.style))
    return lines
