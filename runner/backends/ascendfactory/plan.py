"""AscendFactory (`ascendfactory-cli train F`) from its own file, on NPUs (facts/agentsdk.md 7.2)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...catalogue import Catalogue
from ...catalogue.ascendfactory import OUTPUT
from ...document.model import Document
from ..attempt import METRICS_FILE, resume_decision, run_environment, total_steps
from ..backend import Installed
from ..errors import PlanError
from ..found_tool import installed
from ..overrides import Overrides
from ..plan import Note, Plan, Resume
from ..ray import ray_environment
from ..request import Request
from ..said import said
from .file import with_absolute_paths
from .source import FactorySource

if TYPE_CHECKING:
    from ...facts.tools import Tool
    from ...facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "ascendfactory", "ascendfactory", "verl"
NEEDS = ("npu",)
PROGRAM = "ascendfactory-cli"
FOLDER = "resolved"
_DISTRIBUTIONS = ("ascendfactory", "ascend_factory", "ascendfactory-cli")


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """The command `ascendfactory-cli`."""
    return installed(NAME, tools.get(PROGRAM), PROGRAM, _DISTRIBUTIONS, "train FILE", training)


def asked(document: Document) -> FactorySource:
    """The file, as AscendFactory reads it."""
    return FactorySource(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """What its users should know before the start."""
    source = FactorySource(document)
    notes = [] if source.document.get(OUTPUT) else [Note("info", OUTPUT, said("factory-output"))]
    if source.nodes() > 1:
        notes.append(Note("info", "backend_config.trainer.nnodes", said("factory-nodes", nodes=source.nodes())))
    if not source.verl:
        notes.append(Note("info", "backend_config", said("factory-mindspeed")))
    del request
    return tuple(notes)


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a start of AscendFactory.

    Raises:
        PlanError: ``nodes-not-named``: several machines, and nothing says which is the first or which this one is;
            ``resume-world-size`` and ``checkpoint-incomplete`` as verl.
    """
    del catalogue
    source = FactorySource(document)
    project, experiment = source.names(request.experiment)
    output = source.output(request.workdir, request.base, request.experiment)
    text, notes = with_absolute_paths(document, request.base)
    name = document.path.name if document.path is not None else "config.yaml"
    options = _cluster(source, request)
    if request.experiment or not document.get(OUTPUT):
        options.append(f"--af_output_dir={output}")
    overrides = Overrides(request.verl_version or "")
    overrides.values.update(_tree(document) if source.verl else {})
    directory = source.checkpoint_directory(request.workdir, request.base, request.experiment)
    loggers = source.below("trainer.logger", [])
    file_logger = "file" in (cast("list[Any]", loggers) if isinstance(loggers, list) else [loggers])
    steps = (
        (total_steps(overrides, request.rows) if request.verl_version else None) if source.verl else _iterations(source)
    )
    return Plan(
        backend=NAME,
        backend_version=request.backend_version,
        device=request.device,
        argv=(request.program, "train", os.path.join(request.run_dir, FOLDER, name), *options),  # noqa: PTH118
        env=_environment(request, file_logger),
        cwd=str(request.workdir),
        project=project,
        experiment=experiment,
        unset=("PYTHONDONTWRITEBYTECODE", "PYTHONSTARTUP"),
        files={f"{FOLDER}/{name}": text},
        overrides=dict(overrides.values),
        notes=notes,
        resume=_resume(source, request, directory),
        total_steps=steps,
        metrics_file=METRICS_FILE if file_logger else "",
        checkpoint_dir=str(directory),
    )


def _cluster(source: FactorySource, request: Request) -> list[str]:
    """The options for several machines: the command is given on each of them, with its own rank."""
    nodes = source.nodes()
    if nodes <= 1:
        return []
    own: Any = source.document.get("env")
    known = dict(request.environment)
    if isinstance(own, Mapping):
        known |= {str(k): str(v) for k, v in cast("Mapping[Any, Any]", own).items() if v is not None}
    address = request.ray_address.rpartition(":")[0] or request.ray_address or known.get("MASTER_ADDR", "")
    rank = known.get("NODE_RANK", known.get("VC_TASK_INDEX", ""))
    missing = [name for name, value in (("MASTER_ADDR", address), ("NODE_RANK", rank)) if not value]
    if missing:
        raise PlanError("nodes-not-named", {"nodes": nodes, "missing": ", ".join(missing)}, exit_code=2)
    return [f"--env.MASTER_ADDR={address}", f"--env.NNODES={nodes}", f"--env.NODE_RANK={rank}"]


def _environment(request: Request, file_logger: bool) -> dict[str, str]:
    env = run_environment(request, file_logger)
    if request.devices:
        env["ASCEND_RT_VISIBLE_DEVICES"] = request.devices
    return env | ray_environment(request, 1)  # it makes the cluster of several machines itself


def _tree(document: Document) -> dict[str, Any]:
    from ...native.settings import settings_of_tree

    return settings_of_tree(document).values


def _iterations(source: FactorySource) -> int | None:
    value = source.below("megatron_training.train_iters")
    return value if isinstance(value, int) else None


def _resume(source: FactorySource, request: Request, directory: Path) -> Resume:
    """As ``trainer.resume_mode`` says; MindSpeed-RL goes on where finetune and no_load_* are false."""
    if not source.verl:
        fresh = [
            key for key in ("finetune", "no_load_optim", "no_load_rng") if source.below(f"actor_config.{key}", True)
        ]
        words = said("factory-mindspeed-fresh", keys=", ".join(fresh)) if fresh else said("factory-mindspeed-resume")
        return Resume("fresh" if fresh else "resume", str(directory), 0, words)
    mode = source.below("trainer.resume_mode", "auto")
    if mode == "disable" or request.experiment:
        return Resume("fresh", str(directory), 0, said("factory-disabled" if mode == "disable" else "factory-fresh"))
    if mode == "resume_path":
        path = str(source.below("trainer.resume_from_path", ""))
        step = path.rpartition("global_step_")[2]
        number = int(step) if step.isdecimal() else 0
        return Resume("resume", path, number, said("factory-path", path=path, step=number))
    return resume_decision(request, directory, source.devices() * source.nodes())
