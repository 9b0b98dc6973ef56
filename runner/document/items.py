"""Items of lists, block (``- item`` a line) and flow: inserted, removed; those that stay keep lines and comments."""

from __future__ import annotations

from typing import Any

from ..catalogue.yaml_text import yaml_text
from .flow import cut_entry, insert_between
from .place import Place
from .text import cut_lines, line_end, line_start, newline_at, prefix_of, put_lines, skip_blank


def insert_item(text: str, holder: Place, index: int, value: Any) -> str | None:
    """The text with an item in front of the one at ``index`` (behind the last where there is none of that index).

    None when the list is written in a shape that has no room for a line.
    """
    items = list((holder.children or {}).values())
    written = yaml_text(value)
    if holder.style == "flow":
        before = items[index - 1] if index > 0 else None
        after = items[index] if index < len(items) else None
        return insert_between(text, holder, before, after, written)
    dash = _dash(text, holder, items, 0 if index == 0 else index - 1)
    prefix = prefix_of(text, dash)
    if index > 0:
        before = items[index - 1]
        at = line_end(text, max(before.value_end - 1, dash))
        return put_lines(text, at, [" " * len(prefix) + _lead(text, dash, before) + written])
    if prefix.strip():  # "- - a": the first item shares its line
        return text[:dash] + f"- {written}{newline_at(text, dash)}{' ' * len(prefix)}" + text[dash:]
    return put_lines(text, line_start(text, dash), [prefix + _lead(text, dash, items[0]) + written])


def remove_item(text: str, holder: Place, index: int) -> str:
    """The text without one of several items; in a block its lines go, comments on lines of their own stay."""
    items = list((holder.children or {}).values())
    if holder.style == "flow":
        return cut_entry(text, items[index], items)
    dash = _dash(text, holder, items, index)
    if prefix_of(text, dash).strip():
        return text[:dash] + text[_dash(text, holder, items, index + 1) :]
    return cut_lines(text, dash, items[index].value_end)


def _lead(text: str, dash: int, item: Place) -> str:
    """The dash and the blanks behind it, as a neighbour writes them."""
    lead = text[dash : item.node_start]
    return lead if lead.strip() == "-" and "\n" not in lead and len(lead) > 1 else "- "


def _dash(text: str, holder: Place, items: list[Place], index: int) -> int:
    """Index of the dash of an item."""
    return holder.value_start if index == 0 else skip_blank(text, items[index - 1].value_end)
