"""Whether a run fits into the memory of its devices: certain refusals, estimates, the share of the rollout engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..catalogue.words import word
from .memory import MemoryEstimate, MemoryPlan, Need, estimate
from .memory_plan import memory_plan

if TYPE_CHECKING:
    from ..catalogue import Problem
    from .view import View

_SHARE = "actor_rollout_ref.rollout.gpu_memory_utilization"
_DEVICES = ("trainer.n_gpus_per_node", "trainer.nnodes")
_TENSOR = "actor_rollout_ref.rollout.tensor_model_parallel_size"
_CACHE_DOUBT = 1.25  # the estimate of the cache must miss by more before a word is said


def check_memory(view: View) -> Iterator[Problem]:
    """What the estimate says; silent where machine or model are unknown. Memory that is not free: verl/machine.py."""
    plan = memory_plan(view)
    found = estimate(plan) if plan is not None else None
    if plan is None or found is None or plan.device_memory_gib is None:
        return
    certain = list(_certain(view, plan, found, plan.device_memory_gib))
    yield from certain
    if not certain:
        yield from _estimated(view, found, plan.device_memory_gib)
        yield from _cache(view, plan, found)


def _certain(view: View, plan: MemoryPlan, found: MemoryEstimate, memory: float) -> Iterator[Problem]:
    """Weights alone that exceed what there is; a warning where something may make them smaller."""
    rank = found.rollout_weights_gib
    if rank > memory or (plan.utilization is not None and rank > plan.utilization * memory):
        room = memory if plan.utilization is None else plan.utilization * memory
        # Norms, biases and rounding: a hair above is no certainty.
        level = "error" if rank > 1.02 * room and not _may_be_smaller(view, plan) else "warning"
        params = {"weights": round(rank, 1), "room": round(room, 1), "memory": round(memory, 1)}
        yield view.problem(level, "memory-weights-rollout", (_TENSOR, _SHARE), params)
    kept = next((term.gib for term in found.update.terms if term.name == "weights"), 0.0)
    if kept > memory:
        params = {"weights": round(kept, 1), "memory": round(memory, 1)}
        yield view.problem("error" if kept > 1.02 * memory else "warning", "memory-weights-training", _DEVICES, params)


def _may_be_smaller(view: View, plan: MemoryPlan) -> bool:
    """Whether the engine may keep fewer bits, or part of the weights on the host."""
    hints = ("quant", "offload", "load_format", "dtype")
    kwargs = [key for key in view.entries if ".engine_kwargs" in key]
    return (
        plan.model.quantized
        or bool(view.value("actor_rollout_ref.rollout.quantization"))
        or any(hint in key for key in kwargs for hint in hints)
        or view.text("actor_rollout_ref.rollout.name") not in ("vllm", "")
    )


def _estimated(view: View, found: MemoryEstimate, memory: float) -> Iterator[Problem]:
    for phase, need, keys in (
        ("update", found.update, _DEVICES),
        ("rollout", found.rollout, (_SHARE, *_DEVICES)),
    ):
        if need is None or need.gib <= memory:
            continue
        level, code = ("warning", "memory-too-small") if need.low > memory else ("hint", "memory-may-be-short")
        yield view.problem(level, code, keys, _shown(phase, need, memory))


def _shown(phase: str, need: Need, memory: float) -> dict[str, Any]:
    terms = [term for term in sorted(need.terms, key=lambda term: -term.gib) if term.gib >= 0.05]

    def listed(lang: Any) -> str:
        return ("、" if lang == "zh" else ", ").join(f"{word(f'memory-{t.name}', lang)} {t.gib:.1f}" for t in terms)

    return {
        "reason": phase,
        "need": f"{need.gib:.0f}",
        "low": f"{need.low:.0f}",
        "high": f"{need.high:.0f}",
        "memory": f"{memory:.0f}",
        "kind": f"memory-{need.dominating.name}",
        "terms": {"en": listed("en"), "zh": listed("zh")},
    }


def _cache(view: View, plan: MemoryPlan, found: MemoryEstimate) -> Iterator[Problem]:
    """A cache that can't hold one sequence of full length: vLLM refuses to start."""
    tokens, wanted = found.kv_tokens, plan.max_model_len
    if tokens is None or wanted is None or tokens * _CACHE_DOUBT >= wanted:
        return
    params = {"value": wanted, "tokens": tokens, "room": round(found.kv_gib or 0, 1)}
    keys = ("actor_rollout_ref.rollout.max_model_len", _SHARE, _TENSOR)
    yield view.problem("warning", "memory-cache-too-small", keys, params)
