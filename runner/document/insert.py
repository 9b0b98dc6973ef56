"""Adding what is not there yet: a key at its place among its neighbours, or a section with its first keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .compose import compose
from .emit import comment_lines, format_scalar
from .errors import EditError
from .lines import insert_lines, line_start
from .nodes import Entry, Node, entry_at
from .place_lines import default_order, entry_end, insertion_point
from .verify import parsed, verified

INDENT = "  "


def add_key(
    text: str,
    key: str,
    value: Any,
    order: Sequence[str] | None = None,
    comment: str | Sequence[str] = (),
    *,
    raw: str = "",
) -> str:
    """Add a key to its section, after its neighbour in ``order``; a section that is missing is made.

    Args:
        text: the whole text; may be empty.
        key: dotted key.
        value: its value; lists are written in brackets.
        order: names of the section in order; that of the documents when None.
        comment: lines to put above it, without their mark.
        raw: what to write after the name instead of ``: value``.

    Raises:
        EditError: the key is there already, or its section is an alias or no mapping.
    """
    before = parsed(text)
    root = compose(text)
    section, _, name = key.rpartition(".")
    if root is None:
        return verified(before, _first_lines(text, section, name, value, comment), {key: value})
    if entry_at(root, key) is not None:
        raise EditError(f"{key} is there already")
    order = default_order(section) if order is None else order
    if not section:
        return verified(before, _into(text, root, name, value, order, comment, raw), {key: value})
    found = entry_at(root, section)
    if found is None:
        if "." in section:
            raise EditError(f"there is no section {section}")
        return add_section(text, section, {name: value}, comment)
    after = _into_section(text, found[1], name, value, order, comment, raw)
    return verified(before, after, {key: value})


def add_section(text: str, name: str, values: Mapping[str, Any], comment: str | Sequence[str] = ()) -> str:
    """Add a section with its first keys at the end of the file; ``comment`` stands above its first key.

    Raises:
        EditError: the section is there already, or the first level is written in brackets.
    """
    before = parsed(text)
    if before.has(name):
        raise EditError(f"{name} is there already")
    root = compose(text)
    lines = [f"{name}:", *comment_lines(comment, INDENT)]
    lines += [f"{INDENT}{_key(inner)}: {format_scalar(value)}" for inner, value in values.items()]
    if root is not None and root.flow:
        raise EditError("the first level is written in brackets")
    index = len(text)
    for marker in ("\n...", "\n---"):  # nothing may follow the end of a document
        at = text.rfind(marker)
        if root is not None and at >= root.end:
            index = at + 1
    return verified(before, insert_lines(text, index, lines), {name: dict(values)})


def _first_lines(text: str, section: str, name: str, value: Any, comment: str | Sequence[str]) -> str:
    indent = INDENT if section else ""
    lines = [f"{section}:"] if section else []
    lines += [*comment_lines(comment, indent), f"{indent}{_key(name)}: {format_scalar(value)}"]
    return insert_lines(text, len(text), lines)


def _into_section(
    text: str, entry: Entry, name: str, value: Any, order: Sequence[str], comment: str | Sequence[str], raw: str
) -> str:
    node = entry.value
    if node.kind == "mapping":
        return _into(text, node, name, value, order, comment, raw)
    if node.kind == "scalar" and node.outer == node.end and not node.text:
        indent = text[line_start(text, entry.key.start) : entry.key.start] + INDENT
        return insert_lines(text, entry_end(text, entry), _lines(indent, name, value, comment, raw))
    raise EditError(f"{entry.key.text} is no section that can be added to")


def _into(
    text: str, mapping: Node, name: str, value: Any, order: Sequence[str], comment: str | Sequence[str], raw: str
) -> str:
    if mapping.flow:
        return _into_flow(text, mapping, name, value)
    first = mapping.entries[0].key
    indent = text[line_start(text, first.start) : first.outer]
    if indent.strip(" "):
        raise EditError("the section does not begin in a line of its own")
    index = insertion_point(text, mapping, name, order)
    return insert_lines(text, index, _lines(indent, name, value, comment, raw))


def _into_flow(text: str, mapping: Node, name: str, value: Any) -> str:
    written = f"{_key(name)}: {format_scalar(value)}"
    if mapping.entries:
        last = mapping.entries[-1]
        index = max(last.value.end, last.key.end)
        return f"{text[:index]}, {written}{text[index:]}"
    return text[: mapping.end - 1] + written + text[mapping.end - 1 :]


def _lines(indent: str, name: str, value: Any, comment: str | Sequence[str], raw: str) -> list[str]:
    rest = raw or f": {format_scalar(value)}"
    return [*comment_lines(comment, indent), f"{indent}{_key(name)}{rest}"]


def _key(name: str) -> str:
    return format_scalar(name)
