"""How wide the lines of a command may be."""

from __future__ import annotations

import shutil


def columns() -> int:
    """Columns of a line: the terminal's, 80 where there is none."""
    return max(40, min(120, shutil.get_terminal_size((80, 24)).columns))
