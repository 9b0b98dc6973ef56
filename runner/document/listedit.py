"""Edits of block lists (one ``- item`` a line): items that stay keep their lines and comments."""

from __future__ import annotations

from typing import Any

from ..catalogue.yaml_text import yaml_text
from .model import Document
from .text import content_end, line_end, line_start, newline_of, same


def replace_block_list(text: str, document: Document, key: str, old: list[Any], new: list[Any]) -> str | None:
    """The text with only the differing items rewritten; None when the list is not of that simple shape."""
    if not old or not new:
        return None
    places = [document.places.get(f"{key}[{index}]") for index in range(len(old))]
    spans: list[tuple[int, int]] = []
    for place in places:
        if place is None or place.value_start < 0:
            return None
        begin = line_start(text, place.value_start)
        if text[begin : place.value_start].strip() != "-":
            return None
        end = content_end(text, place.value_start, place.value_end)
        spans.append((begin, line_end(text, max(end - 1, begin))))
    head = 0
    while head < min(len(old), len(new)) and same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    indent = text[spans[0][0] : document.places[f"{key}[0]"].value_start]
    end = newline_of(text)
    lines = [indent + yaml_text(item) + end for item in new[head : len(new) - tail]]
    start = spans[head][0] if head < len(spans) else spans[-1][1]
    stop = spans[len(old) - tail - 1][1] if len(old) - tail > head else start
    body = "".join(lines)
    if start >= len(text) and not text.endswith("\n"):
        body = end + body.removesuffix(end)
    elif stop >= len(text) and not text.endswith("\n"):
        body = body.removesuffix(end)
    return text[:start] + body + text[stop:]
