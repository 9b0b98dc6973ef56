"""Where a new key goes, and the lines it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..catalogue.yaml_text import string_text
from .model import Document
from .text import EditError, content_end, line_end, line_start, newline_of


def insert_entry(
    text: str, document: Document, key: str, written: str, order: Sequence[str], comment: Iterable[str]
) -> str:
    """The text with ``name: written`` added to the section of ``key``.

    Raises:
        EditError: the section holds something else than a mapping.
    """
    section, _, name = key.rpartition(".")
    gap = "" if written.startswith(("\n", "\r")) else " "
    entry = f"{string_text(name)}:{gap}{written}"
    lines = [*(f"# {line}" if line else "#" for line in comment), entry]
    if not section:
        return _into_mapping(text, document, "", name, lines, order)
    value = document.get(section, _ABSENT)
    if value is _ABSENT:
        return insert_entry(text, document, section, _nested(text, lines), order, ())
    if value is None:
        place = document.places[section]
        at = line_end(text, place.key_start)
        indent = " " * (place.column - 1 + 2)
        return _put_lines(text, at, [indent + line for line in lines])
    if not isinstance(value, Mapping):
        raise EditError("unsafe", key, f"{section} is no section")
    return _into_mapping(text, document, section, name, lines, order)


def _nested(text: str, lines: list[str]) -> str:
    end = newline_of(text)
    return end + end.join("  " + line for line in lines)


def _into_mapping(
    text: str, document: Document, section: str, name: str, lines: list[str], order: Sequence[str]
) -> str:
    prefix = f"{section}." if section else ""
    siblings: Mapping[str, Any] = document.get(section) if section else document.values
    own = [
        s for s in siblings if f"{prefix}{s}" in document.places and document.places[f"{prefix}{s}"].value_start >= 0
    ]
    outer = document.places.get(section)
    opening = text[outer.value_start] if outer else text.lstrip("\ufeff \r\n\t")[:1]
    if opening == "{":
        return _into_flow(text, document, prefix, own, lines[-1], outer.value_start if outer else text.index("{"))
    if not own:
        return _put_lines(text, len(text), lines) if not section else _beside_merge(text, document, section, lines)
    before, after = _neighbours(name, own, order)
    if before is not None:
        place = document.places[prefix + before]
        end = content_end(text, place.value_start, max(place.value_end, place.value_start))
        at = line_end(text, max(end - 1, place.key_start))
    else:
        place = document.places[prefix + (after or own[0])]
        at = _above_comments(text, line_start(text, place.key_start))
    indent = " " * (place.column - 1)
    apart = len(lines) > 1 and text[at:].startswith(("\n", "\r\n"))  # entries stand apart there: so does this one
    return _put_lines(text, at, [*([""] if apart else []), *(indent + line for line in lines)])


def _above_comments(text: str, start: int) -> int:
    """Start of the comment lines directly above a key: they are about the key, unless they open the file."""
    at = start
    while at > 0:
        previous = line_start(text, at - 1)
        if not text[previous:at].lstrip().startswith("#"):
            return at
        at = previous
    return start


def _beside_merge(text: str, document: Document, section: str, lines: list[str]) -> str:
    """A section that holds nothing but a merge: the new key follows it."""
    place = document.places[f"{section}.<<"]
    return _put_lines(text, line_end(text, place.key_start), [" " * (place.column - 1) + line for line in lines])


def _neighbours(name: str, own: Sequence[str], order: Sequence[str]) -> tuple[str | None, str | None]:
    """The present key that the new one follows, else the one that it precedes; unknown names go to the end."""
    if name not in order:
        return own[-1], None
    rank = {n: i for i, n in enumerate(order)}
    earlier = [s for s in own if rank.get(s, len(order)) < rank[name]]
    if earlier:
        return max(earlier, key=lambda s: rank[s]), None
    later = [s for s in own if s in rank]
    return (None, min(later, key=lambda s: rank[s])) if later else (own[-1], None)


def _put_lines(text: str, at: int, lines: list[str]) -> str:
    """Insert whole lines at an index that is the start of a line, or the end of a text without a last line end."""
    end = newline_of(text)
    block = end.join(lines)
    if at >= len(text) and text and not text.endswith("\n") and text != "\ufeff":
        return text + end + block
    return text[:at] + block + end + text[at:]


def _into_flow(text: str, document: Document, prefix: str, own: Sequence[str], entry: str, opening: int) -> str:
    if not own:
        return text[: opening + 1] + entry + text[opening + 1 :]
    place = document.places[prefix + own[-1]]
    return text[: place.value_end] + ", " + entry + text[place.value_end :]


_ABSENT = object()
