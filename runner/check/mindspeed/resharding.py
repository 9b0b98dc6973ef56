"""Handing the weights from training to inference (M23); the workers refuse it when the first step begins."""

from __future__ import annotations

from collections.abc import Iterator

from ..numbers import divisors_near
from .rule import Rule, Violation
from .seen import Seen

_TENSOR = "generate_config.infer_tensor_parallel_size"
_EXPERT = "generate_config.infer_expert_parallel_size"


def gather(seen: Seen) -> Iterator[Violation]:
    """A training copy split into more parts than an inference one: each inference part is a whole number of them."""
    train, infer = seen.number("actor", "tensor_model_parallel_size"), seen.view.number(_TENSOR)
    if train and infer and train > infer and train % infer:
        values = divisors_near(infer, train)
        params = {"value": infer, "train": train, "values": values}
        yield Violation((_TENSOR, seen.key("actor", "tensor_model_parallel_size")), params, ((_TENSOR, values[0]),))


def split(seen: Seen) -> Iterator[Violation]:
    """Split into fewer parts: a pipeline stage's devices hold whole inference instances."""
    train, infer = seen.number("actor", "tensor_model_parallel_size"), seen.view.number(_TENSOR)
    stages, devices = seen.number("actor", "pipeline_model_parallel_size"), seen.devices("actor")
    if not (train and infer and stages and devices) or train >= infer or devices % infer:
        return
    share = devices // stages
    if share < infer or share % infer:
        keys = (_TENSOR, seen.key("actor", "pipeline_model_parallel_size"), *seen.device_keys())
        values = divisors_near(infer, share) if share else []
        yield Violation(keys, {"value": infer, "share": share, "values": values})


def experts(seen: Seen) -> Iterator[Violation]:
    """The experts of inference are a whole number of those of training (tensor parallelism extends both)."""
    expert, infer = seen.number("actor", "expert_model_parallel_size"), seen.view.number(_EXPERT)
    tensor, infer_tensor = seen.number("actor", "tensor_model_parallel_size"), seen.view.number(_TENSOR)
    if not (expert and infer and tensor and infer_tensor):
        return
    train = expert * tensor if seen.value("actor", "moe_tp_extend_ep") is True else expert
    if (infer * infer_tensor) % train:
        keys = (_EXPERT, _TENSOR, seen.key("actor", "expert_model_parallel_size"))
        yield Violation(keys, {"value": infer * infer_tensor, "train": train})


def extended(seen: Seen) -> Iterator[Violation]:
    """Expert parallelism in training goes with its extension over tensor parallelism."""
    expert = seen.number("actor", "expert_model_parallel_size")
    key = seen.key("actor", "moe_tp_extend_ep")
    if expert and expert > 1 and not seen.value("actor", "moe_tp_extend_ep"):
        keys = (seen.key("actor", "expert_model_parallel_size"), key)
        yield Violation(keys, {"value": expert, "other": seen.view.file_key(key)}, ((key, True),))


def layers(seen: Seen) -> Iterator[Violation]:
    """The layers are dealt out evenly to the pipeline stages, unless a list says otherwise."""
    count, stages = seen.number("actor", "num_layers"), seen.number("actor", "pipeline_model_parallel_size")
    if not (count and stages) or count % stages == 0:
        return
    if any(seen.value("actor", name) for name in ("num_layer_list", "noop_layers")):
        return
    keys = (seen.key("actor", "pipeline_model_parallel_size"), seen.key("actor", "num_layer_list"))
    yield Violation(keys, {"value": stages, "layers": count, "values": divisors_near(stages, count)})


def layer_list(seen: Seen) -> Iterator[Violation]:
    """A list of layers has an entry for each stage, and all layers of the model in it."""
    text, stages = seen.value("actor", "num_layer_list"), seen.number("actor", "pipeline_model_parallel_size")
    if not isinstance(text, str) or not stages:
        return
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        return
    count, total = seen.number("actor", "num_layers"), sum(map(int, parts))
    if len(parts) != stages or (count and total != count):
        keys = (seen.key("actor", "num_layer_list"), seen.key("actor", "pipeline_model_parallel_size"))
        params = {"value": text, "entries": len(parts), "total": total, "stages": stages, "layers": count or total}
        yield Violation(keys, params)


RULES = (
    Rule("mindspeed-reshard-gather", gather, number="M23"),
    Rule("mindspeed-reshard-split", split, number="M23"),
    Rule("mindspeed-reshard-experts", experts, ">=2.1", number="M23"),
    Rule("mindspeed-experts-extended", extended, number="M23"),
    Rule("mindspeed-layers", layers, number="M23"),
    Rule("mindspeed-layer-list", layer_list, level="warning", number="M23"),
)
