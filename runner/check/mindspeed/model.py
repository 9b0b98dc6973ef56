"""The model's own numbers against degrees of parallelism; they come from the preset, not the tokenizer's folder."""

from __future__ import annotations

from collections.abc import Iterator

from ..relation import divisors_near
from .rule import Rule, Violation
from .seen import Seen

_INFER = "generate_config.infer_tensor_parallel_size"
_INFER_EXPERT = "generate_config.infer_expert_parallel_size"
_LENGTH = "generate_config.max_model_len"


def _divides(key: str, size: int | None, count: int | None, what: dict[str, str]) -> Iterator[Violation]:
    if size and count and count % size:
        values = divisors_near(size, count)
        params = {"value": size, "count": count, "what": what, "values": values}
        yield Violation((key,), params, ((key, values[0]),))


_HEADS = {"en": "attention heads", "zh": "注意力头"}
_GROUPS = {"en": "key/value heads", "zh": "键值头"}
_EXPERTS = {"en": "experts", "zh": "专家"}


def heads(seen: Seen) -> Iterator[Violation]:
    """Training: every device of a tensor-parallel group takes whole heads."""
    key, size = seen.key("actor", "tensor_model_parallel_size"), seen.number("actor", "tensor_model_parallel_size")
    yield from _divides(key, size, seen.number("actor", "num_attention_heads"), _HEADS)


def groups(seen: Seen) -> Iterator[Violation]:
    """Training: and whole key/value heads."""
    key, size = seen.key("actor", "tensor_model_parallel_size"), seen.number("actor", "tensor_model_parallel_size")
    count = seen.number("actor", "num_attention_heads")
    if seen.value("actor", "group_query_attention") is True and (not count or not size or count % size == 0):
        yield from _divides(key, size, seen.number("actor", "num_query_groups"), _GROUPS)


def infer_heads(seen: Seen) -> Iterator[Violation]:
    """Inference: vLLM takes whole heads too; it repeats key/value heads where there are fewer than devices."""
    size, count = seen.view.number(_INFER), seen.number("actor", "num_attention_heads")
    if size and count and count % size:
        yield from _divides(_INFER, size, count, _HEADS)
    elif size and seen.value("actor", "group_query_attention") is True:
        few = seen.number("actor", "num_query_groups")
        if few and few % size and size % few:
            yield from _divides(_INFER, size, few, _GROUPS)


def experts(seen: Seen) -> Iterator[Violation]:
    """Training and inference: experts are dealt out evenly."""
    count = seen.number("actor", "num_experts")
    key, size = seen.key("actor", "expert_model_parallel_size"), seen.number("actor", "expert_model_parallel_size")
    yield from _divides(key, size, count, _EXPERTS)
    yield from _divides(_INFER_EXPERT, seen.view.number(_INFER_EXPERT), count, _EXPERTS)


def dense(seen: Seen) -> Iterator[Violation]:
    """Expert parallelism of a model that is known to have no experts."""
    key, size = seen.key("actor", "expert_model_parallel_size"), seen.number("actor", "expert_model_parallel_size")
    if size and size > 1 and seen.value("actor", "num_experts") == 0:
        yield Violation((key,), {"value": size}, ((key, 1),))


def context(seen: Seen) -> Iterator[Violation]:
    """A context beyond what the model was made for; vLLM reads config.json, and refuses it unless told otherwise."""
    facts = getattr(seen.view.world, "model", None)
    length = seen.view.number(_LENGTH)
    limit = getattr(facts, "max_position_embeddings", None) if facts is not None else None
    if not length or not limit or facts is None or facts.source == "preset":
        return
    limit = int(limit * (facts.rope_scaling_factor or 1))
    machine = seen.view.world.machine
    allowed = machine is not None and str(getattr(machine, "env", {}).get("VLLM_ALLOW_LONG_MAX_MODEL_LEN", "")) == "1"
    if length > limit:
        yield Violation(
            (_LENGTH,), {"value": length, "limit": limit}, ((_LENGTH, limit),), "warning" if allowed else None
        )


RULES = (
    Rule("mindspeed-heads", heads),
    Rule("mindspeed-heads", groups),
    Rule("mindspeed-heads", infer_heads),
    Rule("mindspeed-heads", experts),
    Rule("mindspeed-no-experts", dense),
    Rule("mindspeed-context-limit", context),
)
