"""Devices and cores that there are, against those that Ray will wait for (M24)."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Level
from .rule import Rule, Violation
from .seen import Seen

_CPUS = "rl_config.num_cpus_for_placement_group"


def devices(seen: Seen) -> Iterator[Violation]:
    """No more devices than there are; Ray waits for ever for the others."""
    machine, wanted = seen.view.world.machine, seen.devices("actor")
    if machine is None or not wanted or machine.accelerator == "cpu":
        return
    per_node, nodes = machine.devices, getattr(machine, "nodes", None)
    total = getattr(machine, "ray_devices", None)
    if total is None and per_node is not None and nodes is not None:
        total = per_node * nodes
    if total is not None and wanted > total:
        yield Violation(seen.device_keys(), {"value": wanted, "devices": total})


def whole_nodes(seen: Seen) -> Iterator[Violation]:
    """Beyond one machine, whole machines: the last placement group would take the rest, its ranks would not match."""
    machine, wanted = seen.view.world.machine, seen.devices("actor")
    per_node = machine.devices if machine is not None and machine.accelerator != "cpu" else None
    if per_node and wanted and wanted > per_node and wanted % per_node:
        values = [wanted // per_node * per_node, -(-wanted // per_node) * per_node]
        yield Violation(seen.device_keys(), {"value": wanted, "devices": per_node, "values": values})


def cores(seen: Seen) -> Iterator[Violation]:
    """Each device's bundle reserves cores; a machine with too few of them never places the group."""
    machine, wanted, each = seen.view.world.machine, seen.devices("actor"), seen.view.real(_CPUS)
    if machine is None or not machine.cpus or not machine.devices or not wanted or not each:
        return
    used = min(wanted, machine.devices)
    needed = used * each
    if needed > machine.cpus:
        params = {"devices": used, "each": each, "needed": needed, "cpus": machine.cpus}
        edits = ((_CPUS, machine.cpus // used),) if machine.cpus >= used else ()
        # AgentSDK has no parameter for it; that its own start reserves as many is likely, not known.
        level: Level | None = "warning" if seen.view.launcher == "agentsdk" else None
        yield Violation((*seen.device_keys(), _CPUS), params, edits, level)


def hardware(seen: Seen) -> Iterator[Violation]:
    """MindSpeed-RL runs on NPUs."""
    machine = seen.view.world.machine
    if machine is not None and machine.accelerator == "cpu" and seen.devices("actor"):
        yield Violation(seen.device_keys(), {"needed": seen.devices("actor")})


RULES = (
    Rule("mindspeed-devices-too-few", devices, launchers=("mindspeed-rl",), number="M24"),
    Rule("mindspeed-whole-nodes", whole_nodes, level="warning", launchers=("mindspeed-rl",), number="M24"),
    Rule("mindspeed-cores", cores, number="M24"),
    Rule("no-accelerator", hardware, level="warning", launchers=("mindspeed-rl",)),
)
