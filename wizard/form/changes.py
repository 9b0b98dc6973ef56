"""Which lines changed, and unified differences for the screens that show them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

Sign = Literal[" ", "+", "-", "@"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference; ``sign`` tells it apart without colour."""

    sign: Sign
    text: str


def changed_lines(before: str, after: str) -> frozenset[int]:
    """Numbers (from 1) of the lines of ``after`` that ``before`` has not; a removal marks the line below it."""
    old, new = before.splitlines(), after.splitlines()
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if not middle_old:
        return frozenset(range(head + 1, head + 1 + len(middle_new)))
    marked: set[int] = set()
    matcher = difflib.SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    for tag, _, _, start, end in matcher.get_opcodes():
        if tag == "delete":
            marked.add(min(head + start + 1, max(len(new), 1)))
        elif tag != "equal":
            marked.update(range(head + start + 1, head + end + 1))
    return frozenset(marked)


def difference(before: str, after: str, context: int = 3) -> list[DiffLine]:
    """A unified difference without its two file lines; empty when the texts are equal."""
    lines: list[DiffLine] = []
    for line in difflib.unified_diff(_lines(before), _lines(after), n=context, lineterm=""):
        if line.startswith("@@"):
            lines.append(DiffLine("@", line))
        elif lines:  # the two file lines stand before the first "@@"
            sign: Sign = "+" if line[0] == "+" else "-" if line[0] == "-" else " "
            lines.append(DiffLine(sign, line[1:]))
    return lines


def _lines(text: str) -> list[str]:
    """Lines without their ends; a missing last line end is made visible, because it is a difference."""
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += " (no line end)"
        return lines
    return lines[:-1]
