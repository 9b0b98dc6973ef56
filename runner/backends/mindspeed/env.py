"""The environment of a direct start: what the entry script gets, and the runtime_env.yaml that Ray hands to workers."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ...catalogue.yaml_text import string_text
from ..plan import Text
from ..ports import hccl_port
from ..ray import joined_address, ray_environment
from ..request import Request
from .facts import MindSpeedFacts
from .natives import Natives
from .tables import entries, table

RUNTIME_ENV = "resolved/runtime_env.yaml"


def runtime_variables(natives: Natives, request: Request, facts: MindSpeedFacts, nodes: int) -> dict[str, str]:
    """``env_vars`` for the workers: the repository's own, else those of the table; an exported value wins."""
    own = facts.tree.runtime_env if facts.tree is not None else None
    listed = {str(e["name"]): str(e["value"]) for e in entries("env_mindspeed", "runtime", natives.version)}
    found: dict[str, str] = dict(own) if own is not None else listed
    if natives.values.get("generate_config.enable_expert_parallel") is True:
        found["VLLM_DP_SIZE"] = str(natives.values.get("generate_config.infer_expert_parallel_size", 1))
    found["HCCL_IF_BASE_PORT"] = str(hccl_port(request.run_dir))
    for name in (*found, *(str(n) for n in table("env_mindspeed")["sockets"])):
        exported = facts.environ.get(name)
        if exported is None:
            continue
        if name in found and found[name] != exported:
            natives.note("differs", name, _exported(found[name], exported))
        found[name] = exported
    if "HCCL_IF_BASE_PORT" not in facts.environ:
        natives.note("info", "HCCL_IF_BASE_PORT", _PORT)
    if facts.tree is not None and joined_address(request, nodes):
        found["PYTHONPATH"] = python_path(facts)  # the workers of a cluster do not inherit it
    return found


def runtime_env_text(variables: Mapping[str, str]) -> str:
    """The file, as MindSpeed-RL's entry script reads it."""
    lines = ["env_vars:", *(f"  {name}: {_quoted(value)}" for name, value in variables.items())]
    return "\n".join([*lines, ""])


def driver_variables(request: Request, facts: MindSpeedFacts, nodes: int) -> dict[str, str]:
    """Variables of the entry script, on top of the person's environment."""
    listed = {str(e["name"]): str(e["value"]) for e in entries("env_mindspeed", "driver")}
    env = {name: value for name, value in listed.items() if name not in facts.environ}
    env["PYTHONPATH"] = python_path(facts)
    if request.devices:
        env["ASCEND_RT_VISIBLE_DEVICES"] = request.devices
    if nodes == 1 and not request.ray_address and "RAY_ADDRESS" not in request.environment:
        env["RAY_ADDRESS"] = "local"  # a Ray of somebody else on this machine is left alone
    return env | ray_environment(request, nodes)


def python_path(facts: MindSpeedFacts) -> str:
    """The repository, the libraries found beside it, then what the person has set."""
    if facts.tree is None:
        return facts.environ.get("PYTHONPATH", "")
    entries = [facts.tree.root, *facts.tree.libraries.values(), *facts.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return os.pathsep.join(dict.fromkeys(entry for entry in entries if entry))


def _quoted(value: str) -> str:
    """Always a text: Ray refuses numbers and booleans in env_vars."""
    plain = string_text(value)
    return plain if plain.startswith('"') else f'"{plain}"'


def _exported(before: str, after: str) -> Text:
    return {
        "en": f"{before} in MindSpeed-RL's runtime_env.yaml, {after} exported here; the exported value is passed on",
        "zh": f"MindSpeed-RL 的 runtime_env.yaml 中为 {before}，当前环境中导出的为 {after}；以导出的值为准",
    }


_PORT: Text = {
    "en": "a block of ports of this run's own, so that two runs can share a machine",
    "zh": "本次训练独占的一段端口，使两次训练可以共用一台机器",
}
