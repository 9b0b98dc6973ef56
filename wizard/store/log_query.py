"""What the user looks for in a log, in a form that can be tried on half a megabyte at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


class QueryError(ValueError):
    """The pattern can't be used; ``code`` names the text to show (``bad``, ``slow``, ``empty``)."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Query:
    """A text or a regular expression.

    Attributes:
        text: as typed.
        regex: whether it is a regular expression.
        case: whether case matters; by default it does as soon as the text has a capital ("smart case").
    """

    text: str
    regex: bool = False
    case: bool | None = None
    pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)
    needs: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile.

        Raises:
            QueryError: nothing to look for, a bad expression, or one that could run for hours.
        """
        if not self.text:
            raise QueryError("empty")
        source = self.text if self.regex else re.escape(self.text)
        if self.regex and repeats_nest(self.text):
            # Python's `re` holds the interpreter while it searches: (a+)+ would freeze the screen for good.
            raise QueryError("slow")
        try:
            pattern = re.compile(source, 0 if self.matches_case else re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as error:
            raise QueryError("bad", str(error)) from error
        needs = literals_of(self.text) if self.regex else (self.text,)
        object.__setattr__(self, "pattern", pattern)
        object.__setattr__(self, "needs", needs if self.matches_case else tuple(n.lower() for n in needs))

    @property
    def matches_case(self) -> bool:
        """Whether case matters."""
        return any(letter.isupper() for letter in self.text) if self.case is None else self.case

    def possible_in(self, text: str) -> bool:
        """Whether every literal part occurs in order; ``text`` in lower case unless case matters."""
        position = 0
        for part in self.needs:
            position = text.find(part, position)
            if position < 0:
                return False
            position += len(part)
        return True

    def found_in(self, line: str) -> bool:
        """Whether a line matches."""
        return self.pattern.search(line) is not None

    def spans(self, line: str) -> list[tuple[int, int]]:
        """Where a line matches: (start, end) in characters, empty matches left out."""
        return [found.span() for found in self.pattern.finditer(line) if found.end() > found.start()]


def literals_of(pattern: str) -> tuple[str, ...]:
    """Pieces of plain text that every match must contain, in this order; () when that can't be told.

    Groups, classes and everything optional are skipped; alternatives on the top level and flags give up.
    """
    parts: list[str] = []
    current = ""
    depth = 0
    position = 0
    while position < len(pattern):
        char = pattern[position]
        position += 1
        plain = ""
        if char == "\\" and position < len(pattern):
            plain = pattern[position] if not pattern[position].isalnum() else ""
            position += 1
        elif char == "[":
            end = pattern.find("]", position + (2 if pattern[position : position + 1] == "^" else 1))
            position = end + 1 if end >= 0 else len(pattern)
        elif char == "(":
            if pattern.startswith("?", position) and not pattern.startswith("?:", position):
                return ()
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|" and depth == 0:
            return ()
        elif char in "*?{":
            current = current[:-1]
            if char == "{":
                position = pattern.find("}", position) + 1 or len(pattern)
        elif char not in ".^$+|":
            plain = char
        if plain and depth == 0:
            current += plain
        elif char not in "^$" or depth:
            parts.append(current)
            current = ""
    parts.append(current)
    return tuple(part for part in parts if part)


_ESCAPED = re.compile(r"\\.|\[\^?\]?[^\]]*\]")


def repeats_nest(pattern: str) -> bool:
    """Whether a repeated group repeats something itself, e.g. ``(a+)+``: time that grows exponentially."""
    plain = _ESCAPED.sub("x", pattern)
    stack: list[bool] = []
    for position, char in enumerate(plain):
        if char == "(":
            stack.append(False)
        elif char in "*+{" and stack:
            stack[-1] = True
        elif char == ")" and stack:
            inner = stack.pop()
            if inner and plain[position + 1 : position + 2] in {"*", "+", "{"}:
                return True
            if stack and inner:
                stack[-1] = True
    return False
