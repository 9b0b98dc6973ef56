"""Long lines over several rows of the screen: only what is in view is broken, so that the index knows nothing of it."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len, chop_cells

Part = tuple[int, int]
"""First cell and the cell after the last of a piece of a line."""


def parts_of(text: str, width: int, most: int) -> list[Part]:
    """Where a line is broken, at any character, as terminals do.

    Args:
        text: the line.
        width: cells of a row.
        most: pieces that are of interest; what is behind them is not looked at.

    Returns:
        At least one piece; a character of two cells is never cut.
    """
    width = max(width, 2)
    if text.isascii():
        end = min(len(text), most * width)
        return [(start, min(start + width, end)) for start in range(0, max(end, 1), width)]
    parts: list[Part] = []
    start = 0
    for piece in chop_cells(text[: most * width], width)[:most]:
        parts.append((start, start + cell_len(piece)))
        start = parts[-1][1]
    return parts or [(0, 0)]


def rows_down(height_of: Callable[[int], int], first: int, count: int, room: int) -> int:
    """How many whole lines fit from ``first`` on into ``room`` rows; at least one."""
    used, row = 0, first
    while row < count and used + (needed := height_of(row)) <= room:
        used += needed
        row += 1
    return max(1, row - first)


def rows_up(height_of: Callable[[int], int], last: int, room: int) -> int:
    """How many whole lines fit into ``room`` rows so that ``last`` is the last of them; at least one."""
    used, row = 0, last
    while row >= 0 and used + (needed := height_of(row)) <= room:
        used += needed
        row -= 1
    return max(1, last - row)
