"""Foreign text made harmless for display: control characters escaped, long values shortened, one line."""

from __future__ import annotations

from typing import Any, cast

from .yaml_text import yaml_text

SHOWN_LENGTH = 120


def printable(text: str, limit: int = SHOWN_LENGTH) -> str:
    """The text on one line, with what a terminal might obey (escape codes, direction marks) written out.

    The middle is left out of what is longer than ``limit`` characters; 0 is no limit.
    """
    if limit and len(text) > limit:
        # Cut before escaping, so that a text of many megabytes costs no more than a short one.
        head = limit * 2 // 3
        text = f"{text[:head]}…{text[-(limit - head - 1) :]}"
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def show_value(value: Any, limit: int = SHOWN_LENGTH) -> str:
    """A value as YAML would write it (a text that looks like a number is in quotes), harmless and short."""
    if isinstance(value, (list, tuple)):
        value = cast("list[Any]", value)[:limit]
    if isinstance(value, str) and len(value) > limit:
        return printable(value, limit)
    try:
        return printable(yaml_text(value), limit)
    except (TypeError, ValueError, RecursionError):
        # A date, bytes, a set; an integer of more digits than Python prints; a list that holds itself.
        pass
    try:
        return printable(str(value), limit)
    except (ValueError, RecursionError):
        return f"<{type(value).__name__}>"


def _escape(character: str) -> str:
    code = ord(character)
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    if named:
        return named
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
