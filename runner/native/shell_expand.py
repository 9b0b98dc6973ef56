"""Words of a shell script expanded with the variables and arrays that the script itself sets; nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(r"([A-Za-z_]\w*|\d+|[@*#?])(\[[^\]]*\])?(?:(:?[-=+?])(.*)|(\S+))?\Z", re.DOTALL)
_ARITHMETIC = re.compile(r"\s*(\d+|[A-Za-z_]\w*|\$\{?[A-Za-z_]\w*\}?|\*\*|[-+*/%()])")
_SUFFIX = re.compile(r"(##?)\*(.)\Z|(%%?)(.)\*\Z", re.DOTALL)
_LIMIT = 10**15


@dataclass(slots=True)
class Variables:
    """What a script has set so far.

    Attributes:
        scalars: name -> text; arrays: name -> words.
        unknown: names that were asked for and that nobody sets.
        commands: outputs of commands (``$(...)``) that were asked for.
        missing: how an unknown variable is written into the text.
    """

    scalars: dict[str, str] = field(default_factory=dict[str, str])
    arrays: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    commands: list[str] = field(default_factory=list[str])
    missing: Callable[[str], str] = "${{oc.env:{0}}}".format


def expand(word: str, variables: Variables) -> list[str]:
    """The words that a raw word becomes: none or several for an array or an unquoted variable."""
    expander = _Expander(variables)
    expander.read(word)
    return expander.words()


def expand_text(word: str, variables: Variables) -> str:
    """A raw word as one text (the right-hand side of an assignment)."""
    return " ".join(expand(word, variables))


class _Expander:
    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.done: list[str] = []
        self.text: str | None = None

    def words(self) -> list[str]:
        return [*self.done, *([] if self.text is None else [self.text])]

    def put(self, text: str) -> None:
        self.text = (self.text or "") + text

    def put_many(self, words: list[str]) -> None:
        """Words that split: the first joins what stands before, the last is joined by what follows."""
        for number, word in enumerate(words):
            if number:
                self.done.append(self.text or "")
                self.text = None
            self.put(word)

    def read(self, word: str) -> None:
        at = 0
        while at < len(word):
            char = word[at]
            if char == "'":
                end = _find(word, "'", at + 1)
                self.put(word[at + 1 : end])
                at = end + 1
            elif char == '"':
                at = self._double(word, at + 1)
            elif char == "\\":
                self.put(word[at + 1 : at + 2])
                at += 2
            elif char in "$`":
                value, at = self._dollar(word, at)
                # Without quotes an empty value leaves no word at all, and blanks split it; those of a command do not.
                whole = isinstance(value, str) and "$(" in value
                self.put_many(value if isinstance(value, list) else [value] if whole else value.split())
            else:
                self.put(char)
                at += 1

    def _double(self, word: str, at: int) -> int:
        empty = self.text is None
        array = False
        while at < len(word) and word[at] != '"':
            if word[at] == "\\" and word[at + 1 : at + 2] in ('"', "\\", "$", "`", "\n"):
                self.put(word[at + 1].replace("\n", ""))
                at += 2
            elif word[at] in "$`":
                value, at = self._dollar(word, at)
                array = array or isinstance(value, list)
                if isinstance(value, list):
                    self.put_many(value)
                else:
                    self.put(value)
            else:
                self.put(word[at])
                at += 1
        if empty and self.text is None and not array:
            self.text = ""
        return at + 1

    def _dollar(self, word: str, at: int) -> tuple[str | list[str], int]:
        if word[at] == "`":
            end = _find(word, "`", at + 1)
            return self._command(word[at + 1 : end]), end + 1
        if word.startswith("$((", at):
            end = _matching(word, at + 1)
            return self._arithmetic(word[at + 3 : end - 1]), end + 1
        if word.startswith("$(", at):
            end = _matching(word, at + 1)
            return self._command(word[at + 2 : end]), end + 1
        if word.startswith("${", at):
            end = _matching(word, at + 1)
            return self._parameter(word[at + 2 : end]), end + 1
        if word[at + 1 : at + 2] in ("@", "*"):
            return [], at + 2
        match = _NAME.match(word, at + 1)
        if match:
            return self._parameter(match[0]), match.end()
        if word[at + 1 : at + 2].isdigit() or word[at + 1 : at + 2] in ("#", "?"):
            return self._parameter(word[at + 1]), at + 2
        return "$", at + 1

    def _parameter(self, text: str) -> str | list[str]:
        match = _PARAMETER.match(text)
        if match is None:
            return self._missing(text)
        name, index, operator, other, suffix = cast(
            "tuple[str, str | None, str | None, str, str | None]", match.groups()
        )
        if name in ("@", "*"):
            return []
        if index is not None:
            items = self.variables.arrays.get(name, [])
            return list(items) if index in ("[@]", "[*]") else (items[0] if items else "")
        value = self.variables.scalars.get(name)
        if operator in (":-", "-", ":=", "="):
            return value if value else self._text(other)
        if operator in (":+", "+"):
            return self._text(other) if value else ""
        if value is None:
            return self._missing(name)
        return value if suffix is None else self._trimmed(value, suffix)

    def _trimmed(self, value: str, suffix: str) -> str:
        """``${NAME##*/}`` and its like; other patterns leave the value as it is."""
        match = _SUFFIX.match(suffix)
        if match is None:
            return value
        mark, char = match[1] or match[3], match[2] or match[4]
        head, found, tail = (value.rpartition if mark in ("##", "%") else value.partition)(char)
        return (tail if mark.startswith("#") else head) if found else value

    def _text(self, word: str) -> str:
        return expand_text(word, self.variables)

    def _missing(self, name: str) -> str:
        self.variables.unknown[name] = None
        return self.variables.missing(name)

    def _command(self, text: str) -> list[str]:
        self.variables.commands.append(text.strip())
        return [f"$({text.strip()})"]  # stays to be seen, in one word: its output is known only where it runs

    def _arithmetic(self, text: str) -> str:
        try:
            return str(_Sum(text, self.variables.scalars).result())
        except (ValueError, ZeroDivisionError, RecursionError):
            return self._missing(f"(({text.strip()}))")


class _Sum:
    """Shell arithmetic on integers: + - * / % and parentheses."""

    def __init__(self, text: str, names: Mapping[str, str]) -> None:
        self.tokens = _ARITHMETIC.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise ValueError(text)
        self.names, self.at = names, 0

    def result(self) -> int:
        value = self._terms()
        if self.at != len(self.tokens):
            raise ValueError("more than one expression")
        return value

    def _terms(self) -> int:
        value = self._factors()
        while self._peek() in ("+", "-"):
            value = value + self._factors() if self._next() == "+" else value - self._factors()
        return value

    def _factors(self) -> int:
        value = self._atom()
        while self._peek() in ("*", "/", "%"):
            operator, other = self._next(), self._atom()
            if operator == "*":
                value *= other
            else:
                whole = abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
                value = whole if operator == "/" else value - whole * other
            if abs(value) > _LIMIT:
                raise ValueError("too large")
        return value

    def _atom(self) -> int:
        item = self._next()
        if item == "(":
            value = self._terms()
            if self._next() != ")":
                raise ValueError("unbalanced")
            return value
        if item == "-":
            return -self._atom()
        if item.isdigit():
            return int(item[:16])
        return int(self.names.get(item.strip("${}"), "x").strip())

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token


def _find(word: str, char: str, start: int) -> int:
    found = word.find(char, start)
    return found if found >= 0 else len(word)


def _matching(word: str, at: int) -> int:
    """Index of the bracket that closes the one at ``at``."""
    opening = word[at]
    closing, depth = {"(": ")", "{": "}"}[opening], 0
    while at < len(word):
        if word[at] == opening:
            depth += 1
        elif word[at] == closing:
            depth -= 1
            if not depth:
                return at
        elif word[at] == "\\":
            at += 1
        at += 1
    return len(word)
