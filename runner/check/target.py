"""Which software a file is meant for: what its first lines say, else what its shape tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue import Problem
from ..catalogue.nearest import closest
from ..document import Document
from ..native.shape import HYDRA_KEYS, native_backend, shape_of

TARGETS = ("agentsdk", "ascendfactory", "verl", "local", "mindspeed-rl")

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*agentic-rl:(.*)")
_TARGET = re.compile(r"\btarget\s*=\s*([\w.-]*)")
_DIRECTIVE_LINES = 5


@dataclass(frozen=True, slots=True)
class Directive:
    """The line ``# agentic-rl: target=NAME`` and where its name stands (from 1)."""

    name: str
    line: int
    column: int


def directive_of(document: Document) -> Directive | None:
    """The directive in the first five lines; None when there is none."""
    lines = re.split(r"\r\n|\r|\n", document.text.removeprefix("\ufeff")[:4096])[:_DIRECTIVE_LINES]
    for number, line in enumerate(lines, 1):
        match = _DIRECTIVE.match(line)
        target = _TARGET.search(match[1]) if match else None
        if match and target:
            return Directive(target[1], number, match.start(1) + target.start(1) + 1)
    return None


def target_of(document: Document) -> str:
    """One of `TARGETS`: what the directive says, else what reads a file of this shape, else ``agentsdk``.

    An unknown name counts as none; the check says so (``target-unknown``).
    """
    directive = directive_of(document)
    if directive is not None and directive.name in TARGETS:
        return directive.name
    shape = shape_of(document.values)
    return shape if shape in TARGETS else "agentsdk"


def check_directive(document: Document) -> list[Problem]:
    """An unknown target in the first lines."""
    directive = directive_of(document)
    if directive is None or directive.name in TARGETS:
        return []
    params: dict[str, Any] = {"target": directive.name, "known": list(TARGETS)}
    near = closest(directive.name, TARGETS, limit=1)
    if near:
        params["nearest"] = near[0]
    return [Problem("error", "target-unknown", "", directive.line, directive.column, params)]


def hydra_keys(values: Mapping[str, Any]) -> list[str]:
    """The keys that betray a file of the newer generations."""
    return [key for key in values if key in HYDRA_KEYS]


__all__ = [
    "TARGETS",
    "Directive",
    "check_directive",
    "directive_of",
    "hydra_keys",
    "native_backend",
    "shape_of",
    "target_of",
]
