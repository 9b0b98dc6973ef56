"""Pictures of screens as SVG files under snapshots/screens, to be read like documentation.

``UPDATE_SNAPSHOTS=1 pytest ...`` writes them anew; look at them before you commit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

FOLDER = Path(__file__).parents[2] / "snapshots" / "screens"


def steady_svg(svg: str) -> str:
    """Without the name that Rich makes up for each picture."""
    return re.sub(r"terminal-\d+", "terminal", svg)


def compare(app: App[Any], name: str, folder: Path) -> None:
    """Compare the screen with its picture; what differs is left in ``folder``."""
    svg = steady_svg(app.export_screenshot(title="agentic-rl"))
    path = FOLDER / f"{name}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(svg, encoding="utf-8")
    assert path.exists(), f"no picture {path.name}; UPDATE_SNAPSHOTS=1 makes it"
    if path.read_text(encoding="utf-8") != svg:
        made = folder / path.name
        made.write_text(svg, encoding="utf-8")
        pytest.fail(f"{path.name} looks different: compare with {made}")
