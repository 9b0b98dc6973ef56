"""verl on this CPU: what the plugin in runner/inside needs set, and what a CPU makes of the file's sizes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from ...native.hydra_text import Reference
from ..file_keys import FileKeys
from ..overrides import Overrides
from ..plan import Text
from ..rehearsal import note_of
from ..request import Request

# verl keys whose value in the file a single CPU process replaces -> the parameter they come from.
_SCALED: dict[str, str] = {
    "trainer.n_gpus_per_node": "num_gpus_per_node",
    "trainer.nnodes": "verl.nnodes",
    "actor_rollout_ref.rollout.tensor_model_parallel_size": "infer_tensor_parallel_size",
}


def put_cpu(overrides: Overrides, request: Request, keys: FileKeys | None = None) -> None:
    """Put what a CPU needs; note the values of the file that it replaces (all of them where ``keys`` names them)."""
    model = str(overrides.values.get("actor_rollout_ref.model.path", ""))
    needed = {
        "gae": overrides.values.get("algorithm.adv_estimator") == "gae",
        "lora": bool(overrides.values.get("actor_rollout_ref.model.lora_rank")),
    }
    for entry in cast("Iterable[Mapping[str, Any]]", _data(request.inside)["overrides"]):
        if not needed.get(str(entry.get("when", "")), True):
            continue
        key, value = str(entry["key"]), _fill(entry["value"], request.inside, model)
        before = overrides.values.get(key)
        if keys is not None:
            if before not in (None, value) and keys.given(key):
                overrides.notes.append(note_of("scaled", keys.of(key), "device", before, value))
        elif key in _SCALED and before not in (None, value):
            overrides.note("scaled", key if overrides.own_names else _SCALED[key], _scaled(before, value))
        if entry.get("add"):
            overrides.add(key, value)
        else:
            overrides.put(key, value)


def cpu_environment(request: Request) -> dict[str, str]:
    """Environment of the training process on a CPU; ``PYTHONPATH`` gains the folder ``inside`` and nothing else."""
    entries = cast("Iterable[Mapping[str, Any]]", _data(request.inside)["environment"])
    env = {str(entry["name"]): str(_fill(entry["value"], request.inside, "")) for entry in entries}
    env["PYTHONPATH"] = search_path(request)
    return env


def search_path(request: Request) -> str:
    """The module path of the person, with the folder ``inside`` in front and nothing else of this tool."""
    return os.pathsep.join(p for p in (str(request.inside), os.environ.get("PYTHONPATH", "")) if p)


@lru_cache(maxsize=4)
def _data(inside: Path) -> Mapping[str, Any]:
    import yaml

    path = inside / "agentic_rl_inside" / "cpu_overrides.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def _fill(value: Any, inside: Path, model: str) -> Any:
    """Replace the placeholders ``{inside}`` and ``{model}``; an interpolation of verl's own keys stays one."""
    if not isinstance(value, str):
        return value
    if value.startswith("${"):
        return Reference(value)
    return value.replace("{inside}", str(inside / "agentic_rl_inside")).replace("{model}", model)


def _scaled(before: Any, after: Any) -> Text:
    return {
        "en": f"{before} in the file, {after} on this CPU: one process trains and generates",
        "zh": f"文件中为 {before}，在本机 CPU 上为 {after}：由单个进程训练和生成",
    }
