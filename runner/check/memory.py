"""Estimate of the device memory that a run takes at its two peaks: updating the actor, and generating.

The states (weights, gradients, optimizer) are arithmetic and hold within a few percent. Activations depend on how long
the sequences really get, so that each term has a lower and an upper bound; docs/en/machines.md says what was compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .memory_weights import Weights, kv_bytes_per_token, weights_of

if TYPE_CHECKING:
    from ..facts.model import ModelFacts

GIB = float(2**30)
# Bytes of a logit in flight: bf16 value, softmax in fp32, gradient. An in-place kernel keeps 4, a naive one 14.
_LOGIT_BYTES = {"fsdp": (4.0, 8.0, 14.0), "megatron": (5.0, 10.0, 14.0)}
_REAL_SHARE = 0.05  # the least part of the allowed tokens that a pass holds in practice (short answers)
_RUNTIME = (0.5, 1.5, 4.0)  # communication buffers, workspaces, fragmentation; GiB


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """What decides how much memory a device needs.

    Attributes:
        devices: that train together; ``shard`` of them share one copy of the states (FSDP; 0 is all).
        tensor, pipeline, context, expert, expert_tensor: parallel sizes of training (Megatron); ``ulysses`` of FSDP.
        tokens: most tokens of one forward and backward pass on one device; None when unknown.
        weight_bytes: of a trained weight as it is kept (FSDP: 4 by default, Megatron: 2).
        param_offload, optimizer_offload: moved to the host while others need the device; ``stay_on_host``: FSDP2's
            policy, under which they never come to the device as a whole.
        checkpointing: activations are computed again in the backward pass.
        lora_rank: 0 trains every weight.
        critic_states: a critic of the same size stays on the same devices.
        rollout_tensor, rollout_expert: parallel sizes of generation; ``rollout_bytes`` of a weight there.
        utilization: share of the device that the rollout engine takes; None when it is unknown.
        colocated: training and generation share devices; ``frees``: the engine gives its memory back meanwhile.
        device_memory_gib: of one device; None when unknown.
    """

    model: ModelFacts
    devices: int
    strategy: Literal["fsdp", "megatron"] = "fsdp"
    shard: int = 0
    tensor: int = 1
    pipeline: int = 1
    context: int = 1
    expert: int = 1
    expert_tensor: int = 1
    ulysses: int = 1
    tokens: int | None = None
    weight_bytes: int = 4
    param_offload: bool = False
    optimizer_offload: bool = False
    stay_on_host: bool = False
    checkpointing: bool = True
    lora_rank: int = 0
    critic_states: bool = False
    rollout_tensor: int = 1
    rollout_expert: int = 1
    rollout_bytes: int = 2
    utilization: float | None = None
    colocated: bool = True
    frees: bool = True
    max_model_len: int | None = None
    device_memory_gib: float | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One part of the need, in GiB: what is likely when every sequence is as long as allowed, and the bounds."""

    name: str
    gib: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Need:
    """What a device needs in one phase, by term."""

    terms: tuple[Term, ...]

    @property
    def gib(self) -> float:
        """The likely sum, with sequences of full length."""
        return sum(term.gib for term in self.terms)

    @property
    def low(self) -> float:
        """The sum below which it will not be."""
        return sum(term.low for term in self.terms)

    @property
    def high(self) -> float:
        """The sum above which it should not be."""
        return sum(term.high for term in self.terms)

    @property
    def dominating(self) -> Term:
        """The largest term."""
        return max(self.terms, key=lambda term: term.gib)


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """The answer.

    Attributes:
        update: while the actor is updated.
        rollout: while answers are generated; None when the share of the engine or the device's memory is unknown.
        rollout_weights_gib: weights of one rollout rank; part of the engine's share.
        kv_gib: what the engine's share leaves for the cache; None when unknown, negative when nothing is left.
        kv_tokens: tokens that fit into that.
    """

    update: Need
    rollout: Need | None
    rollout_weights_gib: float
    kv_gib: float | None
    kv_tokens: int | None


def estimate(plan: MemoryPlan) -> MemoryEstimate | None:
    """Estimate the need of one device; None when the shape of the model is unknown."""
    weights = weights_of(plan.model)
    if weights is None:
        return None
    states = _states(plan, weights)
    update = [] if plan.stay_on_host else list(states)
    if plan.critic_states:
        total = sum(term.gib for term in states)
        update.append(Term("critic", total, total, total))
    update += [_gathered(plan, weights), *_per_token(plan), Term("runtime", _RUNTIME[1], _RUNTIME[0], _RUNTIME[2])]
    share = None
    if plan.utilization is not None and plan.device_memory_gib is not None:
        share = plan.utilization * plan.device_memory_gib
    if share is not None and plan.colocated and not plan.frees:
        update.append(Term("rollout-engine", share, share, share))
    rank = _rollout_weights(plan, weights)
    kv = None if share is None else share - rank
    per_token = kv_bytes_per_token(plan.model, plan.rollout_tensor, plan.rollout_bytes)
    tokens = int(max(0.0, kv) * GIB / per_token) if kv is not None and per_token else None
    return MemoryEstimate(Need(tuple(update)), _rollout(plan, states, share), rank, kv, tokens)


