"""Wrap text by cells: words in Latin script, any character in Chinese."""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells

PIECE = re.compile(r"\s+|[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+")
NEVER_FIRST = "，。、；：！？）》」』”’,.;:!?)"


def wrap_cells(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` cells; a word that is longer than a line is cut.

    Args:
        text: one paragraph or several, separated by line ends.
        width: cells a line may take (at least 1).
    """
    width = max(1, width)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in PIECE.findall(paragraph):
            sticks = piece[0] in NEVER_FIRST and cell_len(line) + cell_len(piece) <= width + 1
            if cell_len(line) + cell_len(piece) <= width or (sticks and line and width > 20):
                line += piece
                continue
            if line.strip():
                lines.append(line.rstrip())
            line = "" if piece.isspace() else piece
            while cell_len(line) > width:
                head, *rest = chop_cells(line, width)
                lines.append(head)
                line = "".join(rest)
        lines.append(line.rstrip())
    return lines
