"""Text by the cells it takes: Chinese characters take two, combining marks none."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells


def pad(text: str, width: int) -> str:
    """Fill up with blanks to a width."""
    return text + " " * max(0, width - cell_len(text))


def crop(text: str, width: int) -> str:
    """Cut to a width, with an ellipsis where something was cut."""
    if cell_len(text) <= width:
        return text
    return (chop_cells(text, max(1, width - 1))[0] if width > 1 else "") + "…"


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most a width; broken at blanks, and anywhere where a word alone is too long (paths, Chinese)."""
    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        joined = f"{current} {word}" if current else word
        if cell_len(joined) <= width:
            current = joined
            continue
        if current:
            lines.append(current)
        *full, current = chop_cells(word, max(2, width)) or [""]
        lines += full
    return [*lines, current]
