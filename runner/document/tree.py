"""From YAML events to values, places and problems: what PyYAML's loader would make of the text, with positions.

PyYAML's own composer loses where an alias stands and says nothing about duplicate keys; its events have both. The
values are made here too, for texts without anchors, tags and other rarities: one pass instead of two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..catalogue.problem import Level, Problem
from .place import NOWHERE, Kind, Place, Step, Style
from .scalars import odd_key, read_plain

MAX_DEPTH = 64
MAX_NODES = 50_000
MAX_DIGITS = 4300  # Python itself refuses to read a longer whole number
MAX_PROBLEMS = 1000  # beyond that no person reads on

_STYLES: dict[str, Style] = {"'": "quoted", '"': "quoted", "|": "literal", ">": "folded"}
_LEVELS: dict[str, Level] = {
    "yaml11-octal": "warning",
    "yaml-sexagesimal": "warning",
    "yaml-date": "warning",
    "duplicate-key": "warning",
    "yaml11-boolean-word": "hint",
}
_SAFE_TAGS = frozenset(  # what PyYAML's safe loader knows; "!" alone only says that a value is no plain one
    f"tag:yaml.org,2002:{name}"
    for name in ("null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map")
) | {"!"}
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9][0-9_:]*\Z")
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+(?:#[^\n]*\s*)*|\Z))+")


class TooMuch(Exception):
    """The tree is too deep or unfolds to too many values; the problem says which."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


