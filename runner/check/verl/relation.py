"""One relation of verl: its code, the native keys it reads, when it holds, and who judges it over a `View`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...catalogue import Level, Problem
from ...catalogue.versions import version_holds
from ..view import Launcher, View

STARTED: tuple[Launcher, ...] = ("agentsdk", "ascendfactory", "verl")  # the plan for this CPU overrides devices
EVERYWHERE: tuple[Launcher, ...] = (*STARTED, "local")
NATIVE: tuple[Launcher, ...] = ("ascendfactory", "verl")


@dataclass(frozen=True, slots=True)
class Finding:
    """A violated relation.

    Attributes:
        params: of the text (``first``, ``second``, ... are the relation's keys as the file has them).
        edits: (native key, value) that would satisfy it.
        level: when it is not the relation's own.
        keys: when they are not the relation's own; the one to change first.
    """

    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    edits: tuple[tuple[str, Any], ...] = ()
    level: Level | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """One formula.

    Attributes:
        code: its problem code.
        keys: native keys it reads, the one to change first.
        judge: tells what is wrong, or None; it decides with values in force, defaults included.
        level: of the problem.
        versions: versions of verl it holds for; "" is every one.
        launchers: what must start the file.
        given: ``any`` of the keys must stand in the file (a file that says nothing of the matter can't be wrong), the
            ``first`` must, or ``none`` need to (what the world tells of model or machine may contradict a default).
        named: how many keys its text names; the others are mentioned only where the file sets them.
    """

    code: str
    keys: tuple[str, ...]
    judge: Callable[[View], Finding | None]
    level: Level = "error"
    versions: str = ""
    launchers: tuple[Launcher, ...] = STARTED
    given: Literal["any", "first", "none"] = "any"
    named: int = 4

    def applies(self, view: View) -> bool:
        """Whether it is to be judged at all."""
        if view.launcher not in self.launchers or not version_holds(self.versions, view.version):
            return False
        if self.given == "none":
            return True
        keys = self.keys[:1] if self.given == "first" else self.keys
        return any(view.given(key) for key in keys)

    def judged(self, view: View) -> Iterator[Problem]:
        """The problem, if the relation applies and is violated; nothing while a value is an error in itself."""
        if not self.applies(view) or (view.broken and any(key in view.broken for key in self.keys)):
            return
        found = self.judge(view)
        if found is not None:
            named = self.keys[: self.named]
            keys = found.keys or (*named, *(key for key in self.keys[self.named :] if view.given(key)))
            yield view.problem(found.level or self.level, self.code, keys, found.params, found.edits)
