"""Values that are fine alone and not together, where no number has to divide another."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue import Edit, Level, Problem
from ..catalogue.versions import version_holds
from .case import Case
from .relations_wrapper import MOST_STEPS

WRAPPER_SINCE = "0.7"
"""The oldest verl that a wrapper runs under (backends/verl/agent.py tells why)."""


def check_clip_bounds(case: Case) -> Iterator[Problem]:
    """AgentSDK refuses lower >= upper whatever the policy loss is; verl itself then clips nothing."""
    low, high = "verl.policy_loss_clip_cov_lb", "verl.policy_loss_clip_cov_ub"
    if not (low in case.found or high in case.found) or {low, high} & case.broken or not case.read(low):
        return
    lower, upper = case.value(low), case.value(high)
    if lower < upper:
        return
    level: Level = "error" if case.target == "agentsdk" else "warning"
    at, other = (low, high) if low in case.found else (high, low)
    edits: tuple[Edit, ...] = ()
    if low in case.found and high in case.found and lower != upper:
        edits = (Edit("set", case.file_key(low), upper), Edit("set", case.file_key(high), lower))
    params = {"lower": lower, "upper": upper}
    yield case.problem(level, "clip-bounds-order", case.file_key(at), params, edits, (case.file_key(other),))


def check_critic(case: Case) -> Iterator[Problem]:
    """``gae`` needs a critic, and no parameter names its model."""
    if case.backend == "verl" and case.used("verl.adv_estimator") and case.value("verl.adv_estimator") == "gae":
        key = case.file_key("verl.adv_estimator")
        yield case.problem("warning", "gae-without-critic", key, {}, (Edit("set", key, "grpo"),))


def check_nodes(case: Case) -> Iterator[Problem]:
    """Machines are counted twice: ``num_node`` decides how Ray starts, ``verl.nnodes`` how many verl asks it for."""
    if case.backend != "verl" or case.target != "agentsdk" or case.generation != "C":
        return
    ray, wanted = "num_node", "verl.nnodes"
    started, asked = case.number(ray), case.number(wanted)
    if started is None or asked is None or started == asked:
        return
    at, other = (wanted, ray) if wanted in case.found else (ray, wanted)
    params = {"started": started, "asked": asked}
    yield case.problem("warning", "nodes-disagree", case.file_key(at), params, (), (case.file_key(other),))


def check_wrapper(case: Case) -> Iterator[Problem]:
    """What a verl that is started directly needs for the agent wrapper (under AgentSDK other relations say it)."""
    found = case.found.get("agent_engine_wrapper_path")
    if case.target == "agentsdk" or found is None or not isinstance(found.value, str) or not found.value:
        return
    if case.backend == "verl" and not version_holds(f">={WRAPPER_SINCE}", case.verl_version):
        params = {"path": found.value, "version": case.verl_version, "needed": WRAPPER_SINCE}
        yield case.problem("error", "wrapper-needs-newer-verl", found.key, params)
    steps = case.number("max_steps")
    if steps is not None and steps > MOST_STEPS:
        key = case.file_key("max_steps")
        edits = (Edit("set", key, MOST_STEPS),)
        yield case.problem("error", "wrapper-steps", key, {"first": key, "value": steps, "limit": MOST_STEPS}, edits)


def check_devices(case: Case) -> Iterator[Problem]:
    """More devices a machine than it has; known only from the machine or a profile of it."""
    machine = case.world.machine
    wanted = case.number("num_gpus_per_node")
    if machine is None or case.target == "local" or wanted is None or case.backend == "verl":
        return  # verl's relations ask for devices themselves
    key = case.file_key("num_gpus_per_node")
    if machine.accelerator == "cpu":
        yield case.problem("warning", "no-accelerator", key, {"needed": wanted})
    elif machine.devices is not None and wanted > machine.devices:
        params = {"value": wanted, "devices": machine.devices}
        edits = (Edit("set", key, machine.devices),) if key in case.document.places and machine.devices else ()
        yield case.problem("error", "devices-too-few", key, params, edits)