def _states(plan: MemoryPlan, weights: Weights) -> tuple[Term, ...]:
    """Weights, gradients and Adam's moments of one device."""
    trained = weights.linear_ends * plan.lora_rank if plan.lora_rank else weights.total
    if plan.strategy == "fsdp":
        shards = plan.shard if 0 < plan.shard < plan.devices else plan.devices
        kept = weights.total * plan.weight_bytes / shards
        gradients = trained * plan.weight_bytes / shards
        moments = trained * 2 * plan.weight_bytes / shards
    else:
        other = weights.other / (plan.tensor * plan.pipeline)
        expert = weights.expert / (plan.expert * plan.expert_tensor * plan.pipeline)
        local = other + expert
        part = trained / weights.total
        kept, gradients = local * 2, local * part * 4
        # The distributed optimizer: an fp32 copy and two moments, over the ranks that hold the same weights.
        copies = max(1, plan.devices // (plan.tensor * plan.pipeline))
        expert_copies = max(1, plan.devices // (plan.expert * plan.expert_tensor * plan.pipeline))
        moments = (other / copies + expert / expert_copies) * part * 12
    parts = (("weights", kept), ("gradients", gradients), ("optimizer", moments))
    return tuple(Term(name, size / GIB, size / GIB, size * 1.05 / GIB) for name, size in parts)


def _gathered(plan: MemoryPlan, weights: Weights) -> Term:
    """What FSDP gathers for a while: embedding and output layer with their gradients, and two layers."""
    if plan.strategy != "fsdp" or plan.devices == 1:
        return Term("gathered", 0.0, 0.0, 0.0)
    least, likely = 2.0 * weights.embedding + 2.0 * weights.layer, 4.0 * weights.embedding + 6.0 * weights.layer
    if plan.stay_on_host:
        least = 2.0 * weights.layer
    return Term("gathered", likely / GIB, least / GIB, 1.5 * likely / GIB)


def _per_token(plan: MemoryPlan) -> list[Term]:
    """Activations and logits of one pass."""
    model, tokens = plan.model, plan.tokens
    if tokens is None:
        return []
    hidden, layers = model.hidden_size or 0, (model.num_hidden_layers or 0) / plan.pipeline
    width = model.intermediate_size or 0
    if model.num_experts:
        active = (model.num_experts_per_tok or 1) + (model.num_shared_experts or 0)
        width = (model.moe_intermediate_size or 0) * active
    head = model.head_dim or hidden // (model.num_attention_heads or 1)
    query = (model.num_attention_heads or 0) * head
    key = (model.num_key_value_heads or model.num_attention_heads or 0) * head
    # A bf16 value each: input, two norms, residual and output of the attention; queries and their result; keys and
    # values; gate, up, activation and product.
    one_layer = 2.0 * (5 * hidden + 2 * query + 2 * key + 4 * width) / plan.tensor
    inputs = 2.0 * hidden * layers / plan.tensor  # with sequence parallelism, as both back ends set it
    activations = tokens * (inputs + 2 * one_layer if plan.checkpointing else one_layer * layers)
    if plan.pipeline > 1:
        activations *= plan.pipeline  # the first stage holds that many micro batches
    least, likely, most = _LOGIT_BYTES[plan.strategy]
    logits = tokens * (model.vocab_size or 0) / plan.tensor
    return [
        Term("activations", activations / GIB, _REAL_SHARE * activations / GIB, 1.5 * activations / GIB),
        Term("logits", likely * logits / GIB, _REAL_SHARE * least * logits / GIB, most * logits / GIB),
    ]


def _rollout_weights(plan: MemoryPlan, weights: Weights) -> float:
    expert = weights.expert / max(plan.rollout_tensor, plan.rollout_expert)
    return (weights.other / plan.rollout_tensor + expert) * plan.rollout_bytes / GIB


def _rollout(plan: MemoryPlan, states: tuple[Term, ...], share: float | None) -> Need | None:
    if share is None:
        return None
    terms = [Term("rollout-engine", share, share, share)]
    if plan.colocated and not plan.stay_on_host:
        weights, _, optimizer = states  # gradients are dropped after the update
        if not plan.param_offload:
            terms.append(weights)
        if not plan.optimizer_offload:
            terms.append(optimizer)
    return Need(tuple(terms))
