"""From a configuration, as verl sees it, to what decides the memory of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .memory import MemoryPlan

if TYPE_CHECKING:
    from .view import View

_A = "actor_rollout_ref.actor."
_R = "actor_rollout_ref.rollout."
_FOUR_BYTES = frozenset(("fp32", "float32", "float"))


def memory_plan(view: View) -> MemoryPlan | None:
    """The plan of a verl run; None when model, devices or engine are not known well enough to say anything."""
    model, machine = view.world.model, view.world.machine
    nodes, per_node = view.number("trainer.nnodes"), view.number("trainer.n_gpus_per_node")
    strategy = view.text(f"{_A}strategy")
    if model is None or nodes is None or per_node is None or view.system != "verl" or view.launcher == "local":
        return None
    if strategy not in ("fsdp", "fsdp2", "megatron"):
        return None
    devices, megatron = nodes * per_node, strategy == "megatron"
    engine = f"{_A}megatron." if megatron else f"{_A}fsdp_config."
    tensor, pipeline, context = (
        _size(view, f"{engine}{name}_parallel_size") if megatron else 1
        for name in ("tensor_model", "pipeline_model", "context")
    )
    ulysses = (
        1
        if megatron
        else _first(view, f"{engine}ulysses_sequence_parallel_size", f"{_A}ulysses_sequence_parallel_size")
    )
    return MemoryPlan(
        model=model,
        devices=devices,
        strategy="megatron" if megatron else "fsdp",
        shard=view.number(f"{engine}fsdp_size") or 0,
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        expert=_size(view, f"{engine}expert_model_parallel_size") if megatron else 1,
        expert_tensor=_first(view, f"{engine}expert_tensor_parallel_size", default=tensor) if megatron else 1,
        ulysses=ulysses,
        tokens=_tokens(view, max(1, devices // (tensor * pipeline * context * ulysses)), ulysses * context),
        weight_bytes=_weight_bytes(view, engine, megatron),
        param_offload=view.true(f"{engine}param_offload"),
        optimizer_offload=view.true(f"{engine}optimizer_offload"),
        stay_on_host=not megatron and view.true(f"{engine}offload_policy"),
        checkpointing=_checkpointing(view, engine, megatron),
        lora_rank=view.number("actor_rollout_ref.model.lora_rank") or 0,
        critic_states=_critic_stays(view),
        rollout_tensor=_size(view, f"{_R}tensor_model_parallel_size")
        * _size(view, f"{_R}pipeline_model_parallel_size"),
        rollout_expert=_size(view, f"{_R}expert_parallel_size"),
        rollout_bytes=4 if view.text(f"{_R}dtype") in _FOUR_BYTES else 2,
        utilization=_share(view),
        colocated=not separate_rollout(view),
        frees=view.value(f"{_R}free_cache_engine") is not False,
        max_model_len=view.number(f"{_R}max_model_len"),
        device_memory_gib=machine.device_memory_gib if machine is not None else None,
    )


def separate_rollout(view: View) -> bool:
    """Whether generation has devices of its own."""
    pools = ("rollout.nnodes", "rollout.n_gpus_per_node", f"{_R}nnodes", f"{_R}n_gpus_per_node")
    return view.value("actor_rollout_ref.hybrid_engine") is False or any(
        view.given(key) and view.number(key) for key in pools
    )


def _share(view: View) -> float | None:
    share = view.real(f"{_R}gpu_memory_utilization")
    return share if share is not None and 0 < share <= 1 else None


def _size(view: View, key: str) -> int:
    return view.number(key) or 1


def _first(view: View, *keys: str, default: int = 1) -> int:
    numbers = [number for key in keys if (number := view.number(key)) is not None]
    return max(numbers, default=default)


def _weight_bytes(view: View, engine: str, megatron: bool) -> int:
    if megatron:
        return 2
    kind = view.text(f"{engine}model_dtype")
    return 2 if kind in ("bf16", "bfloat16", "fp16", "float16") else 4


def _checkpointing(view: View, engine: str, megatron: bool) -> bool:
    if megatron:
        return view.value(f"{engine}override_transformer_config.recompute_granularity") == "full"
    return view.value("actor_rollout_ref.model.enable_gradient_checkpointing") is not False


def _critic_stays(view: View) -> bool:
    """A critic like the actor that is not moved to the host; another model's size is not known."""
    if view.value("algorithm.adv_estimator") != "gae":
        return False
    path = view.text("critic.model.path")
    if not path or path != view.text("actor_rollout_ref.model.path"):
        return False
    places = ("critic.megatron.", "critic.model.fsdp_config.", "critic.fsdp.", "critic.fsdp_config.")
    return not any(view.true(f"{place}{kind}_offload") for place in places for kind in ("param", "optimizer"))


def _tokens(view: View, groups: int, split: int) -> int | None:
    """Most tokens of one pass on one device: the limit of dynamic batches, or the micro batch, if there are as many.

    Args:
        view: the configuration.
        groups: data parallel groups.
        split: devices of a group that share each sequence.
    """
    prompt, response = view.number("data.max_prompt_length"), view.number("data.max_response_length")
    if prompt is None or response is None:
        return None
    length = prompt + response
    mini, answers = view.number(f"{_A}ppo_mini_batch_size"), view.number(f"{_R}n") or 1
    there = max(1, mini * answers // groups) * length if mini is not None else None
    if view.true(f"{_A}use_dynamic_bsz"):
        limit = view.number(f"{_A}ppo_max_token_len_per_gpu")
        wanted = None if limit is None else limit * split
    else:
        micro = view.number(f"{_A}ppo_micro_batch_size_per_gpu")
        total = view.number(f"{_A}ppo_micro_batch_size")
        if micro is None and total is not None:
            micro = max(1, total // groups)
        wanted = None if micro is None else micro * length
    if wanted is None:
        return None
    return max(1, (wanted if there is None else min(wanted, there)) // split)
