"""Whether colour can be relied on."""

from __future__ import annotations

from typing import Any, cast

from textual.app import App
from textual.widget import Widget


def no_colour(widget: Widget) -> bool:
    """Whether ``NO_COLOR`` is set, so that what colour tells must be told otherwise."""
    return cast("App[Any]", widget.app).no_color  # pyright: ignore[reportUnknownMemberType]
