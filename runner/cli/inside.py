"""Where the code lies that runs inside the training's own Python."""

from __future__ import annotations

from pathlib import Path

INSIDE = Path(__file__).resolve().parent.parent / "inside"
