"""A relation of MindSpeed-RL: its code, the versions that judge it, and what is wrong with a view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...catalogue import Level, Problem
from ...catalogue.versions import version_holds
from .seen import Seen


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong.

    Attributes:
        keys: native keys involved, the one to change first.
        params: of the problem's text.
        edits: (native key, value) that would satisfy the relation.
        level: where it differs from the relation's.
    """

    keys: tuple[str, ...]
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    edits: tuple[tuple[str, Any], ...] = ()
    level: Level | None = None


Judge = Callable[[Seen], Iterable[Violation]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One formula.

    Attributes:
        code: problem code; its entry in templates/problems names judge, source and formula.
        judge: the violations of a view; values that are not known violate nothing.
        versions: versions of MindSpeed-RL it holds for; "" is every one.
        level: of the problem.
        launchers: what must start the file; empty is anything.
        number: the row of the facts it comes from (M1 to M24), "" for the others.
    """

    code: str
    judge: Judge
    versions: str = ""
    level: Level = "error"
    launchers: tuple[str, ...] = ()
    number: str = ""

    def problems(self, seen: Seen) -> Iterator[Problem]:
        """The violations as problems; one whose keys the file leaves all at their defaults is nobody's mistake."""
        view = seen.view
        if (self.launchers and view.launcher not in self.launchers) or not version_holds(self.versions, view.version):
            return
        for violation in self.judge(seen):
            if any(view.given(key) for key in violation.keys):
                level = violation.level or self.level
                yield view.problem(level, self.code, violation.keys, violation.params, violation.edits)
