"""The back ends by name, and the plan of any of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, cast

from ..catalogue import Catalogue
from ..document.model import Document
from .backend import Backend, Installed
from .environment import reasons_for
from .plan import Plan, Text
from .request import Request

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts

# Name, as --backend takes it -> module of this package. Loaded when asked for: a run needs one of them.
MODULES: Mapping[str, str] = {
    "agentsdk": "agentsdk",
    "ascendfactory": "ascendfactory",
    "verl": "verl",
    "mindspeed-rl": "mindspeed",
}
AUTO = "auto"


def backend(name: str) -> Backend:
    """A back end by its name.

    Raises:
        KeyError: there is none of that name.
    """
    return cast("Backend", import_module(f".{MODULES[name]}", __package__))


def probe_all(training: TrainingFacts, tools: Mapping[str, Tool]) -> dict[str, Installed]:
    """Which back ends are there, by name."""
    return {name: backend(name).probe(training, tools) for name in MODULES}


def plan_with(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """The plan of the request's back end, with what its users should know and the reason of each variable.

    Raises:
        PlanError: it can't be started as asked.
    """
    module = backend(request.backend)
    plan = module.make_plan(document, catalogue, request)
    notes = (*request.notes, *module.hints(document, request), *plan.notes)
    known = {**reasons_for(plan.env, plan.backend), **plan.env_reasons}
    for name, (value, script) in request.script_environment.items():
        if name not in plan.env:
            plan = replace(plan, env={**plan.env, name: value})
            known[name] = {language: text.format(script=script) for language, text in _SOURCED.items()}
    return replace(plan, notes=notes, env_reasons=known)


_SOURCED: Text = {"en": "set by {script}", "zh": "由 {script} 设置"}