@dataclass(slots=True)
class Walk:
    """Collects places and problems while the events of one document pass by.

    Attributes:
        text: the whole text; ``shift`` and ``lines`` are the characters and lines in front of what the parser saw.
        simple: no anchor, tag, merge or odd key so far: ``value`` is what the loader would make of it.
        plain: simple, and without duplicate keys and directives.
    """

    text: str
    shift: int = 0
    lines: int = 0
    root: Place = NOWHERE
    value: Any = None
    problems: list[Problem] = field(default_factory=list[Problem])
    anchors: dict[str, int] = field(default_factory=dict[str, int])
    open_anchors: set[str] = field(default_factory=set[str])
    nodes: int = 0
    simple: bool = True
    plain: bool = True

    def run(self, events: Iterator[Any], key: str = "", depth: int = 0) -> None:
        """Walk the events of the first document; a second one is reported.

        Args:
            events: PyYAML's events.
            key: dotted key of what holds the document, and ``depth`` its depth, for a part of a text.
            depth: see ``key``.

        Raises:
            TooMuch: depth or size limit.
        """
        documents = 0
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
                if documents == 2:
                    self._report("yaml-multiple-documents", "", event.start_mark)
                    return
                if event.version or event.tags:
                    self.plain = False
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                _, self.root, self.value = self._node(event, events, key, event.start_mark, None, depth)
        self.plain = self.plain and self.simple

    def _node(
        self, event: Any, events: Iterator[Any], key: str, head: Any, key_end: Any, depth: int
    ) -> tuple[int, Place, Any]:
        """One node with all that hangs below it: how many values it unfolds to, its place, its value."""
        if depth > MAX_DEPTH:
            raise TooMuch(self._problem("yaml-too-deep", key, event.start_mark, depth=depth))
        kind = type(event).__name__
        anchor = event.anchor
        if kind == "AliasEvent":
            self.simple = False
            if anchor in self.open_anchors:
                raise TooMuch(self._problem("yaml-too-deep", key, event.start_mark, depth=depth))
            size = self._count(self.anchors.get(anchor, 1), key, event.start_mark)
            start, end = event.start_mark.index, event.end_mark.index
            return size, self._place(event, head, key_end, start, end, "alias", "plain", anchor), None
        if event.tag:
            self.simple = False
            if str(event.tag) not in _SAFE_TAGS:
                self._report("yaml-tag", key, event.start_mark, tag=str(event.tag))
        if anchor:
            self.simple = False
            self.open_anchors.add(anchor)
        if kind == "ScalarEvent":
            size = 1
            place, value = self._scalar(event, key, head, key_end)
            self._count(1, key, event.start_mark)
        elif kind == "MappingStartEvent":
            size, place, value = self._mapping(event, events, key, head, key_end, depth)
        else:
            size, place, value = self._sequence(event, events, key, head, key_end, depth)
        if anchor:
            self.open_anchors.discard(anchor)
            self.anchors[anchor] = size
        return size, place, value

    def _scalar(self, event: Any, key: str, head: Any, key_end: Any) -> tuple[Place, Any]:
        start, end = event.start_mark.index, event.end_mark.index
        style: Style = _STYLES[event.style] if event.style else "plain"
        value: Any = event.value
        if style == "plain" and not event.tag:
            self._short(value, key, event.start_mark)
            read = read_plain(value)
            for code, params in read.pitfalls:
                self._report(code, key, event.start_mark, **params)
            self.simple = self.simple and read.sure
            value = read.value
        elif style in ("literal", "folded"):
            end = self._block_end(start, end)
        return self._place(event, head, key_end, start, end, "scalar", style, event.anchor or ""), value

    def _short(self, text: str, key: str, mark: Any) -> None:
        """Refuse a whole number that takes minutes to read (with colons it counts in base sixty)."""
        if len(text) > MAX_DIGITS and _WHOLE_NUMBER.match(text):
            raise TooMuch(self._problem("yaml-number-long", key, mark, digits=len(text), limit=MAX_DIGITS))

    def _block_end(self, start: int, end: int) -> int:
        """End of the last line of a block scalar, counted without its line end; blank lines belong to ``|+``."""
        written = self.text[start + self.shift : end + self.shift]
        if "+" in written.partition("\n")[0].partition("#")[0]:
            return start + len(written.removesuffix("\n").removesuffix("\r"))
        return start + len(written.rstrip())

    def _mapping(
        self, start: Any, events: Iterator[Any], key: str, head: Any, key_end: Any, depth: int
    ) -> tuple[int, Place, Any]:
        size = self._count(1, key, start.start_mark)
        children: dict[Step, Place] = {}
        values: dict[str, Any] = {}
        last = first = -1
        for event in events:
            kind = type(event).__name__
            if kind == "MappingEndEvent":
                begin = start.start_mark.index
                end = event.end_mark.index if start.flow_style else last
                place = self._place(
                    start, head, key_end, begin, end, "mapping", _style(start), start.anchor or "", first
                )
                return size, place._replace(children=children), values
            if kind != "ScalarEvent":
                self.simple = False
                below = f"{key}.?" if key else "?"
                size += self._node(event, events, below, event.start_mark, None, depth + 1)[0]
                more, place, _ = self._node(next(events), events, below, event.start_mark, None, depth + 1)
                size, last = size + more, place.value_end - self.shift
                first = event.start_mark.index if first < 0 else first
                continue
            name = str(event.value)
            below = f"{key}.{name}" if key else name
            if not event.style:
                self._short(name, key, event.start_mark)
            if event.anchor or event.tag or (not event.style and not read_plain(name).sure):
                self.simple = False
            if not event.style:
                odd = odd_key(name)
                if odd:
                    self.simple = False
                    self._report("non-string-key", below, event.start_mark, name=name, got=odd)
            if name in children and name != "<<":
                self.plain = False
                self._report("duplicate-key", below, event.start_mark, first_line=children[name].line)
            more, place, value = self._node(next(events), events, below, event.start_mark, event.end_mark, depth + 1)
            size, last = size + more, place.value_end - self.shift
            first = event.start_mark.index if first < 0 else first
            children[name] = place
            values[name] = value
        raise AssertionError("a parser ends each mapping")  # pragma: no cover

    def _sequence(
        self, start: Any, events: Iterator[Any], key: str, head: Any, key_end: Any, depth: int
    ) -> tuple[int, Place, Any]:
        size = self._count(1, key, start.start_mark)
        children: dict[Step, Place] = {}
        values: list[Any] = []
        last = first = -1
        for index, event in enumerate(events):
            if type(event).__name__ == "SequenceEndEvent":
                begin = start.start_mark.index
                end = event.end_mark.index if start.flow_style else last
                place = self._place(start, head, key_end, begin, end, "list", _style(start), start.anchor or "", first)
                return size, place._replace(children=children), values
            more, place, value = self._node(event, events, f"{key}[{index}]", event.start_mark, None, depth + 1)
            size, last = size + more, place.value_end - self.shift
            if first < 0:  # the dash in front of the first item
                first = self.text.rfind("-", 0, event.start_mark.index + self.shift) - self.shift
            children[index] = place
            values.append(value)
        raise AssertionError("a parser ends each sequence")  # pragma: no cover

    def _place(
        self,
        event: Any,
        head: Any,
        key_end: Any,
        start: int,
        end: int,
        kind: Kind,
        style: Style,
        anchor: str,
        first: int = -1,
    ) -> Place:
        mark = event.start_mark
        line, column, value = mark.line + 1 + self.lines, mark.column + 1, start
        if kind != "alias" and (event.anchor or event.tag):  # the value itself is behind them
            if style == "block":
                value = first
            else:
                skipped = _PROPERTIES.match(self.text[start + self.shift : end + self.shift])
                value = start + skipped.end() if skipped is not None else start
            between = self.text[start + self.shift : value + self.shift]
            breaks = between.count("\n")
            line += breaks
            column = column + len(between) if not breaks else len(between) - between.rfind("\n")
        shift = self.shift
        return Place(
            head.line + 1 + self.lines,
            head.column + 1,
            line,
            column,
            value + shift,
            end + shift,
            head.index + shift,
            key_end.index + shift if key_end is not None else -1,
            start + shift,
            kind,
            style,
            anchor,
        )

    def _count(self, size: int, key: str, mark: Any) -> int:
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise TooMuch(self._problem("yaml-alias-explosion", key, mark, nodes=self.nodes, limit=MAX_NODES))
        return size

    def _report(self, code: str, key: str, mark: Any, **params: Any) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(self._problem(code, key, mark, **params))

    def _problem(self, code: str, key: str, mark: Any, **params: Any) -> Problem:
        level = _LEVELS.get(code, "error")
        return Problem(level, code, key, mark.line + 1 + self.lines, mark.column + 1, params)


def _style(start: Any) -> Style:
    return "flow" if start.flow_style else "block"
