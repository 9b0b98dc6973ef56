"""A shell script cut into simple commands of raw words: quotes, expansions and arrays stay as they are written.

Only what launch scripts use is told apart; nothing is ever executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_CLOSING = {"(": ")", "{": "}"}


@dataclass(slots=True)
class Command:
    """One simple command; ``line`` counts from 1."""

    line: int
    words: list[str] = field(default_factory=list[str])


def commands(text: str) -> Iterator[Command]:
    """The simple commands of a script in order, without comments, redirections and here-documents."""
    cutter = _Cutter(text.replace("\r\n", "\n"))
    while cutter.at < len(cutter.text):
        command = cutter.command()
        if command.words:
            yield command


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text: str = text
        self.at: int = 0
        self.heredoc: str = ""

    def command(self) -> Command:
        """Cut up to the next separator."""
        found = Command(self.text.count("\n", 0, self.at) + 1)
        word, drop = "", False
        while self.at < len(self.text):
            char = self.text[self.at]
            if self.text.startswith("\\\n", self.at):
                self.at += 2
            elif char in " \t":
                word, drop = self._end(found, word, drop)
                self.at += 1
            elif char == "#" and not word:
                self.at = self._index("\n")
            elif char == "\n" or (char in ";&|" and not (char == "&" and drop and not word)):
                break
            elif match := _HEREDOC.match(self.text, self.at):
                self.heredoc, self.at = match[2], match.end()
            elif char in "<>":
                word, drop = ("" if word.isdigit() else word), True
                self.at += 1
            else:
                if not word and not found.words:
                    found.line = self.text.count("\n", 0, self.at) + 1
                word += self.piece(word)
        self._end(found, word, drop)
        self._separator()
        return found

    def piece(self, word: str) -> str:
        """The next character, or the whole quotation, expansion or array that starts here."""
        text, start = self.text, self.at
        char = text[start]
        if char == "\\":
            self.at = start + 2
        elif char in "'\"`":
            self._quotation(char)
        elif char == "$" and text[start + 1 : start + 2] in ("(", "{"):
            self.at = start + 1
            self._balanced(text[start + 1])
        elif char == "(" and word.endswith("="):
            self._balanced("(")
        else:
            self.at = start + 1
        return text[start : self.at]

    def _end(self, found: Command, word: str, drop: bool) -> tuple[str, bool]:
        if word and not drop:
            found.words.append(word)
        return "", drop and not word  # the target of a redirection is one word

    def _separator(self) -> None:
        newline = self.text[self.at : self.at + 1] == "\n"
        while self.at < len(self.text) and self.text[self.at] in ";&|":
            self.at += 1
        if newline:
            self.at += 1
            if self.heredoc:
                end = re.compile(rf"^\t*{re.escape(self.heredoc)}$", re.MULTILINE).search(self.text, self.at)
                self.at, self.heredoc = (end.end() if end else len(self.text)), ""

    def _quotation(self, quote: str) -> None:
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != quote:
            if quote != "'" and self.text[self.at] == "\\":
                self.at += 1
            elif quote == '"' and self.text[self.at : self.at + 2] in ("$(", "${"):
                self.at += 1
                self._balanced(self.text[self.at])
                continue
            self.at += 1
        self.at += 1

    def _balanced(self, opening: str) -> None:
        closing, depth = _CLOSING[opening], 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in "'\"`":
                self._quotation(char)
                continue
            if char == "\\":
                self.at += 1
            elif char == "#" and self.text[self.at - 1] in " \t\n" and opening == "(":
                self.at = self._index("\n")
                continue
            elif char == opening:
                depth += 1
            elif char == closing:
                depth -= 1
                if not depth:
                    self.at += 1
                    return
            self.at += 1

    def _index(self, char: str) -> int:
        found = self.text.find(char, self.at)
        return found if found >= 0 else len(self.text)
