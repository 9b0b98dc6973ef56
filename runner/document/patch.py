"""What a changed text reads as, from what is known of the text before it: only the part that changed is read again.

Why that is enough. In a text without anchors, tags, merges and duplicate keys (``Document.plain``), take an entry of a
block mapping whose holders are block mappings too, from the start of its line to the start of the line of the next
entry. To a YAML parser the two cuts are alike, with the rest of the text around or without it: at each the flow level
is 0 and no scalar is open, because the next token stands at or left of the column of the entry, where a plain or
block scalar of that entry would have ended. Comments are no tokens. So the parts are read one by one, and where a
changed part still reads as a mapping at the same column, the others read as before. ``part`` checks those conditions;
where one fails the whole text is read. The tests hold this against a full reading, for random edits of random texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from ..catalogue.problem import Problem
from .model import Document
from .place import Path, Place, Step, dotted
from .text import line_start
from .tree import MAX_NODES, TooMuch, Walk

_BREAKS = re.compile("[\x85\u2028\u2029]")  # line breaks to YAML, not to us
_MARKS = re.compile(r"^(?:---|\.\.\.|%)", re.MULTILINE)  # of a document: alone, a part may bear one


@dataclass(frozen=True, slots=True)
class _Part:
    """Neighbouring entries of one block mapping: their whole lines.

    Attributes:
        path: the mapping.
        names: all names of the mapping; the part is ``names[first : last + 1]``.
        start: index of the first line, ``stop`` index behind the last line.
    """

    path: Path
    names: tuple[Step, ...]
    first: int
    last: int
    start: int
    stop: int


def patched(before: Document, changed: str) -> Document | None:
    """The document of a changed text; None where only reading all of it can tell."""
    if not before.plain or len(changed) > MAX_NODES:
        return None
    text = before.text
    start, tail = _common(text, changed)
    delta = len(changed) - len(text)
    stop = len(text) - tail
    chains = [_parts(before, start, stop)]
    if start == stop and text[:start].endswith("\n"):  # between two entries: it may belong to the one above
        chains.insert(0, _parts(before, start - 1, stop))
    for part in (part for chain in chains for part in reversed(chain)):
        old, new = text[part.start : part.stop], changed[part.start : part.stop + delta]
        found = _read(before, part, old, new, changed)
        if found is not None:
            return found
    return None


def _common(left: str, right: str) -> tuple[int, int]:
    """Lengths of what two texts share in front and behind, by halving: comparing slices is fast."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    start, most = low, min(len(left), len(right)) - low
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        if left[len(left) - middle : len(left) - low] == right[len(right) - middle : len(right) - low]:
            low = middle
        else:
            most = middle - 1
    return start, low


def _parts(document: Document, start: int, stop: int) -> list[_Part]:
    """The parts that hold the change, from the whole mapping down to the smallest."""
    text = document.text
    found: list[_Part] = []
    place, path, end = document.root, (), len(text)
    while place.kind == "mapping" and place.style == "block":
        names = tuple(place.children or {})
        starts: list[int] = []
        for child in (place.children or {}).values():
            begin = line_start(text, child.key_start)
            if text[begin : child.key_start].strip(" "):
                return found
            starts.append(begin)
        first = last = -1
        for index, begin in enumerate(starts):
            first = index if begin <= start else first
            last = index if begin < stop else last
        if first < 0:
            return found
        last = max(first, last)
        behind = starts[last + 1] if last + 1 < len(starts) else end
        found.append(_Part(path, names, first, last, starts[first], behind))
        if first != last:
            return found
        path, end = (*path, names[first]), behind
        place = (place.children or {})[names[first]]
    return found


