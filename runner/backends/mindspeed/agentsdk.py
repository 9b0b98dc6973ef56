"""An AgentSDK file as MindSpeed-RL's own: AgentSDK's constants, its parameters, the model as a file of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...document.model import Document
from ...native.agentsdk import converted
from ...native.mindspeed_agentsdk import DEVICES, agentsdk_natives
from ...native.mindspeed_keys import agentsdk_mindspeed_constants
from ..errors import PlanError
from ..overrides import absolute
from ..plan import Text
from .natives import Natives
from .tables import entries, model_values, table

_SELECTS = frozenset(("train_backend", "num_gpus_per_node", "num_node"))
_OURS = "agentic_rl_"  # in front of the model's name: a model of the repository with the same name would be taken first


def fill_agentsdk(natives: Natives, document: Document, base: Path) -> Mapping[str, Mapping[str, Any]]:
    """Put what the file says; returns the files of the config group ``model``: name -> content.

    Raises:
        PlanError: ``mindspeed-model-unknown``.
    """
    for entry in entries("mindspeed_launch", "settings"):
        natives.put(str(entry["key"]), entry["value"])
    for key, value in agentsdk_mindspeed_constants():
        natives.put(key, value)
    _parameters(natives, document, base)
    name = str(natives.values.pop("megatron_training.model", "") or "")
    model = _model(natives, name)
    for section in ("megatron_training", "actor_config"):
        natives.values[f"{section}.model"] = model
    natives.values["defaults"] = [{"model": [model]}, "_self_"]
    _instead(natives)
    _padding(natives)
    values = cast(
        "Mapping[str, Any]", model_values(name, natives.version, natives.knows("actor_config.moe_ffn_hidden_size"))
    )
    return {model: {key: value for key, value in values.items() if natives.knows(f"actor_config.{key}")}}


def _parameters(natives: Natives, document: Document, base: Path) -> None:
    devices = 1
    for handed in agentsdk_natives(document.values):
        parameter = handed.parameter
        if handed.key == DEVICES:
            devices *= handed.value if isinstance(handed.value, int) else 1
            continue
        if not handed.key:
            if handed.given and parameter.name not in _SELECTS:
                natives.note("ignored", parameter.key, _NO_MEANING)
            continue
        value = converted(parameter, handed.value)
        if parameter.kind == "path" and isinstance(value, str):
            value = absolute(value, base)
        if not natives.put(handed.key, value) and handed.given:
            natives.note("ignored", parameter.key, _NO_KEY)
    natives.put(DEVICES, devices)


def _model(natives: Natives, name: str) -> str:
    if model_values(name, natives.version, renamed=False) is None:
        known = ", ".join(cast("Mapping[str, Any]", table("mindspeed_models")["models"]))
        raise PlanError("mindspeed-model-unknown", {"name": name, "known": known}, exit_code=2, key="model_name")
    return _OURS + re.sub(r"[^0-9a-z]+", "_", name.lower())


def _instead(natives: Natives) -> None:
    """What only AgentSDK has, replaced by what MindSpeed-RL has."""
    for entry in entries("mindspeed_launch", "instead"):
        key = str(entry["key"])
        if natives.values.get(key) != entry["value"]:
            natives.values[key] = entry["value"]
            natives.note("differs", key, cast("Text", entry["text"]))


def _padding(natives: Natives) -> None:
    """What newer versions want beside use_remove_padding, told by the keys that they have."""
    data = cast("Mapping[str, Any]", table("mindspeed_launch")["padding"])
    pipelined = str(data["pipelined"])
    if natives.values.get("rl_config.use_remove_padding") is not True or not natives.knows(pipelined):
        return
    keys = [str(data["always"])]
    if (natives.training("pipeline_model_parallel_size") or 1) > 1:
        keys.append(pipelined)
    for key in keys:
        natives.put(key, True)
        natives.note("constant", key, cast("Text", data["text"]))


_NO_KEY: Text = {
    "en": "this version of MindSpeed-RL has no such setting and would refuse it; the value is not passed on",
    "zh": "该版本的 MindSpeed-RL 没有这项设置，写入会被拒绝；取值不会传递",
}
_NO_MEANING: Text = {
    "en": "MindSpeed-RL has no setting for it; only AgentSDK itself reads it",
    "zh": "MindSpeed-RL 没有对应的设置，只有 AgentSDK 自身会读取",
}
