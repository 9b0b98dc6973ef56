"""Lines drawn with Braille dots: two columns and four rows of dots in each character cell. Pure, no Textual."""

from __future__ import annotations

from collections.abc import Iterator

# Bit of a dot in a Braille pattern, by (row, column) inside the cell (Unicode chapter 21.1).
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BLANK = 0x2800

SOLID = (1,)
DASHED = (1, 1, 1, 1, 0, 0, 0)
DOTTED = (1, 0, 0)
PATTERNS = (SOLID, DASHED, DOTTED)


class Canvas:
    """Dots with an owner: the number of what was drawn last in a cell, because a cell has one colour.

    Attributes:
        width, height: in cells.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = max(width, 1)
        self.height = max(height, 1)
        self._dots = [[0] * self.width for _ in range(self.height)]
        self._owner = [[-1] * self.width for _ in range(self.height)]

    def dot(self, x: int, y: int, owner: int) -> None:
        """Set a dot; ``y`` counts from the top, four to a cell; outside the canvas nothing happens."""
        column, row = x >> 1, y >> 2
        if 0 <= column < self.width and 0 <= row < self.height:
            self._dots[row][column] |= _BITS[y & 3][x & 1]
            self._owner[row][column] = owner

    def line(self, start: tuple[int, int], end: tuple[int, int], owner: int, pattern: tuple[int, ...] = SOLID) -> None:
        """Draw from dot to dot (Bresenham); a pattern of 1 and 0 makes it dashed along its length."""
        (x, y), (x1, y1) = start, end
        dx, dy = abs(x1 - x), -abs(y1 - y)
        sx, sy = (1 if x < x1 else -1), (1 if y < y1 else -1)
        error = dx + dy
        while True:
            # By position, not by count: then many short pieces still make one even dashed line.
            if pattern[(x if dx >= -dy else y) % len(pattern)]:
                self.dot(x, y, owner)
            if x == x1 and y == y1:
                return
            twice = 2 * error
            if twice >= dy:
                error += dy
                x += sx
            if twice <= dx:
                error += dx
                y += sy

    def row(self, row: int) -> Iterator[tuple[str, int]]:
        """Runs of characters of one owner; owner -1 is empty ground."""
        text, owner = "", -1
        for dots, mine in zip(self._dots[row], self._owner[row], strict=True):
            mine = mine if dots else -1
            if mine != owner and text:
                yield text, owner
                text = ""
            owner = mine
            text += chr(_BLANK + dots) if dots else " "
        if text:
            yield text, owner
