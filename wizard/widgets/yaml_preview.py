"""The YAML as it would be saved now, with what changed marked."""

from __future__ import annotations

import re
from typing import ClassVar

from rich.segment import Segment

from ..form.changes import changed_lines
from ..form.values import printable
from .lines_view import LinesView, widest_of
from .signs import sign

KEY = re.compile(r"(\s*(?:- )?)([^\s#:'\"][^#:]*)(:)(?=\s|$)")


class YamlPreview(LinesView):
    """Line numbers, a mark on lines that differ from the file (or template), and the last change lit up."""

    DEFAULT_CSS = """
    YamlPreview > .yaml--number { color: $muted; }
    YamlPreview > .yaml--mark { color: $accent; text-style: bold; }
    YamlPreview > .yaml--key { color: $primary; }
    YamlPreview > .yaml--comment { color: $muted; }
    YamlPreview > .yaml--text { color: $foreground; }
    YamlPreview > .yaml--now { background: $changed; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "yaml--number",
        "yaml--mark",
        "yaml--key",
        "yaml--comment",
        "yaml--text",
        "yaml--now",
    }

    def __init__(self) -> None:
        """Start without a text."""
        super().__init__()
        self._lines: list[str] = []
        self._marked: frozenset[int] = frozenset()
        self._now = 0
        self._text = ""

    def show(self, text: str, base: str, line: int) -> None:
        """Show a text.

        Args:
            text: the text.
            base: what its changed lines are told from.
            line: the line (from 1) to light up and bring into view; 0 for none.
        """
        if text != self._text:
            self._text = text
            self._lines = [printable(one.rstrip("\r")) for one in text.split("\n")]
            if self._lines and not self._lines[-1]:
                self._lines.pop()
        self._marked = changed_lines(base, text)
        self._now = line
        self.measure(widest_of(self._lines) + 6)
        if line:
            top, height = self.scroll_offset.y, self.scrollable_content_region.height
            if not top < line <= top + height:
                self.scroll_to(y=max(0, line - height // 2), animate=False)

    def line_count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def segments(self, row: int) -> list[Segment]:
        """Number, mark and the line itself."""
        style = self.get_component_rich_style
        number = row + 1
        mark = sign("changed") if number in self._marked else " "
        parts = [
            Segment(f"{number:>4}", style("yaml--number", partial=True)),
            Segment(mark + " ", style("yaml--mark", partial=True)),
        ]
        for text, name in tokens(self._lines[row]):
            look = style(name, partial=True)
            if number == self._now:
                look += style("yaml--now", partial=True)
            parts.append(Segment(text, look))
        if number == self._now:
            rest = self._widest - 6 - sum(part.cell_length for part in parts[2:])
            room = max(rest, self.scrollable_content_region.width)
            parts.append(Segment(" " * room, style("yaml--now", partial=True)))
        return parts


def tokens(line: str) -> list[tuple[str, str]]:
    """Parts of a line of YAML with the class each is shown in; good enough for the eye, not a parser."""
    if line.lstrip().startswith("#"):
        return [(line, "yaml--comment")]
    found = KEY.match(line)
    head: list[tuple[str, str]] = []
    rest = line
    if found is not None:
        head = [(found[1], "yaml--text"), (found[2], "yaml--key"), (found[3], "yaml--text")]
        rest = line[found.end() :]
    comment = re.search(r"\s#", rest)
    if comment is not None and rest[: comment.start()].count('"') % 2 == 0:
        return [*head, (rest[: comment.start()], "yaml--text"), (rest[comment.start() :], "yaml--comment")]
    return [*head, (rest, "yaml--text")]
