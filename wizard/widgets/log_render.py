"""A line of a log as pieces of styled text. Pure: nothing in a log is markup, a link or an escape code here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style

from ...runner.stream.levels import level_of
from ...runner.stream.lines import split_prefix
from ..store.log_query import Query

Span = tuple[int, int, str]
"""Start and end in characters, and the name of a style."""

# Level by symbol as well as by colour: one cell each, in every font that has the Basic Multilingual Plane.
SYMBOLS = {"error": "✘", "warning": "!", "info": " ", "debug": "·", "step": "◆"}

_WARNING = re.compile(r"\bWARN(?:ING)?\b|\b\w*Warning\b")


@dataclass(frozen=True, slots=True)
class Shown:
    """A line ready to be painted.

    Attributes:
        text: plain text, tabs expanded.
        kind: ``error``, ``warning``, ``info``, ``debug`` or ``step`` (it reports the metrics of a step).
        spans: styles over it; later ones win.
        left_out: bytes of the line that aren't in ``text``.
    """

    text: str
    kind: str
    spans: tuple[Span, ...]
    left_out: int = 0


def shown_line(text: str, left_out: int, is_step: bool, query: Query | None) -> Shown:
    """Decide how a line looks.

    Args:
        text: as `log_text.line_text` returns it.
        left_out: bytes that were cut off.
        is_step: whether it is the metric line of a step.
        query: what to mark.
    """
    kind = "step" if is_step else level_of(text)
    # Errors stand out as a whole. Of a warning only the word is coloured: some libraries warn thousands of times.
    spans: list[Span] = [(0, len(text), "info" if kind == "warning" else kind)]
    if kind == "warning" and (word := _WARNING.search(text)):
        spans.append((*word.span(), "warning"))
    _, message, _ = split_prefix(text)
    prefix = len(text) - len(message) if text.endswith(message) else 0
    if prefix:
        spans.append((0, prefix, "prefix"))
    if is_step:
        start = text.find("step:", prefix)
        if start >= 0:
            end = text.find(" ", start)
            spans.append((start, end if end >= 0 else len(text), "step-name"))
    if query is not None:
        spans += [(start, end, "hit") for start, end in query.spans(text)]
    return Shown(text, kind, tuple(spans), left_out)


def pieces(shown: Shown, width_of: Callable[[str], int]) -> list[tuple[str, tuple[str, ...], int]]:
    """Cut the text where styles change: (text, names of styles, width in cells)."""
    edges = sorted({0, len(shown.text), *(edge for start, end, _ in shown.spans for edge in (start, end))})
    result: list[tuple[str, tuple[str, ...], int]] = []
    for start, end in pairwise(edges):
        part = shown.text[start:end]
        names = tuple(name for first, last, name in shown.spans if first <= start and end <= last)
        result.append((part, names, width_of(part)))
    return result


def with_selection(segments: Sequence[Segment], start: int, end: int, style: Style) -> list[Segment]:
    """Segments of which the characters from ``start`` to ``end`` have another style."""
    result: list[Segment] = []
    position = 0
    for part, ground, _ in segments:
        for a, b, inside in (
            (0, start - position, False),
            (start - position, end - position, True),
            (end - position, len(part), False),
        ):
            piece = part[max(a, 0) : max(b, 0)]
            if piece:
                result.append(Segment(piece, (ground or Style()) + style if inside else ground))
        position += len(part)
    return result


def selected(texts: Sequence[str], first_row: int, start: tuple[int, int] | None, end: tuple[int, int] | None) -> str:
    """Text between two places.

    Args:
        texts: rows from ``first_row`` on.
        first_row: number of the first of them.
        start: (row, character), None for the very beginning.
        end: (row, character), exclusive, None for the very end.
    """
    rows = list(texts)
    if end is not None and rows and end[0] - first_row < len(rows):
        rows = rows[: end[0] - first_row + 1]
        rows[-1] = rows[-1][: end[1]]
    if start is not None and rows:
        rows[0] = rows[0][start[1] :]
    return "\n".join(rows)
