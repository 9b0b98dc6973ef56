"""AgentSDK (`agentic_rl --config-path F`) from a file of AgentSDK, on NPUs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...catalogue import Catalogue, load_catalogue
from ...catalogue.versions import version_holds
from ...document.model import Document
from ...native import AGENTSDK_VERL, value_in
from ...native.generation import generation_named
from ..attempt import resume_decision, total_steps
from ..backend import Installed
from ..devices import cluster_stream
from ..errors import PlanError
from ..found_tool import installed
from ..overrides import Overrides, put_constants, put_parameters
from ..plan import Note, Plan, Resume, Text
from ..request import Request
from ..said import said
from .file import check_path, generation_for, resolve
from .hints import hints_of
from .source import AgentSdkSource, trains_with

if TYPE_CHECKING:
    from ...facts.tools import Tool
    from ...facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "agentsdk", "agentsdk", "verl"
NEEDS = ("npu",)
PROGRAM = "agentic_rl"
FOLDER = "resolved"
_DISTRIBUTIONS = ("agentic_rl", "agentic-rl")
_PLAIN_NAME = re.compile(r"[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*\Z")


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """The command `agentic_rl`; its version is that of the package beside it."""
    found = installed(NAME, tools.get(PROGRAM), PROGRAM, _DISTRIBUTIONS, "--config-path FILE", training)
    if found.present and generation_named(found.version) in ("D", "E"):
        return replace(found, present=False, why_not=said("agentsdk-aura", version=found.version))
    return found


def asked(document: Document) -> AgentSdkSource:
    """The file, as agentic_rl reads it."""
    return AgentSdkSource(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """What agentic_rl does that a file does not show."""
    return hints_of(document, request)


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a start of agentic_rl.

    Raises:
        PlanError: ``option-lost``: agentic_rl drops the variable that an option sets; ``agentsdk-other-start``,
            ``agentsdk-backend``, ``agentsdk-path``, ``agentsdk-size`` (file.py); ``resume-world-size`` and
            ``checkpoint-incomplete`` as verl.
    """
    _refuse_options(request)
    source = AgentSdkSource(document)
    verl = trains_with(document) == "verl"
    project, experiment = source.names(request.experiment)
    changes = {"verl.experiment_name": experiment} if verl and request.experiment else {}
    resolved = resolve(document, catalogue, generation_for(document, request.backend_version), request.base, changes)
    name = document.path.name if document.path is not None and _PLAIN_NAME.match(document.path.name) else "config.yaml"
    # Its file check follows no link on the way, so that the run directory's own path is written without them.
    config = os.path.join(os.path.realpath(request.run_dir), FOLDER, name)  # noqa: PTH118
    check_path(config)
    directory = source.checkpoint_directory(request.workdir, request.base, request.experiment)
    overrides = _overrides(document, catalogue, request) if verl else None
    steps = total_steps(overrides, request.rows) if overrides else _iterations(document)
    resume = (
        _resume(request, directory, source.devices() * source.nodes(), steps)
        if verl
        else Resume("fresh", str(directory), 0, said("agentsdk-mindspeed-fresh"))
    )
    return Plan(
        backend=NAME,
        backend_version=request.backend_version,
        device=request.device,
        argv=(request.program, "--config-path", config),
        # The interpreter looks at it before agentic_rl drops it.
        env={"PYTHONUNBUFFERED": "1"},
        cwd=str(request.workdir),
        project=project,
        experiment=experiment,
        files={f"{FOLDER}/{name}": resolved.text},
        overrides=dict(overrides.values) if overrides else {},
        notes=(*resolved.notes, *_dead(document, catalogue)),
        resume=resume,
        total_steps=steps,
        checkpoint_dir=str(directory),
        device_stream=cluster_stream(request, source.nodes()),
        plain_paths=True,
    )


def _refuse_options(request: Request) -> None:
    for option, variable, given in (
        ("--devices", "ASCEND_RT_VISIBLE_DEVICES", request.devices),
        ("--ray-address", "RAY_ADDRESS", request.ray_address),
    ):
        if given:
            raise PlanError("option-lost", {"option": option, "variable": variable}, exit_code=2)


def _overrides(document: Document, catalogue: Catalogue, request: Request) -> Overrides:
    """What agentic_rl makes of the file for verl: nothing of it is on the command line, it is for display and diff."""
    overrides = Overrides(request.verl_version or AGENTSDK_VERL)
    put_constants(overrides)
    put_parameters(overrides, document, catalogue, request.base)
    overrides.notes.clear()
    return overrides


def _iterations(document: Document) -> int | None:
    catalogue = load_catalogue()
    parameter = catalogue.parameters["mindspeed_rl.train_iters"]
    found: Any = document.values.get("train_iters")
    value: Any = found if found is not None else value_in(document.values, parameter)[1]
    return value if isinstance(value, int) else None


def _dead(document: Document, catalogue: Catalogue) -> tuple[Note, ...]:
    """The keys of the file that validate and then do nothing."""
    backend = trains_with(document)
    return tuple(
        Note("ignored", parameter.key, _because(said("agentsdk-dead"), reason))
        for parameter in catalogue.parameters.values()
        if parameter.section in ("", backend) and value_in(document.values, parameter)[0]
        if (reason := parameter.ignored_by("agentsdk", backend)) is not None
    )


def _because(words: Text, reason: Text) -> Text:
    return {"en": f"{words['en']}: {reason['en']}", "zh": f"{words['zh']}：{reason['zh']}"}


def _resume(request: Request, directory: Path, world_size: int, steps: int | None) -> Resume:
    """As ``resume_mode: auto``, which agentic_rl always sets; a finished experiment trains a step more."""
    decision = resume_decision(request, directory, world_size)
    if decision.mode == "resume" and steps is not None and decision.step >= steps:
        more = (
            "agentsdk-one-more"
            if version_holds("<0.9", request.verl_version or AGENTSDK_VERL)
            else "agentsdk-none-more"
        )
        return Resume("resume", decision.directory, decision.step, said(more))
    return decision
