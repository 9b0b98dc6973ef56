"""How the devices of all nodes of a Ray cluster are asked: the process whose lines the supervisor reads."""

from __future__ import annotations

import json
from pathlib import Path

from ..stream.devices import NPU_QUERY, NVIDIA_QUERIES
from .ray import joined_address
from .request import Request

INTERVAL = 5


def cluster_stream(request: Request, nodes: int) -> tuple[str, ...]:
    """What a run on so many machines asks for the devices of all of them; () on one, whose own tool is asked."""
    return device_stream(request.python, request.inside, joined_address(request, nodes)) if nodes > 1 else ()


def device_stream(python: str, inside: Path, address: str = "", interval: int = INTERVAL) -> tuple[str, ...]:
    """The argument list of ``agentic_rl_inside/cluster_devices.py``.

    Args:
        python: the training interpreter, which has the Ray that the cluster speaks.
        inside: folder that holds the package ``agentic_rl_inside``.
        address: of the cluster; "" is the one of this machine.
        interval: seconds between two looks; 0 looks once.
    """
    script = inside / "agentic_rl_inside" / "cluster_devices.py"
    queries = json.dumps([[NPU_QUERY], NVIDIA_QUERIES])
    return (python, str(script), address or "auto", str(interval), queries)
