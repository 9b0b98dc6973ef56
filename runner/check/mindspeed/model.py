"""The model's own numbers against degrees of parallelism; they come from the preset, not the tokenizer's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .rule import Rule, Violation
from .seen import Seen

_INFER = "generate_config.infer_tensor_parallel_size"
_INFER_EXPERT = "generate_config.infer_expert_parallel_size"
_LENGTH = "generate_config.max_model_len"


_LARGEST = 4096  # more heads or experts than any model has; looking for their divisors would only take time


def _violation(key: str, size: int, count: int, what: dict[str, str], fits: Callable[[int], bool]) -> Violation:
    fitting = [number for number in range(1, min(count, _LARGEST) + 1) if fits(number)]
    below = [number for number in fitting if number < size][-1:]
    values = below + [number for number in fitting if number > size][:1]
    return Violation((key,), {"value": size, "count": count, "what": what, "values": values}, ((key, values[0]),))


_HEADS = {"en": "attention heads", "zh": "注意力头"}
_GROUPS = {"en": "key/value heads", "zh": "键值头"}
_EXPERTS = {"en": "experts", "zh": "专家"}


def _numbers(seen: Seen) -> tuple[int | None, int | None]:
    """Attention heads and key/value heads; the latter only where they are grouped."""
    grouped = seen.value("actor", "group_query_attention") is True
    return seen.number("actor", "num_attention_heads"), seen.number("actor", "num_query_groups") if grouped else None


def training_heads(seen: Seen) -> Iterator[Violation]:
    """Training: every device of a tensor-parallel group takes whole heads, and whole key/value heads."""
    key, size = seen.key("actor", "tensor_model_parallel_size"), seen.number("actor", "tensor_model_parallel_size")
    heads, groups = _numbers(seen)

    def fits(number: int) -> bool:
        return (heads or 0) % number == 0 and (groups or 0) % number == 0

    if size and not fits(size):
        what = (heads, _HEADS) if heads and heads % size else (groups, _GROUPS)
        yield _violation(key, size, what[0] or 0, what[1], fits)


def rollout_heads(seen: Seen) -> Iterator[Violation]:
    """Inference: vLLM takes whole heads too; it repeats key/value heads where there are fewer than devices."""
    size = seen.view.number(_INFER)
    heads, groups = _numbers(seen)

    def fits(number: int) -> bool:
        return (heads or 0) % number == 0 and (not groups or groups % number == 0 or number % groups == 0)

    if size and not fits(size):
        what = (heads, _HEADS) if heads and heads % size else (groups, _GROUPS)
        yield _violation(_INFER, size, what[0] or 0, what[1], fits)


def experts(seen: Seen) -> Iterator[Violation]:
    """Training and inference: experts are dealt out evenly."""
    count = seen.number("actor", "num_experts")
    key, size = seen.key("actor", "expert_model_parallel_size"), seen.number("actor", "expert_model_parallel_size")
    for at, groups in ((key, size), (_INFER_EXPERT, seen.view.number(_INFER_EXPERT))):
        if count and groups and count % groups:
            yield _violation(at, groups, count, _EXPERTS, lambda number: count % number == 0)


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
    Rule("mindspeed-heads", training_heads),
    Rule("mindspeed-heads", rollout_heads),
    Rule("mindspeed-heads", experts),
    Rule("mindspeed-no-experts", dense),
    Rule("mindspeed-context-limit", context),
)
