"""The plan: the YAML set in ``resolved/``, the entry script by algorithm, started from the repository's root."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...catalogue.versions import version_key
from ...document.model import Document
from ...native.hydra_text import hydra_string
from ...native.mindspeed_agentsdk import DEVICES
from ...native.shape import native_backend
from ..devices import cluster_stream
from ..errors import PlanError
from ..plan import Plan, Text
from ..ports import hccl_port
from ..ray import cluster_note
from ..request import Request
from ..said import said
from .agentsdk import fill_agentsdk
from .asked import MindSpeedFile
from .env import RUNTIME_ENV, driver_variables, runtime_env_text, runtime_variables
from .facts import MindSpeedFacts, version_of_tree
from .natives import Natives
from .own import composed_from, fill_own
from .resume import fresh_directory, put_resume
from .tables import table

CONFIG = "agentic_rl_run"  # a name that no file of the repository has: its own folder is searched first
FOLDER = "resolved"


def make_plan(document: Document, request: Request, facts: MindSpeedFacts) -> Plan:
    """Plan a direct start of MindSpeed-RL.

    Raises:
        PlanError: ``mindspeed-missing``, ``mindspeed-wrapper``, ``mindspeed-model-unknown``, ``mindspeed-data-packed``,
            ``mindspeed-stage``, ``mindspeed-nodes``, ``mindspeed-devices``, ``mindspeed-checkpoint-incomplete``,
            ``mindspeed-resume-ranks``.
    """
    tree = facts.tree
    if tree is None:
        raise PlanError("mindspeed-missing", {})
    natives = Natives(version_of_tree(tree), tree.keys)
    own = native_backend(document.values) == "mindspeed-rl"
    MindSpeedFile(document).refuse()
    if own:
        models = fill_own(natives, document, Path(tree.root), tree.models)
    else:
        models = fill_agentsdk(natives, document, request.base)
    stage = str(natives.training("stage") or "ray_grpo")
    entry = _entry(natives, stage, tree.scripts)
    if facts.data == "json" and not natives.values.get("rl_config.is_multimodal"):
        path = str(natives.training("data_path"))
        raise PlanError("mindspeed-data-packed", {"path": path, "root": tree.root}, 2, _file_key(document, own))
    if request.experiment:
        fresh_directory(natives, request.experiment)
    resume = put_resume(natives, facts, stage)
    nodes = nodes_of(document, natives, facts)
    files = {f"{FOLDER}/model/{name}.yaml": _model_text(name, values) for name, values in models.items()}
    if not entry.get("torchrun"):
        files[RUNTIME_ENV] = runtime_env_text(runtime_variables(natives, request, facts, nodes))
        natives.put("rl_config.runtime_env_path", str(request.run_dir / RUNTIME_ENV))
    for name, folder in tree.libraries.items():
        if not folder:
            natives.note("info", f"PYTHONPATH: {name}", _LIBRARY)
    if nodes > 1:
        natives.note("info", "nodes", cluster_note(nodes, request))
        natives.note("info", "nodes", said("cluster-mindspeed"))
    files[f"{FOLDER}/{CONFIG}.yaml"] = natives.text((_HEADER,))
    steps = natives.training("train_iters")
    project, experiment = MindSpeedFile(document).names(request.experiment)
    save = natives.training("save")
    env = driver_variables(request, facts, nodes)
    return Plan(
        backend="mindspeed-rl",
        backend_version=natives.version,
        device=request.device,
        argv=(*_command(request, facts, entry, nodes), *_hydra(document, request, own)),
        env=env,
        cwd=tree.root,
        project=project,
        experiment=experiment,
        unset=("PYTHONDONTWRITEBYTECODE", "PYTHONSTARTUP", "VIRTUAL_ENV"),
        files=files,
        overrides=dict(natives.values),
        notes=tuple(natives.notes),
        resume=resume,
        total_steps=steps if isinstance(steps, int) else None,
        checkpoint_dir=save if isinstance(save, str) else "",
        device_stream=cluster_stream(request, nodes),
    )


def nodes_of(document: Document, natives: Natives, facts: MindSpeedFacts) -> int:
    """Machines the devices are spread over; 1 where that is not known."""
    given = document.get("num_node")
    if isinstance(given, int) and not isinstance(given, bool) and given > 1:
        return given
    wanted = natives.values.get(DEVICES)
    if isinstance(wanted, int) and facts.npus and wanted > facts.npus:
        return -(-wanted // facts.npus)
    return 1


def _entry(natives: Natives, stage: str, scripts: tuple[str, ...]) -> Mapping[str, Any]:
    known = cast("Mapping[str, Mapping[str, Any]]", table("mindspeed_launch")["stages"])
    entry = known.get(stage)
    if entry is None:
        raise PlanError("mindspeed-stage", {"stage": stage, "known": ", ".join(known)}, 2, natives.place("stage"))
    there = entry["script"] in scripts
    if not there or version_key(str(entry["since"])) > version_key(natives.version):
        params = {"script": entry["script"], "since": entry["since"], "version": natives.version}
        raise PlanError("mindspeed-script-missing", params, key=natives.place("stage"))
    return entry


def _command(request: Request, facts: MindSpeedFacts, entry: Mapping[str, Any], nodes: int) -> list[str]:
    script = str(entry["script"])
    if not entry.get("torchrun"):
        return [request.python, script]
    if nodes > 1:
        raise PlanError("mindspeed-nodes", {"script": script}, 2)
    ranks = len([d for d in request.devices.split(",") if d]) if request.devices else facts.npus
    if not ranks:
        raise PlanError("mindspeed-devices", {"script": script})
    launcher = [request.python, "-m", "torch.distributed.run", "--nproc_per_node", str(ranks), "--nnodes", "1"]
    return [*launcher, "--master_port", str(hccl_port(request.run_dir) + 15), script]


def _hydra(document: Document, request: Request, own: bool) -> list[str]:
    """Where Hydra finds the configuration: ours, and the folder of a file that names others."""
    found = ["--config-dir", str(request.run_dir / FOLDER), "--config-name", CONFIG]
    found.append(f"hydra.run.dir={hydra_string(str(request.run_dir / 'hydra'))}")
    if own and composed_from(document.values):
        found.append(f"hydra.searchpath=[{hydra_string('file://' + str(request.base))}]")
    return found


def _model_text(name: str, values: Mapping[str, Any]) -> str:
    inner = Natives("", values={f"{name}.{key}": value for key, value in values.items()})
    return inner.text((_HEADER,))


def _file_key(document: Document, own: bool) -> str:
    if not own:
        return "mindspeed_rl.data_path"
    prefix = "backend_config." if "backend_config" in document.values else ""
    return f"{prefix}megatron_training.data_path"


_HEADER = "Written by agentic-rl for this run; what the launch received."
_LIBRARY: Text = {
    "en": "not found in the repository, on PYTHONPATH or beside it; the start fails unless the training Python has it",
    "zh": "在仓库内、PYTHONPATH 上以及仓库旁均未找到；除非训练用 Python 已安装，否则无法启动",
}
