"""A relation between values: who judges it, which keys it mentions, and when it applies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue import Edit, Level, Problem
from ..catalogue.versions import version_holds
from .case import Case

Finding = Mapping[str, Any]  # params of the problem; ``edit`` (key, value) is what would satisfy the relation
Judge = Callable[..., "Finding | None"]


@dataclass(frozen=True, slots=True)
class Relation:
    """One formula.

    Attributes:
        code: problem code.
        keys: the parameters it reads, the one to change first; each must be a positive integer to be judged.
        holds: takes their values in that order; returns what is wrong, or None.
        backend: back end it belongs to.
        targets: what must start it.
        versions: versions of verl it holds for; "" is every one.
        level: of the problem.
        only_if_set: not judged while none of the keys stands in the file (a default can't be a mistake).
        first_set: judged only when the first key stands in the file.
    """

    code: str
    keys: tuple[str, ...]
    holds: Judge
    backend: str = "verl"
    targets: tuple[str, ...] = ("agentsdk", "verl")
    versions: str = ""
    level: Level = "error"
    only_if_set: bool = True
    first_set: bool = False

    def judge(self, case: Case) -> Iterator[Problem]:
        """The problem, if the relation applies and is violated."""
        if case.backend != self.backend or case.target not in self.targets or case.generation == "A":
            return
        if self.backend == "verl" and not version_holds(self.versions, case.verl_version):
            return
        values = [case.number(key) for key in self.keys]
        if any(value is None for value in values):
            return
        if self.only_if_set and not any(key in case.found for key in self.keys):
            return
        if self.first_set and self.keys[0] not in case.found:
            return
        finding = self.holds(*values)
        if finding is None:
            return
        # It is reported where something can be changed: at the first of its keys that stands in the file.
        at = next((key for key in self.keys if key in case.found), self.keys[0])
        params = dict(finding)
        edit: tuple[str, Any] | None = params.pop("edit", None)
        edits: tuple[Edit, ...] = ()
        if edit is not None and edit[0] in case.found:
            edits = (Edit("set", case.file_key(edit[0]), edit[1]),)
        related = tuple(case.file_key(key) for key in self.keys if key != at)
        for name, key in zip(("first", "second", "third", "fourth"), self.keys, strict=False):
            params.setdefault(name, case.file_key(key))
        yield case.problem(self.level, self.code, case.file_key(at), params, edits, related)


def judge_all(case: Case, relations: Iterable[Relation]) -> Iterator[Problem]:
    """Every violated relation."""
    for relation in relations:
        yield from relation.judge(case)
