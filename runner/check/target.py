"""Which software a file is meant for: what its first lines say, else what its shape tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from ..catalogue import Problem
from ..catalogue.nearest import closest
from ..document import Document
from .generation import HYDRA_KEYS

TARGETS = ("agentsdk", "ascendfactory", "verl", "local", "mindspeed-rl")

Shape = Literal["agentsdk", "ascendfactory", "verl", "mindspeed-rl", "hydra"]

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*agentic-rl:(.*)")
_TARGET = re.compile(r"\btarget\s*=\s*([\w.-]*)")
_DIRECTIVE_LINES = 5

_VERL = frozenset(
    (
        *("actor_rollout_ref", "algorithm", "critic", "data", "reward", "reward_model", "trainer"),
        *("custom_reward_function", "ray_kwargs", "ray_init", "global_profiler", "distillation"),
    )
)
_MINDSPEED_RL = frozenset(
    (
        *("megatron_training", "actor_config", "ref_config", "reward_config", "critic_config"),
        *("rl_config", "generate_config"),
    )
)


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


def shape_of(values: Mapping[str, Any]) -> Shape:
    """What kind of file it is, by its first-level keys."""
    keys = {str(key).lstrip("+~").partition(".")[0] for key in values}
    if keys & HYDRA_KEYS:
        return "hydra"
    if "backend_config" in keys:
        return "ascendfactory"
    if keys & _VERL and "train_backend" not in keys:
        return "verl"
    if keys & _MINDSPEED_RL and "train_backend" not in keys:
        return "mindspeed-rl"
    return "agentsdk"


def native_backend(values: Mapping[str, Any]) -> str:
    """``verl`` or ``mindspeed-rl`` for a file with keys of that software, "" for others.

    AscendFactory starts several back ends; which one is told by the sections below ``backend_config``.
    """
    shape = shape_of(values)
    if shape != "ascendfactory":
        return shape if shape in ("verl", "mindspeed-rl") else ""
    tree = values.get("backend_config")
    names = list(map(str, cast("Mapping[Any, Any]", tree))) if isinstance(tree, Mapping) else []
    names += [str(key).partition(".")[2] for key in values if str(key).startswith("backend_config.")]
    sections = {name.lstrip("+~").partition(".")[0] for name in names}
    if sections & _MINDSPEED_RL:
        return "mindspeed-rl"
    return "verl" if sections & (_VERL | {"rollout"}) else ""


def hydra_keys(values: Mapping[str, Any]) -> list[str]:
    """The keys that betray a file of the newer generations."""
    return [key for key in values if key in HYDRA_KEYS]
