"""The environment of a direct start: what the entry script gets, and the runtime_env.yaml that Ray hands to workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from ...catalogue.yaml_text import string_text
from ..plan import Text
from ..ports import hccl_port
from ..request import Request
from .facts import MindSpeedFacts
from .natives import Natives
from .tables import entries, table

RUNTIME_ENV = "resolved/runtime_env.yaml"


def runtime_variables(natives: Natives, request: Request, facts: MindSpeedFacts) -> dict[str, str]:
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
    if request.ray_address and facts.tree is not None:
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
    if request.ray_address:
        env["RAY_ADDRESS"] = request.ray_address
    elif "RAY_ADDRESS" not in facts.environ:
        env["RAY_ADDRESS"] = "auto" if nodes > 1 else "local"  # a Ray of somebody else on this machine is left alone
    env.update(request.extra_env)
    return env


def driver_reasons(env: Mapping[str, str], request: Request) -> dict[str, Text]:
    """Why each of them is set, with its source; what the caller asked for is told elsewhere."""
    found: dict[str, Text] = {
        str(e["name"]): {k: f"{t} [{_SCRIPTS[k]}]" for k, t in cast("Text", e["why"]).items()}
        for e in entries("env_mindspeed", "driver")
    }
    found["PYTHONPATH"] = _PATH
    if not request.ray_address and "RAY_ADDRESS" in env:
        found["RAY_ADDRESS"] = _LOCAL if env["RAY_ADDRESS"] == "local" else _AUTO
    return {name: found[name] for name in env if name in found and name not in request.extra_env}


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


_SCRIPTS: Text = {"en": "MindSpeed-RL's example scripts", "zh": "MindSpeed-RL 的示例脚本"}
_PATH: Text = {
    "en": "the repository is not installed: its packages are imported from there [MindSpeed-RL's install guide]",
    "zh": "仓库未作为包安装，需从该路径导入 [MindSpeed-RL 安装指南]",
}
_LOCAL: Text = {
    "en": "a Ray of this run's own; one that already runs on this machine is left alone [Ray]",
    "zh": "使用本次训练自己的 Ray，不影响本机上已运行的 Ray [Ray]",
}
_AUTO: Text = {
    "en": "several machines: the cluster that runs on this machine is joined [Ray]",
    "zh": "多机训练：加入本机上正在运行的集群 [Ray]",
}
_PORT: Text = {
    "en": "a block of ports of this run's own, so that two runs can share a machine",
    "zh": "本次训练独占的一段端口，使两次训练可以共用一台机器",
}
