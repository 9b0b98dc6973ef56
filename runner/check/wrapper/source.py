"""The file itself: whether it can be read and loaded, and what its first level shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...catalogue.nearest import closest
from .setting import GENERATE, Mistake, Setting, mistake

if TYPE_CHECKING:
    from ...facts.wrapper import Member

_UNREAD = frozenset(("too-large", "too-deep"))


def judge_reading(setting: Setting) -> Iterator[Mistake]:
    """What kept the file from being read; a path that leads nowhere is told where paths are."""
    facts = setting.facts
    if facts.problem in _UNREAD:
        yield mistake(setting, "hint", "wrapper-not-read", 0, reason=facts.problem)
    elif facts.problem in ("encoding", "unreadable", "not-a-file"):
        yield mistake(setting, "error", "wrapper-unreadable", facts.line, error=facts.detail, reason=facts.problem)
    yield from _syntax(setting)
    name = PurePath(facts.path)
    if name.suffix != ".py":
        yield mistake(setting, "error", "wrapper-not-python", 0)
    elif not name.stem.isidentifier():
        yield mistake(setting, "error", "wrapper-file-name", 0, stem=name.stem)


def _syntax(setting: Setting) -> Iterator[Mistake]:
    """By the parser of the training interpreter where it was asked: it may know more, or less, than ours."""
    facts, training = setting.facts, setting.training
    asked = training is not None and not training.problem and bool(training.sources)
    if training is not None and asked:
        found = next((one for one in training.sources.values() if one is not None), None)
        if found is not None:
            python = ".".join(training.version.split(".")[:2])
            yield mistake(setting, "error", "wrapper-syntax", found[0], error=found[1], python=python)
        elif facts.problem == "syntax":
            yield mistake(setting, "hint", "wrapper-not-read", facts.line, reason="syntax")
    elif facts.problem == "syntax":
        yield mistake(setting, "error", "wrapper-syntax", facts.line, error=facts.detail, python=facts.python)


def judge_classes(setting: Setting) -> Iterator[Mistake]:
    """Exactly one subclass of AgentSDK's base; every name counts, imported ones and aliases too."""
    facts = setting.facts
    ours = [member for member in facts.members if member.cls.package == "agentic_rl"]
    foreign = [member for member in facts.members if member.cls.package == "aura"]
    if foreign and not ours:
        yield mistake(setting, "error", "wrapper-of-aura", foreign[0].line, name=foreign[0].name)
    elif not ours:
        level = "hint" if facts.doubt else "error"
        names = [name for name, _ in facts.classes]
        line = facts.classes[0][1] if facts.classes else 0
        yield mistake(setting, level, "wrapper-no-subclass", line, classes=names, doubt=facts.doubt)
    elif len(ours) > 1:
        certain = [member for member in ours if member.sure]
        names = [f"{m.name} ({m.origin or setting.place(m.line)})" for m in ours]
        level = "error" if len(certain) > 1 else "hint"
        same = len({(m.cls.name, m.cls.line, m.origin) for m in ours}) == 1
        reason = "imported" if any(m.origin for m in ours) else "alias" if same else ""
        yield mistake(setting, level, "wrapper-many-subclasses", ours[1].line, names=names, reason=reason)


def judge_presence(setting: Setting) -> Iterator[Mistake]:
    """Both abstract methods are there."""
    for member in only(setting):
        cls = member.cls
        for name in ("initialize", GENERATE):
            method = cls.methods.get(name)
            if method is not None and not method.abstract:
                continue
            if cls.open and method is None:
                continue
            newer = name == GENERATE and "generate_trajectory" in cls.methods
            if newer:
                yield mistake(setting, "error", "wrapper-of-newer-generation", cls.methods["generate_trajectory"].line)
                continue
            near = [] if method else closest(name, [n for n in cls.methods if not n.startswith("__")], limit=1)
            params: dict[str, Any] = {"nearest": near[0]} if near else {}
            yield mistake(setting, "error", "wrapper-method-missing", cls.line, name=cls.name, method=name, **params)


def only(setting: Setting) -> Iterator[Member]:
    """The one wrapper class; nothing where there are several, or none."""
    ours = [member for member in setting.facts.members if member.cls.package == "agentic_rl"]
    if len(ours) == 1:
        yield ours[0]
