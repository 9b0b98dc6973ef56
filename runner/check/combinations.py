"""Values that are fine alone and not together, where no number has to divide another."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue import Edit, Level, Problem
from .case import Case


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


def check_mindspeed(case: Case) -> Iterator[Problem]:
    """What MindSpeed-RL asks for beside numbers (validate_rl_args, v2.2.0)."""
    if case.backend != "mindspeed_rl" or case.target != "agentsdk" or case.generation == "A":
        return
    if case.value("dtype") != "bfloat16" and "dtype" not in case.broken:
        edits = (Edit("set", "dtype", "bfloat16"),)
        yield case.problem("error", "dtype-not-supported", "dtype", {"value": case.value("dtype")}, edits)
    pipeline = case.number("infer_pipeline_parallel_size")
    if pipeline is not None and pipeline != 1:
        key = case.file_key("infer_pipeline_parallel_size")
        edits = (Edit("set", key, 1),)
        yield case.problem("error", "rollout-pipeline-not-supported", key, {"value": pipeline}, edits)
    extra = case.value("dataset_additional_keys")
    if not extra and "dataset_additional_keys" not in case.broken:
        at = "mindspeed_rl.data_path"
        where = "dataset_additional_keys" if "dataset_additional_keys" in case.found else case.file_key(at)
        yield case.problem("error", "dataset-keys-needed", where, {}, related=("dataset_additional_keys",))
    yield from _padding(case)


def _padding(case: Case) -> Iterator[Problem]:
    remove, reset = "mindspeed_rl.use_remove_padding", "mindspeed_rl.reset_position_ids"
    variable, stages = "mindspeed_rl.variable_seq_lengths", "mindspeed_rl.pipeline_model_parallel_size"
    if case.value(remove) is not True:
        return
    if case.value(reset) is False:
        params = {"other": reset}
        yield case.problem("error", "remove-padding-needs", case.file_key(remove), params, related=(reset,))
    if (case.number(stages) or 1) > 1 and case.value(variable) is False:
        params = {"other": variable}
        yield case.problem("error", "remove-padding-needs", case.file_key(remove), params, related=(variable, stages))


def check_wrapper(case: Case) -> Iterator[Problem]:
    """A verl that is started directly has no place for AgentSDK's wrapper."""
    found = case.found.get("agent_engine_wrapper_path")
    if case.target != "agentsdk" and found is not None and isinstance(found.value, str) and found.value:
        yield case.problem("error", "wrapper-not-supported", found.key, {"path": found.value})


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
