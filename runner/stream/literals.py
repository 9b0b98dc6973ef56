"""The text that a regular expression can't do without: looking for it first costs a hundredth of the expression."""

from __future__ import annotations

import re

_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_GROUP = re.compile(r"\((?:\?(?::|[=!]|<[=!]))?[^()]*\)")
_REPEATED = re.compile(r"(?:\\.|[^\\])(?:[?*]|\{[^}]*\})")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9])")
_BREAK = re.compile(r"\\[A-Za-z0-9]|[.^$+|\0]")
_PRIVATE = 0xE000  # escaped brackets move here while groups are taken out


def longest_literal(pattern: str) -> str:
    """The longest text, in lower case, that every match of a pattern holds; "" where none can be told.

    Args:
        pattern: of Python's ``re``, matched without regard to case. An alternation at the top level has none.
    """
    text = re.sub(r"\\([()\[\]])", lambda match: _mark(match[1]), pattern)
    text = _CLASS.sub("\0?", text)
    while _GROUP.search(text):
        text = _GROUP.sub("\0", text)
    text = re.sub("\0(?:[?*+]|\\{[^}]*\\})?", "\0", text)
    if "|" in text.replace(r"\|", ""):
        return ""
    text = _REPEATED.sub("\0", text)
    text = _BREAK.sub("\0", _ESCAPED.sub(lambda match: _mark(match[1]), text))
    pieces = [_unmark(piece) for piece in text.split("\0")]
    return max(pieces, key=len).lower()


def _mark(character: str) -> str:
    return chr(_PRIVATE + ord(character))


def _unmark(text: str) -> str:
    return "".join(chr(ord(one) - _PRIVATE) if _PRIVATE <= ord(one) < _PRIVATE + 128 else one for one in text)
