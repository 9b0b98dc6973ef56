"""Relations of MindSpeed-RL under AgentSDK: its validate_rl_args (v2.2.0, facts/agentsdk.md 3.3) and the wrapper's."""

from __future__ import annotations

from typing import Any

from .relation import Finding, Relation, divisors_near, multiples_near
from .relations_wrapper import wrapper_steps

_S = "mindspeed_rl."
_DEVICES = ("num_gpus_per_node", "num_node")
_TRAIN = (_S + "tensor_model_parallel_size", _S + "pipeline_model_parallel_size")
_BATCH = _S + "global_batch_size"


def _devices(tensor: int, pipeline: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if devices % (tensor * pipeline) == 0:
        return None
    return {"value": tensor * pipeline, "devices": devices, "values": divisors_near(tensor * pipeline, devices)}


def _infer_devices(tensor: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if devices % tensor == 0:
        return None
    values = divisors_near(tensor, devices)
    return {"value": tensor, "devices": devices, "values": values, "edit": ("infer_tensor_parallel_size", values[0])}


def _batch_split(batch: int, tensor: int, pipeline: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if devices % (tensor * pipeline):
        return None
    return _multiple(batch, devices // (tensor * pipeline))


def _batch_infer(batch: int, tensor: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    return None if devices % tensor else _multiple(batch, devices // tensor)


def _batch_nodes(batch: int, nodes: int) -> Finding | None:
    return _multiple(batch, nodes)


def _multiple(batch: int, groups: int) -> Finding | None:
    if batch % groups == 0:
        return None
    values = multiples_near(batch, groups)
    return {"value": batch, "groups": groups, "values": values, "edit": (_BATCH, values[-1])}


def _micro(micro: int, batch: int, n: int, tensor: int, pipeline: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    groups = devices // (tensor * pipeline)
    if devices % (tensor * pipeline) or batch % groups:
        return None  # said by the others
    samples = batch // groups * n
    if samples % micro == 0:
        return None
    return {"value": micro, "samples": samples, "values": divisors_near(micro, samples)}


def _dispatch(size: int, batch: int, n: int, tensor: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if devices % tensor or batch % (devices // tensor):
        return None
    samples = batch // (devices // tensor) * n
    if samples % size == 0:
        return None
    values = divisors_near(size, samples)
    return {"value": size, "samples": samples, "values": values, "edit": ("actor_rollout_dispatch_size", values[0])}


def _context(context: int, sequence: int) -> Finding | None:
    if context >= sequence:
        return None
    return {"value": context, "least": sequence, "edit": ("max_model_len", sequence)}


def _response(context: int, prompt: int) -> Finding | None:
    response = context - prompt
    return None if 1 <= response <= 65_536 else {"value": response, "least": prompt + 1, "most": prompt + 65_536}


def _relation(code: str, keys: tuple[str, ...], holds: Any, only_if_set: bool = False) -> Relation:
    return Relation(code, keys, holds, backend="mindspeed_rl", targets=("agentsdk",), only_if_set=only_if_set)


MINDSPEED_RELATIONS: tuple[Relation, ...] = (
    _relation("training-parallel-not-divisible", (*_TRAIN, *_DEVICES), _devices),
    _relation("rollout-parallel-not-divisible", ("infer_tensor_parallel_size", *_DEVICES), _infer_devices),
    _relation("global-batch-not-divisible", (_BATCH, *_TRAIN, *_DEVICES), _batch_split),
    _relation("global-batch-not-divisible", (_BATCH, "infer_tensor_parallel_size", *_DEVICES), _batch_infer),
    _relation("global-batch-not-divisible", (_BATCH, "num_node"), _batch_nodes),
    _relation("micro-batch-not-divisible", (_S + "micro_batch_size", _BATCH, "rollout_n", *_TRAIN, *_DEVICES), _micro),
    _relation(
        "dispatch-not-divisible",
        ("actor_rollout_dispatch_size", _BATCH, "rollout_n", "infer_tensor_parallel_size", *_DEVICES),
        _dispatch,
    ),
    _relation("context-below-sequence", ("max_model_len", _S + "seq_length"), _context),
    _relation("wrapper-response-length", ("max_model_len", "max_prompt_length"), _response, only_if_set=True),
    _relation("wrapper-steps", ("max_steps",), wrapper_steps, only_if_set=True),
)