def _read(before: Document, part: _Part, old: str, new: str, changed: str) -> Document | None:
    import yaml

    from .read import loader_for, unusual

    holder = before.root.at(part.path)
    if holder is None or not new:
        return None
    column = (holder.children or {})[part.names[part.first]].column
    body = new[column - 1 :]
    if (
        new[: column - 1].strip(" ")
        or body[:1] in (" ", "%", "\r", "\n", "")
        or _BREAKS.search(old + new)
        or _MARKS.search(new)
    ):
        return None
    if (not new.endswith("\n") and part.last + 1 < len(part.names)) or unusual(old) or unusual(new):
        return None
    if not new.endswith("\n") and part.start + len(new) < len(changed):
        return None
    depth = len(part.path)
    line = before.text.count("\n", 0, part.start)
    walk = Walk(changed, part.start, line)
    try:
        walk.run(iter(cast("Any", yaml).parse(new, Loader=loader_for(new))), dotted(part.path), depth)
    except (yaml.YAMLError, TooMuch, RecursionError, ValueError):
        return None
    fresh = walk.root.children or {}
    others = {n for i, n in enumerate(part.names) if not part.first <= i <= part.last}
    if not walk.plain or walk.root.kind != "mapping" or walk.root.style != "block" or others & set(fresh):
        return None
    if any(p.code in ("yaml-tag", "yaml-multiple-documents") for p in walk.problems):
        return None
    if any(child.column != column for child in fresh.values()):
        return None
    values = _spliced(before.values, part, part.path, cast("dict[str, Any]", walk.value))
    shift, lines = len(new) - len(old), new.count("\n") - old.count("\n")
    root = _moved(before.root, part, part.path, fresh, shift, lines)
    problems = _problems(before, line, line + old.count("\n"), lines, walk.problems)
    return replace(before, text=changed, path=None, values=values, root=root, problems=problems)


def _spliced(values: Any, part: _Part, path: Path, fresh: Mapping[str, Any]) -> Any:
    """The values with those of the part replaced; what is not on the way is shared with the values before."""
    if path:
        return {k: _spliced(v, part, path[1:], fresh) if k == path[0] else v for k, v in values.items()}
    before = part.names[: part.first]
    behind = part.names[part.last + 1 :]
    return {**{n: values[n] for n in before}, **fresh, **{n: values[n] for n in behind}}


def _moved(place: Place, part: _Part, path: Path, fresh: Mapping[Step, Place], shift: int, lines: int) -> Place:
    children: dict[Step, Place] = {}
    here = place.children or {}
    if path:
        behind = False
        for name, child in here.items():
            if name == path[0]:
                children[name] = _moved(child, part, path[1:], fresh, shift, lines)
                behind = True
            else:
                children[name] = _shifted(child, shift, lines) if behind else child
    else:
        children.update({n: here[n] for n in part.names[: part.first]})
        children.update(fresh)
        children.update({n: _shifted(here[n], shift, lines) for n in part.names[part.last + 1 :]})
    first, last = next(iter(children.values())), next(reversed(children.values()))
    return place._replace(
        children=children,
        value_end=last.value_end,
        value_start=first.key_start,
        node_start=first.key_start,
        value_line=first.line,
        value_column=first.column,
        **({} if place.key_end >= 0 else {"line": first.line, "column": first.column, "key_start": first.key_start}),
    )


def _shifted(place: Place, shift: int, lines: int) -> Place:
    if not shift and not lines:
        return place
    line, column, value_line, value_column, start, end, key_start, key_end, node, kind, style, anchor, children = place
    if children is not None:
        children = {step: _shifted(child, shift, lines) for step, child in children.items()}
    return Place(
        line + lines,
        column,
        value_line + lines,
        value_column,
        start + shift,
        end + shift,
        key_start + shift,
        key_end + shift if key_end >= 0 else -1,
        node + shift,
        kind,
        style,
        anchor,
        children,
    )


def _problems(before: Document, start: int, stop: int, lines: int, fresh: list[Problem]) -> tuple[Problem, ...]:
    """The problems of the text before, moved with their lines, without those of lines ``start`` to ``stop``."""
    kept = [p for p in before.problems if p.line <= start]
    kept += [replace(p, line=p.line + lines) if lines else p for p in before.problems if p.line > stop]
    return tuple(sorted([*kept, *fresh], key=Problem.sort_key))
