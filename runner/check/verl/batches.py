"""Batches and mini batches that are dealt out to devices (V1, V3-V6 and the remainder of a batch)."""

from __future__ import annotations

from ..numbers import factor_for, multiples_near
from ..view import View
from .relation import Finding, Relation
from .setup import (
    ACTOR,
    BATCH,
    DEVICES,
    DYNAMIC,
    LEGACY,
    MEGATRON,
    MICRO,
    MINI,
    SP,
    STRATEGY,
    USE_V1,
    N,
    data_parallel,
    devices,
    engine_workers,
    fsdp,
    megatron,
    model_parallel,
    sequence_parallel,
    uses_critic,
    v1_trainer,
    whole_run,
)

OLD_MICRO = ACTOR + "ppo_micro_batch_size"
CRITIC_MINI, CRITIC_MICRO = "critic.ppo_mini_batch_size", "critic.ppo_micro_batch_size"
CRITIC_SP = "critic.ulysses_sequence_parallel_size"


def _batch(view: View) -> Finding | None:
    batch, n, total = view.number(BATCH), view.number(N), devices(view)
    if not batch or not n or not total or megatron(view) or batch * n % total == 0:
        return None
    values = multiples_near(batch, factor_for(n, total))
    return Finding({"product": batch * n, "devices": total, "values": values}, ((BATCH, values[-1]),))


def _static_batch(view: View) -> Finding | None:
    return None if view.true(DYNAMIC) else _batch(view)


def _megatron_devices(view: View) -> Finding | None:
    total, shared = devices(view), model_parallel(view)
    if not megatron(view) or not total or not shared or total % shared == 0:
        return None
    return Finding({"devices": total, "value": shared})


def _megatron_batch(view: View) -> Finding | None:
    batch, n, micro, copies = view.number(BATCH), view.number(N), view.number(MICRO), data_parallel(view)
    if not megatron(view) or not batch or not n or not micro or not copies or batch * n % (copies * micro) == 0:
        return None
    values = multiples_near(batch, factor_for(n, copies * micro))
    params = {"product": batch * n, "least": copies * micro, "copies": copies, "values": values}
    return Finding(params, ((BATCH, values[-1]),))


def _static_megatron_batch(view: View) -> Finding | None:
    return None if view.true(DYNAMIC) else _megatron_batch(view)


def _mini_batch(view: View) -> Finding | None:
    mini, n, copies = view.number(MINI), view.number(N), data_parallel(view)
    if not mini or not n or not copies or not fsdp(view) or engine_workers(view) or mini * n // copies > 0:
        return None
    least = -(-copies // n)
    return Finding({"product": mini * n, "devices": copies, "least": least}, ((MINI, least),))


def _mini_batch_split(view: View) -> Finding | None:
    mini, n, copies = view.number(MINI), view.number(N), data_parallel(view)
    if not mini or not n or not copies or not engine_workers(view) or mini * n % copies == 0:
        return None
    values = multiples_near(mini, factor_for(n, copies))
    return Finding({"product": mini * n, "devices": copies, "values": values}, ((MINI, values[-1]),))


def _below_mini(key: str, view: View) -> Finding | None:
    batch, mini = view.number(BATCH), view.number(key)
    if not batch or not mini or batch >= mini:
        return None
    # A part of a run may set the mini batch elsewhere.
    level = None if view.given(key) or whole_run(view) else "warning"
    return Finding({"value": batch, "least": mini}, ((key, batch),), level)


def _actor_below_mini(view: View) -> Finding | None:
    return None if view.true(DYNAMIC) else _below_mini(MINI, view)


def _critic_below_mini(view: View) -> Finding | None:
    if not uses_critic(view) or view.true("critic.use_dynamic_bsz"):
        return None
    return _below_mini(CRITIC_MINI, view)


def _old_micro(key: str, mini_key: str, view: View) -> Finding | None:
    micro, mini, total = view.number(key), view.number(mini_key), devices(view)
    if not micro or not mini or not total:
        return None
    shared = sequence_parallel(view) if key == OLD_MICRO else view.number(CRITIC_SP) or 1
    if mini % micro == 0 and micro * shared >= total:
        return None
    return Finding({"value": micro, "mini": mini, "devices": total})


def _actor_old_micro(view: View) -> Finding | None:
    return None if view.true(DYNAMIC) else _old_micro(OLD_MICRO, MINI, view)


def _critic_old_micro(view: View) -> Finding | None:
    if not uses_critic(view) or view.true("critic.use_dynamic_bsz"):
        return None
    return _old_micro(CRITIC_MICRO, CRITIC_MINI, view)


def _remainder(view: View) -> Finding | None:
    batch, mini = view.number(BATCH), view.number(MINI)
    if not batch or not mini or batch % mini == 0:
        return None
    refused = engine_workers(view) and not v1_trainer(view) and (view.given(MINI) or whole_run(view))
    level = "error" if refused else "hint"
    values = multiples_near(batch, mini)
    return Finding({"value": batch, "mini": mini, "values": values}, ((BATCH, values[-1]),), level)


_SPLIT = (MINI, N, *DEVICES)
_MORE = (SP, STRATEGY, LEGACY)

BATCHES: tuple[Relation, ...] = (
    Relation("batch-not-divisible", (BATCH, N, *DEVICES, STRATEGY), _batch, versions="<0.6"),
    Relation("batch-not-divisible", (BATCH, N, *DEVICES, STRATEGY, DYNAMIC), _static_batch, versions=">=0.6"),
    Relation("model-parallel-not-divisible", (*MEGATRON, *DEVICES), _megatron_devices),
    Relation("megatron-batch-not-divisible", (BATCH, N, MICRO, *DEVICES, *MEGATRON), _megatron_batch, versions="<0.6"),
    Relation(
        "megatron-batch-not-divisible", (BATCH, N, MICRO, *DEVICES, *MEGATRON, DYNAMIC), _static_megatron_batch,
        versions=">=0.6",
    ),
    Relation("mini-batch-too-small", (*_SPLIT, *_MORE), _mini_batch, versions="<0.8"),
    Relation("mini-batch-not-divisible", (*_SPLIT, *_MORE), _mini_batch_split, versions=">=0.7"),
    Relation("batch-below-mini-batch", (BATCH, MINI, DYNAMIC), _actor_below_mini),
    Relation("batch-below-mini-batch", (BATCH, CRITIC_MINI, "critic.use_dynamic_bsz"), _critic_below_mini),
    Relation("old-micro-batch", (OLD_MICRO, MINI, *DEVICES, SP, DYNAMIC), _actor_old_micro, given="first"),
    Relation("old-micro-batch", (CRITIC_MICRO, CRITIC_MINI, *DEVICES, CRITIC_SP), _critic_old_micro, given="first"),
    Relation("batch-leaves-remainder", (BATCH, MINI, LEGACY, USE_V1), _remainder, launchers=("verl", "ascendfactory")),
)  # fmt: skip
