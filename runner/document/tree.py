"""From YAML events to places and problems: what PyYAML's loader would make of the text, with positions.

PyYAML's own composer loses where an alias stands and says nothing about duplicate keys; its events have both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..catalogue.problem import Problem
from .model import Place

MAX_DEPTH = 64
MAX_NODES = 50_000
MAX_DIGITS = 4300  # Python itself refuses to read a longer whole number
MAX_PROBLEMS = 1000  # beyond that no person reads on

_OCTAL = re.compile(r"[-+]?0[0-7_]+\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9][0-9_:]*\Z")
_BOOLEAN_WORD = re.compile(r"(?:yes|no|on|off)\Z", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt ]|\Z)")
_NON_STRING_KEY = re.compile(r"(?:yes|no|on|off|true|false|null|~|[-+]?\d[\d_]*(?:\.\d*)?|)\Z", re.IGNORECASE)


class TooMuch(Exception):
    """The tree is too deep or unfolds to too many values; the problem says which."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


@dataclass(slots=True)
class Walk:
    """Collects places and problems while the events of one document pass by."""

    text: str
    shift: int  # characters in front of what the parser saw (a byte order mark)
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    problems: list[Problem] = field(default_factory=list[Problem])
    anchors: dict[str, int] = field(default_factory=dict[str, int])
    open_anchors: set[str] = field(default_factory=set[str])
    nodes: int = 0

    def run(self, events: Iterator[Any]) -> None:
        """Walk the events of the first document; a second one is reported.

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
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                self._node(event, events, "", None, 0)

    def _node(self, event: Any, events: Iterator[Any], key: str, key_mark: Any, depth: int) -> int:
        """One node with all that hangs below it; returns how many values it unfolds to."""
        if depth > MAX_DEPTH:
            raise TooMuch(self._problem("yaml-too-deep", key, event.start_mark, depth=depth))
        kind = type(event).__name__
        anchor = event.anchor
        if kind == "AliasEvent":
            if anchor in self.open_anchors:
                raise TooMuch(self._problem("yaml-too-deep", key, event.start_mark, depth=depth))
            self._place(key, key_mark, event.start_mark, event.end_mark)
            return self._count(self.anchors.get(anchor, 1), key, event.start_mark)
        if event.tag and not str(event.tag).startswith("tag:yaml.org,2002:"):
            self._report("yaml-tag", key, event.start_mark, tag=str(event.tag))
        if anchor:
            self.open_anchors.add(anchor)
        if kind == "ScalarEvent":
            size = 1
            self._place(key, key_mark, _value_start(self.text, event, self.shift), event.end_mark)
            if not event.style and not event.tag:
                self._pitfalls(str(event.value), key, event.start_mark)
        elif kind == "MappingStartEvent":
            size = self._mapping(event, events, key, key_mark, depth)
        else:
            size = self._sequence(event, events, key, key_mark, depth)
        if anchor:
            self.open_anchors.discard(anchor)
            self.anchors[anchor] = size
        return self._count(size if kind == "ScalarEvent" else 1, key, event.start_mark) and size

    def _mapping(self, start: Any, events: Iterator[Any], key: str, key_mark: Any, depth: int) -> int:
        size = 1
        seen: dict[str, Any] = {}
        for event in events:
            if type(event).__name__ == "MappingEndEvent":
                self._place(key, key_mark, _value_start(self.text, start, self.shift), event.end_mark)
                return size
            if type(event).__name__ != "ScalarEvent":
                size += self._node(event, events, f"{key}.?" if key else "?", None, depth + 1)
                size += self._node(next(events), events, f"{key}.?" if key else "?", None, depth + 1)
                continue
            name = str(event.value)
            dotted = f"{key}.{name}" if key else name
            if not event.style and _NON_STRING_KEY.match(name):
                self._report("non-string-key", dotted, event.start_mark, name=name, got=_kind_of(name))
            if name in seen and name != "<<":
                line = int(seen[name].line) + 1
                self._report("duplicate-key", dotted, event.start_mark, first_line=line)
            seen[name] = event.start_mark
            size += self._node(next(events), events, dotted, event.start_mark, depth + 1)
        return size

    def _sequence(self, start: Any, events: Iterator[Any], key: str, key_mark: Any, depth: int) -> int:
        size = 1
        for index, event in enumerate(events):
            if type(event).__name__ == "SequenceEndEvent":
                self._place(key, key_mark, _value_start(self.text, start, self.shift), event.end_mark)
                return size
            size += self._node(event, events, f"{key}[{index}]", event.start_mark, depth + 1)
        return size

    def _count(self, size: int, key: str, mark: Any) -> int:
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise TooMuch(self._problem("yaml-alias-explosion", key, mark, nodes=self.nodes, limit=MAX_NODES))
        return size

    def _place(self, key: str, key_mark: Any, start: Any, end: Any) -> None:
        if not key:
            return
        head = key_mark or start
        self.places[key] = Place(
            line=head.line + 1,
            column=head.column + 1,
            value_line=start.line + 1,
            value_column=start.column + 1,
            value_start=start.index + self.shift,
            value_end=end.index + self.shift,
            key_start=head.index + self.shift,
        )

    def _pitfalls(self, text: str, key: str, mark: Any) -> None:
        if len(text) > MAX_DIGITS and _WHOLE_NUMBER.match(text):
            # With colons it would even be read, in base sixty, for minutes.
            raise TooMuch(self._problem("yaml-number-long", key, mark, digits=len(text), limit=MAX_DIGITS))
        if _OCTAL.match(text):
            digits = text.replace("_", "").lstrip("+-")
            self._report("yaml11-octal", key, mark, text=text, value=int(digits, 8), plain=digits.lstrip("0") or "0")
        elif _BOOLEAN_WORD.match(text):
            value = text.lower() in ("yes", "on")
            self._report("yaml11-boolean-word", key, mark, "hint", text=text, value=value)
        elif _SEXAGESIMAL.match(text):
            self._report("yaml-sexagesimal", key, mark, text=text, value=_base_sixty(text))
        elif _DATE.match(text):
            self._report("yaml-date", key, mark, text=text)

    def _report(self, code: str, key: str, mark: Any, level: str = "", **params: Any) -> None:
        if len(self.problems) >= MAX_PROBLEMS:
            return
        problem = self._problem(code, key, mark, **params)
        if level:
            problem = Problem("hint", problem.code, problem.key, problem.line, problem.column, problem.params)
        self.problems.append(problem)

    def _problem(self, code: str, key: str, mark: Any, **params: Any) -> Problem:
        level = "warning" if code in ("yaml11-octal", "yaml-sexagesimal", "yaml-date", "duplicate-key") else "error"
        return Problem(level, code, key, mark.line + 1, mark.column + 1, params)


def _value_start(text: str, event: Any, shift: int) -> Any:
    """Start of the value itself: behind an anchor or a tag, which the event counts in."""
    if not event.anchor and not event.tag:
        return event.start_mark
    begin, end = event.start_mark.index + shift, event.end_mark.index + shift
    skipped = re.match(r"(?:[&!]\S*\s*)+", text[begin:end])
    if skipped is None or "\n" in skipped[0]:
        return event.start_mark
    return _Mark(event.start_mark.index + skipped.end(), event.start_mark.line, event.start_mark.column + skipped.end())


@dataclass(frozen=True, slots=True)
class _Mark:
    """A position like PyYAML's marks."""

    index: int
    line: int
    column: int


def _kind_of(name: str) -> str:
    lowered = name.lower()
    if lowered in ("null", "~", ""):
        return "null"
    return "bool" if lowered.isalpha() else "int"


def _base_sixty(text: str) -> float:
    sign = -1 if text.startswith("-") else 1
    total = 0.0
    for part in text.lstrip("+-").replace("_", "").split(":"):
        total = total * 60 + float(part)
    return sign * (int(total) if total.is_integer() else total)
