"""verl on several machines: which Ray it joins, and what has to be there before."""

from __future__ import annotations

from typing import Any

from ..overrides import Overrides
from ..plan import Text
from ..request import Request
from ..source import value_of


def put_cluster(overrides: Overrides, request: Request, env: dict[str, str], reasons: dict[str, Text]) -> None:
    """For more than one machine: a note with the commands, and the running cluster where no address was given.

    Without an address verl would start a Ray of this machine alone and ask it for the devices of all.
    """
    nodes = max(_whole(value_of(overrides, "trainer.nnodes")), _whole(overrides.values.get("rollout.nnodes")))
    if nodes < 2:
        return
    overrides.note("info", "trainer.nnodes" if overrides.own_names else "verl.nnodes", _cluster(nodes, request))
    if "RAY_ADDRESS" not in {**request.environment, **env}:
        env["RAY_ADDRESS"], reasons["RAY_ADDRESS"] = "auto", _JOINS


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 1


def _cluster(nodes: int, request: Request) -> Text:
    kind = " --resources='{\"NPU\": N}'" if request.device == "npu" else ""
    names = "HCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME" if request.device == "npu" else "NCCL_SOCKET_IFNAME"
    head, other = f"ray start --head --port 6766{kind}", f"ray start --address=HEAD:6766{kind}"
    return {
        "en": f"{nodes} machines: joins {request.ray_address or 'the Ray cluster that runs on this machine'}. Before: "
        f"`{head}` here, `{other}` on the others, with {names} exported; data, model and checkpoints on shared storage",
        "zh": f"{nodes} 台机器：加入{request.ray_address or '本机上正在运行的 Ray 集群'}。事先在本机执行 `{head}`，"
        f"在其他机器执行 `{other}`，并导出 {names}；数据、模型与检查点需位于共享存储",
    }


_JOINS: Text = {
    "en": "several machines: the cluster that runs on this machine is joined [Ray]",
    "zh": "多机训练：加入本机上正在运行的集群 [Ray]",
}
