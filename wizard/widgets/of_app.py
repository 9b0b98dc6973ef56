"""The app of a widget, typed: Textual leaves its result type open, which strict checking refuses at every use."""

from __future__ import annotations

from typing import Any, cast

from textual.app import App
from textual.message_pump import MessagePump


def app_of(node: MessagePump) -> App[Any]:
    """The app a widget or screen belongs to."""
    return cast("App[Any]", node.app)  # pyright: ignore[reportUnknownMemberType]
