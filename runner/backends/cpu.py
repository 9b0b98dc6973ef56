"""verl on this CPU: what the plugin in runner/inside needs set, and what a CPU makes of the file's sizes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, cast

from .hydra_text import Reference
from .overrides import Overrides
from .plan import Text
from .request import Request

# Keys of the file that a single CPU process replaces (value on the CPU, parameter it comes from).
_SCALED: tuple[tuple[str, Any, str], ...] = (
    ("trainer.n_gpus_per_node", 1, "num_gpus_per_node"),
    ("trainer.nnodes", 1, "verl.nnodes"),
    ("actor_rollout_ref.rollout.tensor_model_parallel_size", 1, "infer_tensor_parallel_size"),
)


def put_cpu(overrides: Overrides, request: Request) -> None:
    """Put what a CPU needs; note each value of the file that it replaces."""
    for key, value, parameter in _SCALED:
        before = overrides.values.get(key)
        if overrides.put(key, value) and before not in (None, value):
            overrides.note("scaled", parameter, _scaled(before, value))
    for entry in _entries(request):
        key, value = str(entry["key"]), _fill(entry["value"], request)
        if entry.get("refer"):
            value = Reference(value)
        if entry.get("add"):
            overrides.add(key, value)
        else:
            overrides.put(key, value)


def cpu_environment(request: Request) -> dict[str, str]:
    """Environment of the training process on a CPU; ``PYTHONPATH`` gains the folder ``inside`` and nothing else."""
    env = {str(k): str(_fill(v, request)) for k, v in cast("Mapping[str, Any]", _data(request)["environment"]).items()}
    earlier = os.environ.get("PYTHONPATH", "")
    env["PYTHONPATH"] = os.pathsep.join(p for p in (str(request.inside), earlier) if p)
    return env


def _data(request: Request) -> Mapping[str, Any]:
    import yaml

    path = request.inside / "agentic_rl_inside" / "cpu_overrides.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def _entries(request: Request) -> Iterable[Mapping[str, Any]]:
    return cast("Iterable[Mapping[str, Any]]", _data(request)["overrides"])


def _fill(value: Any, request: Request) -> Any:
    """Replace the placeholder ``{inside}`` in a string."""
    if isinstance(value, str):
        return value.replace("{inside}", str(request.inside))
    return value


def _scaled(before: Any, after: Any) -> Text:
    return {
        "en": f"{before} in the file, {after} on this CPU: one process trains and generates",
        "zh": f"文件中为 {before}，在本机 CPU 上为 {after}：由单个进程训练和生成",
    }
