"""The commands that make a Ray cluster for a training on several nodes: one on the head node, one on each other.

Sources: MindSpeed-RL's ``examples/grpo/*.sh`` (port, resource name, interface variables, limits), verl's Ascend
documentation, facts/agentsdk.md 5.3.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .plan import Text

PORT = 6766  # MindSpeed-RL's; Ray's own 6379 is also Redis's
OPEN_FILES = 32768


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """What starts Ray on one node.

    Attributes:
        role: ``head`` or ``worker``.
        argv: the command.
        env: variables set for it; the tasks of a training inherit them on this node.
        reasons: variable -> why.
        open_files: limit of open files it needs.
    """

    role: Literal["head", "worker"]
    argv: tuple[str, ...]
    env: Mapping[str, str]
    reasons: Mapping[str, Text]
    open_files: int = OPEN_FILES
    notes: tuple[Text, ...] = field(default=())


def ray_start(
    role: Literal["head", "worker"],
    python: str,
    *,
    head: str,
    own: str,
    interface: str,
    port: int = PORT,
    accelerator: str = "",
    devices: int | None = None,
    environment: Mapping[str, str] | None = None,
    token: bool = False,
) -> ClusterNode:
    """The command for one node.

    Args:
        role: head node or one of the others.
        python: the training interpreter; its Ray is started.
        head: address of the head node.
        own: this node's address as the others reach it.
        interface: the network interface that has it.
        port: of the head node's Ray.
        accelerator: ``npu``, ``gpu`` or "".
        devices: devices of this node; None leaves counting to Ray.
        environment: what the user has set; those variables are left as they are.
        token: this user has a token of Ray's.
    """
    place = (
        ["--head", f"--port={port}", "--include-dashboard=false"] if role == "head" else [f"--address={head}:{port}"]
    )
    argv = [python, "-m", "ray.scripts.scripts", "start", *place, f"--node-ip-address={own}", "--disable-usage-stats"]
    if devices is not None and accelerator == "npu":
        argv.append("--resources=" + json.dumps({"NPU": devices}))
    elif devices is not None and accelerator == "gpu":
        argv.append(f"--num-gpus={devices}")
    taken = environment or {}
    wanted = {
        "GLOO_SOCKET_IFNAME": (interface, _INTERFACE),
        "PYTHONUNBUFFERED": ("1", _UNBUFFERED),
        "RAY_DEDUP_LOGS": ("0", _LOG),
    }
    if token:
        wanted["RAY_AUTH_MODE"] = ("token", _TOKEN)
    if accelerator == "npu":
        wanted |= {
            "HCCL_SOCKET_IFNAME": (interface, _INTERFACE),
            "TP_SOCKET_IFNAME": (interface, _INTERFACE),
            "HCCL_CONNECT_TIMEOUT": ("1800", _SLOW),
            "HCCL_EXEC_TIMEOUT": ("3600", _SLOW),
            "RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES": ("1", _NOSET),
        }
    elif accelerator == "gpu":
        wanted["NCCL_SOCKET_IFNAME"] = (interface, _INTERFACE)
    added = {name: pair for name, pair in wanted.items() if name not in taken and pair[0]}
    return ClusterNode(
        role,
        tuple(argv),
        {name: value for name, (value, _) in added.items()},
        {name: why for name, (_, why) in added.items()},
    )


_INTERFACE: Text = {
    "en": "the interface through which the nodes reach each other; else the first one found is taken, often docker0",
    "zh": "节点间通信所用的网卡；不设置时会取找到的第一个，往往是 docker0",
}
_SLOW: Text = {
    "en": "seconds; nodes load a large model at different speeds, and the default of 120 ends the start",
    "zh": "秒；各节点加载大模型的快慢不一，默认的 120 秒会中断启动",
}
_NOSET: Text = {
    "en": "verl and vllm-ascend choose the device themselves; Ray must not hide the others",
    "zh": "verl 与 vllm-ascend 自行选择设备，Ray 不得隐藏其他设备",
}
_TOKEN: Text = {
    "en": "the cluster asks for the token in ~/.ray/auth_token: copy that file (mode 600) to each node",
    "zh": "集群会校验 ~/.ray/auth_token 中的令牌：请将该文件（权限 600）复制到各节点",
}
_UNBUFFERED: Text = {"en": "lines of the log appear when they are written", "zh": "日志行写出即可见"}
_LOG: Text = {"en": "Ray drops no line of the log", "zh": "Ray 不丢弃任何日志行"}
