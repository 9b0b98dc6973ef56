"""One trajectory to read: scrolled, its finds marked, nothing in it interpreted."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType

from ...runner.stream.rollout_types import Entry, Rollout
from ..store.rollout_words import Line, lines_of
from .lines_view import LinesView

STYLES = ("head", "label", "model", "env", "role", "tag", "code", "muted", "solved", "failed", "hit", "plain")


class RolloutText(LinesView, inherit_bindings=False):
    """Turn by turn; what the model wrote has a bar of its own, so that colour isn't needed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"turn--{name}" for name in STYLES}

    DEFAULT_CSS = """
    RolloutText {
        height: 1fr; padding: 0 1; overflow-x: hidden; overflow-y: auto;
        & > .turn--plain { color: $foreground; }
        & > .turn--head { color: $foreground; text-style: bold; }
        & > .turn--label { color: $muted; }
        & > .turn--model { color: $series-1; text-style: bold; }
        & > .turn--env { color: $series-2; text-style: bold; }
        & > .turn--role { color: $label; text-style: bold; }
        & > .turn--tag { color: $muted; text-style: italic; }
        & > .turn--code { color: $series-3; }
        & > .turn--muted { color: $muted; }
        & > .turn--solved { color: $state-live; text-style: bold; }
        & > .turn--failed { color: $level-error; text-style: bold; }
        & > .turn--hit { background: $hit-now; color: $hit-now-text; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", show=False),
        Binding("down,j", "scroll_down", show=False),
        Binding("pageup,ctrl+b", "page_up", show=False),
        Binding("pagedown,ctrl+f,space", "page_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="rollout-text")
        self.entry: Entry | None = None
        self.rollout: Rollout | None = None
        self.words = ""
        self._raw = ""
        self._lines: list[Line] = []
        self._width = 0

    def show(self, entry: Entry | None, rollout: Rollout | None, raw: str = "") -> None:
        """Show a trajectory from its beginning; None shows nothing."""
        self.entry, self.rollout, self._raw = entry, rollout, raw
        self.retranslate()
        self.scroll_to(y=0, animate=False)

    def mark(self, words: str) -> None:
        """Mark some words."""
        if words != self.words:
            self.words = words
            self.refresh()

    def on_resize(self) -> None:
        """Wrap for the new width."""
        if self.scrollable_content_region.width != self._width:
            self.retranslate()

    def retranslate(self) -> None:
        """Lay out anew."""
        self._width = self.scrollable_content_region.width
        self._lines = [] if self.entry is None else lines_of(self.entry, self.rollout, self._raw, self._width)
        self.measure(0)
        self.refresh()

    def first_hit(self) -> None:
        """Bring the first of the marked words into view."""
        for row, line in enumerate(self._lines):
            if _places("".join(text for text, _ in line), self.words):
                self.scroll_to(y=max(0, row - self.size.height // 2), animate=False)
                return

    def line_count(self) -> int:
        """Lines as wrapped."""
        return len(self._lines)

    def segments(self, row: int) -> list[Segment]:
        """One line."""
        segments: list[Segment] = []
        whole = "".join(text for text, _ in self._lines[row])
        hits = _places(whole, self.words)
        at = 0
        for text, style in self._lines[row]:
            look = self.look_of(f"turn--{style or 'plain'}")
            cuts = sorted({0, len(text), *(min(max(p - at, 0), len(text)) for hit in hits for p in hit)})
            for start, end in pairwise(cuts):
                marked = any(first <= at + start < last for first, last in hits)
                segments.append(Segment(text[start:end], self.look_of("turn--hit") if marked else look))
            at += len(text)
        return segments


def _places(text: str, words: str) -> list[tuple[int, int]]:
    if not words:
        return []
    where = text if words != words.lower() else text.lower()
    places: list[tuple[int, int]] = []
    found = where.find(words)
    while found >= 0:
        places.append((found, found + len(words)))
        found = where.find(words, found + len(words))
    return places
