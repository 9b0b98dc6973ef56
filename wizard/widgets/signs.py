"""Signs that carry meaning beside colour, with ASCII twins for terminals without them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache

UNICODE: Mapping[str, str] = {
    "error": "✗",
    "warning": "!",
    "hint": "i",
    "done": "✓",
    "untouched": "·",
    "on": "━●",
    "off": "●━",
    "picked": "●",
    "unpicked": "○",
    "ticked": "☑",
    "unticked": "☐",
    "changed": "▎",
    "edited": "●",
    "remove": "×",
    "next": "→",
    "wait": "…",
}
ASCII: Mapping[str, str] = {
    "error": "x",
    "warning": "!",
    "hint": "i",
    "done": "+",
    "untouched": ".",
    "on": "-O",
    "off": "O-",
    "picked": "(*)",
    "unpicked": "( )",
    "ticked": "[x]",
    "unticked": "[ ]",
    "changed": "*",
    "edited": "*",
    "remove": "x",
    "next": "->",
    "wait": "...",
}


@cache
def ascii_only() -> bool:
    """Whether to stay with ASCII: asked for by ``AGENTIC_RL_ASCII``, or the output can't take more."""
    if os.environ.get("AGENTIC_RL_ASCII"):
        return True
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    try:
        "✗✓●☑▎→".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return os.environ.get("TERM") == "linux"  # the console's font has few of them


def sign(name: str) -> str:
    """The sign of a meaning."""
    return (ASCII if ascii_only() else UNICODE)[name]
