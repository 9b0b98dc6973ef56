"""Devices against degrees of parallelism (M8, M12, part of M23)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..numbers import divisors_near
from .rule import Rule, Violation
from .seen import Seen

_TENSOR = "generate_config.infer_tensor_parallel_size"
_PIPELINE = "generate_config.infer_pipeline_parallel_size"


def training_parallel(seen: Seen) -> Iterator[Violation]:
    """M8: every role's devices are a multiple of one copy of its model."""
    for role in seen.roles():
        devices, size = seen.devices(role), seen.copy_size(role)
        if devices and size and devices % size:
            sizes, cards = seen.size_keys(role), seen.device_keys(role)
            params: dict[str, Any] = {
                "sizes": seen.names(sizes),
                "cards": seen.names(cards),
                "value": size,
                "devices": devices,
            }
            params["values"] = divisors_near(size, devices)
            if len(cards) == 1:
                params["others"] = [count for count in (devices // size * size, -(-devices // size) * size) if count]
            yield Violation((*sizes, *cards), params)


def rollout_parallel(seen: Seen) -> Iterator[Violation]:
    """M23: whole inference instances; a remainder fails when the weights are handed over."""
    devices, tensor = seen.devices("actor"), seen.view.number(_TENSOR)
    if devices and tensor and devices % tensor:
        cards = seen.device_keys()
        values = divisors_near(tensor, devices)
        params = {"cards": seen.names(cards), "value": tensor, "devices": devices, "values": values}
        yield Violation((_TENSOR, *cards), params, ((_TENSOR, values[0]),))


def rollout_pipeline(seen: Seen) -> Iterator[Violation]:
    """M12: no pipeline parallelism in inference."""
    pipeline = seen.view.number(_PIPELINE)
    if pipeline is not None and pipeline > 1:
        yield Violation((_PIPELINE,), {"value": pipeline}, ((_PIPELINE, 1),))


RULES = (
    Rule("training-parallel-not-divisible", training_parallel, number="M8"),
    Rule("mindspeed-rollout-parallel", rollout_parallel, number="M23"),
    Rule("rollout-pipeline-not-supported", rollout_pipeline, number="M12"),
)
