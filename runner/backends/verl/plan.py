"""verl started directly (``python -m verl.trainer.main_ppo``) from a file of any shape, on NPU, GPU or this CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...catalogue import Catalogue
from ...catalogue.versions import version_holds
from ...document.model import Document
from ...native import value_in
from ...native.tree import prefix_of
from ..attempt import METRICS_FILE, resume_decision, run_environment, total_steps
from ..backend import Installed
from ..devices import cluster_stream
from ..errors import PlanError
from ..file_keys import FileKeys
from ..overrides import Overrides
from ..plan import Note, Plan, Text
from ..ray import ray_environment
from ..rehearsal import EXPERIMENT, put_after_cpu, put_rehearsal
from ..request import Request
from ..source import Source, on_megatron, source_of, value_of
from .agent import agent_environment, put_agent
from .cluster import nodes_of, note_cluster
from .cpu import cpu_environment, put_cpu
from .entry import Entry, entry_of
from .npu import npu_environment

if TYPE_CHECKING:
    from ...facts.tools import Tool
    from ...facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "verl", "verl", "verl"
NEEDS = ("npu", "gpu", "cpu")
FILE_LOGGER_SINCE = ">=0.6"


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """Verl in the training interpreter; nothing but that one starts it."""
    del tools
    version = training.versions.get("verl", "")
    start = f"{training.python} -m verl.trainer.main_ppo"
    missing = {language: text.format(python=training.python) for language, text in _MISSING.items()}
    return Installed(NAME, bool(version), version, training.python, start, {} if version else missing)


def asked(document: Document) -> Source:
    """The file, as verl reads it."""
    return source_of(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """Nothing that the notes of the plan do not tell."""
    del document, request
    return ()


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a direct start of verl.

    Raises:
        PlanError: ``wrapper-needs-newer-verl`` when the file names an agent wrapper and this verl can't run it,
            ``resume-world-size`` when the checkpoint was written by another number of ranks.
    """
    source = source_of(document)
    source.refuse()
    keys, prefix = source.keys(), prefix_of(document)
    has_source = bool(request.verl_source)
    entry = entry_of(keys, request.verl_version, device=request.device, has_source=has_source, prefix=prefix)
    overrides = Overrides(request.verl_version, extra=entry.keys)
    source.fill(overrides, request.base)
    overrides.engine = "megatron" if on_megatron(overrides) else "fsdp"
    _put_entry(overrides, entry)
    _put_launch(overrides, document, request, source)
    project, experiment = source.names(request.experiment)
    checkpoint_dir = source.checkpoint_directory(request.workdir, request.base, request.experiment)
    if request.rehearsal is not None:
        # Never where the real run would take up what the tiny model left.
        experiment, checkpoint_dir = EXPERIMENT.format(name=experiment), request.run_dir / "checkpoints"
    overrides.put("trainer.project_name", project)
    overrides.put("trainer.experiment_name", experiment)
    overrides.put("trainer.default_local_dir", str(checkpoint_dir))
    if request.rehearsal is not None:
        own = FileKeys(document)
        put_rehearsal(overrides, own, request.rehearsal, request.rows)
        put_cpu(overrides, request, own)
        put_after_cpu(overrides)
        overrides.engine = "megatron" if on_megatron(overrides) else "fsdp"
    elif request.device == "cpu":
        put_cpu(overrides, request)
    else:
        overrides.put("trainer.device", "npu" if request.device == "npu" else "cuda")
    files = put_agent(overrides, request, source)
    if not source.native:
        _note_live(overrides, document, catalogue)
    npu, reasons = npu_environment(request) if request.device == "npu" else ({}, {})
    file_logger = version_holds(FILE_LOGGER_SINCE, request.verl_version)
    env = {**npu, **_environment(request, file_logger, entry, files)}
    env |= ray_environment(request, nodes_of(overrides) if request.device != "cpu" else 1)
    if request.device != "cpu":
        note_cluster(overrides, request)
    resume = resume_decision(request, checkpoint_dir, _world_size(overrides))
    return Plan(
        backend="verl",
        backend_version=request.verl_version,
        device=request.device,
        argv=(
            request.python,
            "-m",
            entry.module,
            *entry.options(overrides.engine == "megatron"),
            *overrides.argv(),
            f"hydra.run.dir={_hydra_dir(request.run_dir)}",
        ),
        env=env,
        env_reasons=reasons,
        cwd=str(request.workdir),
        project=project,
        experiment=experiment,
        unset=("PYTHONDONTWRITEBYTECODE", "PYTHONSTARTUP", "VIRTUAL_ENV"),
        files=files,
        overrides=dict(overrides.values),
        notes=tuple(overrides.notes),
        resume=resume,
        total_steps=total_steps(overrides, request.rows) if entry.name != "fully-async" else None,
        metrics_file=METRICS_FILE if file_logger else "",
        checkpoint_dir=str(checkpoint_dir),
        device_stream=cluster_stream(request, nodes_of(overrides)),
        rehearsal=request.rehearsal is not None,
    )


