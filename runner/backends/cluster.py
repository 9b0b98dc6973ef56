"""The commands that make a Ray cluster for a training on several nodes: one on the head node, one on each other.

Sources: MindSpeed-RL's ``examples/grpo/*.sh`` (port, resource name, interface variables, limits), verl's Ascend
documentation, facts/agentsdk.md 5.3.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .environment import reasons_for
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
        "GLOO_SOCKET_IFNAME": interface,
        "PYTHONUNBUFFERED": "1",
        "RAY_DEDUP_LOGS": "0",
    }
    if token:
        wanted["RAY_AUTH_MODE"] = "token"
    if accelerator == "npu":
        wanted |= {
            "HCCL_SOCKET_IFNAME": interface,
            "TP_SOCKET_IFNAME": interface,
            "HCCL_CONNECT_TIMEOUT": "1800",
            "HCCL_EXEC_TIMEOUT": "3600",
            "RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES": "1",
        }
    elif accelerator == "gpu":
        wanted["NCCL_SOCKET_IFNAME"] = interface
    added = {name: value for name, value in wanted.items() if name not in taken and value}
    return ClusterNode(role, tuple(argv), added, reasons_for(added, "cluster"))
