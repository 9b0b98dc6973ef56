"""The problems of a text: the last full check, amended at once for the field that is being typed in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runner.catalogue.problem import Problem

ORDER = {"error": 0, "warning": 1, "hint": 2}


class Findings:
    """Problems by key, in the order of the file."""

    def __init__(self) -> None:
        """Start without a problem."""
        self.all: tuple[Problem, ...] = ()
        self._by_key: dict[str, list[Problem]] = {}

    def replace(self, problems: Iterable[Problem]) -> None:
        """Take the result of a full check."""
        self.all = tuple(problems)
        self._by_key = {}
        for problem in self.all:
            self._by_key.setdefault(problem.key, []).append(problem)

    def amend(self, key: str, problems: Iterable[Problem]) -> None:
        """Take the result of checking one key; what an earlier check said about it, or with it, is void."""
        kept = [one for one in self.all if one.key != key and key not in one.related]
        new = [one for one in problems if one not in kept]
        self.replace([*kept, *new])

    def of(self, key: str) -> list[Problem]:
        """Problems of one key, the gravest first."""
        return sorted(self._by_key.get(key, ()), key=lambda one: ORDER[one.level])

    def count(self, level: str, keys: Iterable[str] | None = None) -> int:
        """Number of problems of a level, of some keys or of the whole text."""
        if keys is None:
            return sum(one.level == level for one in self.all)
        return sum(one.level == level for key in keys for one in self._by_key.get(key, ()))
