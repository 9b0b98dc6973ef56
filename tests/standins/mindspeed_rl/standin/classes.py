"""The config classes and validate_rl_args, as strict as the originals, for the keys of the version in this tree."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import yaml

from .compose import ROOT


def class_values(file: str, name: str, given: dict[str, Any], model: dict[str, Any] | None = None) -> dict[str, Any]:
    """The attributes of a config class after its update; the message for an unknown key is the original's."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "mindspeed_rl" / "config_cls" / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = dict(vars(getattr(module, name)()))
    if "model" in given:
        _update(values, (model or {})[given["model"]])
    _update(values, given)
    return values


def _update(values: dict[str, Any], given: dict[str, Any]) -> None:
    for key, value in given.items():
        name = key.replace("-", "_")
        if name == "model":
            continue
        if name not in values:
            raise ValueError(
                f"The key: {name} is missing, causing the setup to fail. Please check."
                " If necessary, register it in the config file."
            )
        values[name] = value


def runtime_env(rl: dict[str, Any]) -> dict[str, Any]:
    """The file that Ray's workers get their variables from; Ray takes texts only."""
    content = yaml.safe_load(Path(os.path.join(ROOT, rl["runtime_env_path"])).read_text(encoding="utf-8"))
    for name, value in content["env_vars"].items():
        if not isinstance(value, str):
            raise TypeError(f"runtime_env['env_vars'] must be of type Dict[str, str], got {type(value)} for {name}")
    return content


def validate(actor: dict[str, Any], rl: dict[str, Any], generate: dict[str, Any]) -> None:
    """The relations that most configurations break."""
    if not actor["bf16"] or generate["dtype"] != "bfloat16":
        raise ValueError(" megatron_config.bf16 should be true and generate_config.dtype should be bfloat16.")
    if generate["max_model_len"] < actor["seq_length"]:
        raise ValueError(
            f"Sequence length exceeds vLLM max_model_len! Actor.seq_length={actor['seq_length']} vs "
            f"GenerateConfig.max_model_len={generate['max_model_len']}"
        )
    copy = actor["tensor_model_parallel_size"] * actor["pipeline_model_parallel_size"] * actor["context_parallel_size"]
    devices, batch = rl["actor_resource"]["num_npus"], actor["global_batch_size"]
    if devices % copy:
        raise ValueError(f"Invalid Actor resource allocation! Resource={devices} must be divisible by {copy}")
    if batch % (devices // copy):
        raise ValueError(f"Actor global_batch_size {batch} must be divisible by data_parallel_size {devices // copy}")
    if len(rl["verifier_function"]) != len(rl["verifier_weight"]):
        raise ValueError("Verifier function and weight length mismatch")
