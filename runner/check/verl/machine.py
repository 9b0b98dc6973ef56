"""What the machine must offer: devices of the cluster, free memory, visible devices (V24)."""

from __future__ import annotations

from ..view import View
from .parallel import POOL, RECIPE_POOL, replica, rollout_pool
from .relation import Finding, Relation
from .rollout import SHARE
from .setup import DEVICES, NODES, PER_NODE, ROLLOUT, devices

TP = ROLLOUT + "tensor_model_parallel_size"
# An idle NPU reports 5 % of its memory in use, which the engine's own total does not count (facts/backends.md 3.1).
_IDLE = 0.94


def _wanted(view: View) -> int | None:
    """Devices of all pools together."""
    total, pool = devices(view), rollout_pool(view)
    apart = view.given(RECIPE_POOL[0]) or (view.value("trainer.v1.trainer_mode") == "separate_async")
    if not total or not apart or pool is None:
        return total
    return total + pool[0] * pool[1]


def _per_node(view: View) -> Finding | None:
    machine, wanted = view.world.machine, view.number(PER_NODE)
    present = getattr(machine, "devices", None)
    if machine is None or not wanted or getattr(machine, "accelerator", None) == "cpu" or present is None:
        return None
    if wanted <= present:
        return None
    return Finding({"value": wanted, "devices": present}, ((PER_NODE, present),) if present else ())


def _cluster(view: View) -> Finding | None:
    machine, wanted, nodes = view.world.machine, _wanted(view), view.number(NODES)
    per_node, count = getattr(machine, "devices", None), getattr(machine, "nodes", None)
    known = getattr(machine, "ray_devices", None)
    if known is None and per_node and count and getattr(machine, "accelerator", None) != "cpu":
        known = per_node * count
        if (view.number(PER_NODE) or 0) > per_node:
            return None  # said already
    if known is None or not wanted or not nodes or wanted <= known:
        return None
    return Finding({"value": wanted, "devices": known})


def _no_accelerator(view: View) -> Finding | None:
    machine, wanted = view.world.machine, view.number(PER_NODE)
    if getattr(machine, "accelerator", None) != "cpu" or not wanted:
        return None
    return Finding({"needed": wanted})


def _memory(view: View) -> Finding | None:
    machine, share = view.world.machine, view.real(SHARE)
    free, total = getattr(machine, "free_device_memory_gib", None), getattr(machine, "device_memory_gib", None)
    if share is None or free is None or not total or not 0 < share <= 1 or min(share, _IDLE) * total <= free:
        return None
    fitting = int(free / total * 100) / 100
    edits = ((SHARE, fitting),) if fitting > 0 else ()
    return Finding({"value": share, "needed": round(share * total, 1), "free": free, "total": total}, edits)


def _visible(view: View) -> Finding | None:
    machine, size = view.world.machine, replica(view)
    present = getattr(machine, "devices", None)
    if present is None or getattr(machine, "accelerator", None) == "cpu" or view.number(TP) is None:
        return None
    nodes = view.number(NODES) or 1
    return None if size <= present * nodes else Finding({"value": size, "devices": present * nodes})


MACHINES: tuple[Relation, ...] = (
    Relation("devices-too-few", (PER_NODE,), _per_node, given="none"),
    Relation("cluster-too-small", (*DEVICES, *POOL, *RECIPE_POOL), _cluster, given="none"),
    Relation("no-accelerator", (PER_NODE,), _no_accelerator, "warning", given="none"),
    Relation("device-memory-taken", (SHARE,), _memory, given="none"),
    Relation("replica-beyond-devices", (TP, NODES), _visible, given="first"),
)