def _put_launch(overrides: Overrides, document: Document, request: Request, source: Source) -> None:
    """Loggers and dumps that feed the run directory, beside those that the file asks for."""
    asked: Any = overrides.values.get("trainer.logger") if source.native else None
    if source.native and isinstance(asked, str):
        asked = [asked]
    loggers = ["console", *(cast("list[Any]", asked) if isinstance(asked, list) else [])]
    if version_holds(FILE_LOGGER_SINCE, request.verl_version):
        loggers.append("file")
    if document.get("use_tensorboard") is True:
        loggers.append("tensorboard")
    overrides.put("trainer.logger", list(dict.fromkeys(loggers)))
    if overrides.values.get("trainer.rollout_data_dir") is None:
        overrides.put("trainer.rollout_data_dir", str(request.run_dir / "rollouts"))
    if overrides.values.get("trainer.validation_data_dir") is None:
        overrides.put("trainer.validation_data_dir", str(request.run_dir / "rollouts" / "validation"))


def _put_entry(overrides: Overrides, entry: Entry) -> None:
    """What a trainer beside the ordinary one needs, where the file says nothing."""
    for key, value in entry.settings:
        if key not in overrides.values and overrides.put(key, value):
            overrides.note("constant", key, {k: t.format(trainer=entry.name) for k, t in _SEPARATE.items()})


def _environment(request: Request, file_logger: bool, entry: Entry, files: dict[str, str]) -> dict[str, str]:
    env = {"TOKENIZERS_PARALLELISM": "true", **run_environment(request, file_logger)}
    if request.device == "cpu":
        env.update(cpu_environment(request))
    elif entry.source:
        env["PYTHONPATH"] = os.pathsep.join(
            p for p in (request.verl_source, request.environment.get("PYTHONPATH", "")) if p
        )
    if request.device != "cpu" and request.devices:
        env["ASCEND_RT_VISIBLE_DEVICES" if request.device == "npu" else "CUDA_VISIBLE_DEVICES"] = request.devices
    agent_environment(request, files, env)
    return env


def _world_size(overrides: Overrides) -> int:
    nodes: Any = value_of(overrides, "trainer.nnodes") or 1
    each: Any = value_of(overrides, "trainer.n_gpus_per_node") or 1
    return int(nodes) * int(each)


def _note_live(overrides: Overrides, document: Document, catalogue: Catalogue) -> None:
    """List the keys of the file that agentic_rl would ignore and verl obeys."""
    for parameter in catalogue.parameters.values():
        reasons = parameter.without_effect
        if "agentsdk/verl" in reasons and "verl" not in reasons and value_in(document.values, parameter)[0]:
            reason = reasons["agentsdk/verl"]
            text = {"en": f"{_LIVE['en']} ({reason['en']})", "zh": f"{_LIVE['zh']}（{reason['zh']}）"}
            overrides.notes.append(Note("differs", parameter.key, text))


def _hydra_dir(run_dir: Path) -> str:
    from ...native.hydra_text import hydra_string

    return hydra_string(str(run_dir / "hydra"))


_MISSING: Text = {"en": "verl is not installed for {python}", "zh": "{python} 未安装 verl"}
_SEPARATE: Text = {
    "en": "the {trainer} trainer keeps training and rollout on devices of their own",
    "zh": "{trainer} 训练入口让训练与推理各用各的设备",
}
_LIVE: Text = {
    "en": "obeyed by verl started directly, ignored by agentic_rl",
    "zh": "直接启动 verl 时生效，由 agentic_rl 启动时不生效",
}

__all__ = ["PlanError", "asked", "hints", "make_plan", "probe"]
