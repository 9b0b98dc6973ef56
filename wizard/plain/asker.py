"""How a question is put: with questionary's menus, or with bare lines where the terminal can't do more."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from ..form.values import printable
from ..i18n import t

Option = tuple[str, str]  # answer, words


class Leave(Exception):
    """The person wants out (ctrl+c, ctrl+d)."""


class Asker(Protocol):
    """Puts questions."""

    def choose(self, title: str, options: Sequence[Option], now: str = "") -> str:
        """Have one of the options chosen; ``now`` is the one the cursor starts on.

        Raises:
            Leave: nothing was chosen, and nothing is to be asked any more.
        """
        ...

    def line(self, title: str, hint: str = "") -> str:
        """Have a line typed; empty for "as it is".

        Raises:
            Leave: nothing is to be asked any more.
        """
        ...

    def say(self, text: str) -> None:
        """Print something; control characters in it are made visible."""
        ...


def best_asker() -> Asker:
    """What this terminal can do."""
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb", "unknown")
    return LineAsker() if dumb else QuestionaryAsker()


def _say(text: str) -> None:
    """Print lines, made harmless."""
    for line in text.split("\n"):
        print(printable(line))


class LineAsker:
    """Numbers and lines: no cursor movement, no colour, no escape code."""

    def choose(self, title: str, options: Sequence[Option], now: str = "") -> str:
        """Have a number typed."""
        print(printable(title))
        for number, (answer, words) in enumerate(options, 1):
            print(f"  {number:>3}{'*' if answer == now else ' '} {printable(words)}")
        while True:
            typed = self.line(t("wizard.plain_number"))
            if not typed and now:
                return now
            if typed == "<" and any(answer == "<" for answer, _ in options):
                return "<"
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(options):
                return options[int(typed) - 1][0]
            print(t("wizard.plain_which", most=len(options)))

    def line(self, title: str, hint: str = "") -> str:
        """Have a line typed."""
        if hint:
            print(printable(hint))
        try:
            return input(f"{printable(title)}: ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            raise Leave from None

    def say(self, text: str) -> None:
        """Print something."""
        _say(text)


class QuestionaryAsker:
    """Menus with arrow keys, lines with editing."""

    def __init__(self, **session: Any) -> None:
        """Ask on this terminal (``session``: another input and output, for tests)."""
        self._session = session
        if os.environ.get("NO_COLOR"):
            os.environ.setdefault("PROMPT_TOOLKIT_COLOR_DEPTH", "DEPTH_1_BIT")

    def choose(self, title: str, options: Sequence[Option], now: str = "") -> str:
        """Have an entry of a menu chosen."""
        import questionary

        choices = [questionary.Choice(printable(words), answer) for answer, words in options]
        start = next((one for one in choices if one.value == now), None)
        question = questionary.select(
            printable(title), choices, default=start, instruction=" ", qmark="", **self._session
        )
        return self._ask(question)

    def line(self, title: str, hint: str = "") -> str:
        """Have a line typed."""
        import questionary

        if hint:
            print(printable(hint))
        return self._ask(questionary.text(printable(title), qmark="", **self._session)).strip()

    def say(self, text: str) -> None:
        """Print something."""
        _say(text)

    def _ask(self, question: Any) -> str:
        """Put a question."""
        sys.stdout.flush()
        try:
            answer: Any = question.unsafe_ask()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        return str(answer)
