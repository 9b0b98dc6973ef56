"""Micro batches: which of two names sets them (V2), and whether they divide what a device gets (V5, V7)."""

from __future__ import annotations

from functools import partial
from math import lcm

from ..numbers import divisors_near
from ..view import View
from .relation import NATIVE, Finding, Relation
from .setup import (
    ACTOR,
    BATCH,
    DEVICES,
    DYNAMIC,
    LEGACY,
    MICRO,
    MINI,
    REF,
    ROLLOUT,
    SP,
    N,
    data_parallel,
    engine_workers,
    fsdp,
    uses_critic,
    uses_reference,
    v1_trainer,
    whole_run,
)

_LOG_PROB = "log_prob_micro_batch_size"


def _uneven(view: View) -> Finding | None:
    mini, n, micro, copies = view.number(MINI), view.number(N), view.number(MICRO), data_parallel(view)
    if not mini or not n or not micro or not copies:
        return None
    if engine_workers(view):
        if view.true(DYNAMIC) or mini * n % copies:
            return None  # the latter has a problem of its own
    elif not fsdp(view):
        return None
    samples = mini * n // copies
    if not samples or samples % micro == 0:
        return None
    values = divisors_near(micro, samples)
    return Finding({"value": micro, "samples": samples, "devices": copies, "values": values}, ((MICRO, values[0]),))


def _log_prob_uneven(section: str, view: View) -> Finding | None:
    key, dynamic = section + _LOG_PROB + "_per_gpu", section + "log_prob_use_dynamic_bsz"
    batch, n, mini, micro = view.number(BATCH), view.number(N), view.number(MINI), view.number(key)
    copies = data_parallel(view)
    if not batch or not n or not mini or not micro or not copies or not engine_workers(view):
        return None
    if view.true(dynamic) or (section == REF and not uses_reference(view)):
        return None
    rows = batch * n
    if v1_trainer(view):
        step = lcm(copies, mini * n)
        rows = -(-rows // step) * step  # it fills the batch up
    if rows % copies or rows // copies % micro == 0:
        return None
    values = divisors_near(micro, rows // copies)
    return Finding({"value": micro, "samples": rows // copies, "values": values}, ((key, values[0]),))


def _needed(role: str, view: View) -> bool:
    """Whether verl asks for the role's micro batch size."""
    if role == "critic":
        return uses_critic(view) and not view.true("critic.use_dynamic_bsz")
    if role == "reward_model":
        return view.true("reward_model.enable") and not view.true("reward_model.use_dynamic_bsz")
    return not view.true(DYNAMIC) and (role != "ref" or uses_reference(view))


def _missing(role: str, old: str, key: str, switch: str, view: View) -> Finding | None:
    if not _needed(role, view) or view.value(old) is not None or view.value(key) is not None:
        return None
    # A part of a run may get it elsewhere (on the command line).
    return Finding({"second": view.file_key(switch)}, (), None if whole_run(view) else "hint", (key,))


def _twice(role: str, old: str, key: str, _switch: str, view: View) -> Finding | None:
    if not _needed(role, view) or view.value(old) is None or view.value(key) is None:
        return None
    return Finding({"value": view.value(old)}, ())


def _switches(view: View) -> Finding | None:
    """One worker trains and computes log probabilities with one setting."""
    rollout = view.value(ROLLOUT + "log_prob_use_dynamic_bsz")
    if not engine_workers(view) or not isinstance(rollout, bool) or view.true(DYNAMIC) == rollout:
        return None
    return Finding(
        {"value": rollout, "other": view.true(DYNAMIC)}, ((ROLLOUT + "log_prob_use_dynamic_bsz", not rollout),)
    )


def _old_name(key: str, view: View) -> Finding | None:
    """The engine worker reads the size per device only."""
    if view.true(DYNAMIC) or view.value(key) is None or view.value(key + "_per_gpu") is not None:
        return None
    return Finding({"better": view.file_key(key) + "_per_gpu"})


_ROLES = (
    ("actor", ACTOR + "ppo_micro_batch_size", DYNAMIC, ""),
    ("rollout", ROLLOUT + _LOG_PROB, DYNAMIC, ""),
    ("ref", REF + _LOG_PROB, DYNAMIC, ""),
    ("critic", "critic.ppo_micro_batch_size", "critic.use_dynamic_bsz", ""),
    ("reward_model", "reward_model.micro_batch_size", "reward_model.use_dynamic_bsz", "<=0.6.1"),
)


def _both() -> list[Relation]:
    found: list[Relation] = []
    for role, old, other, versions in _ROLES:
        key = f"{old}_per_gpu"
        for code, judge in (("micro-batch-missing", _missing), ("micro-batch-twice", _twice)):
            given = "none" if judge is _missing else "any"
            keys = (key, old, other) if judge is _missing else (old, key, other)
            bound = partial(judge, role, old, key, other)
            found.append(Relation(code, keys, bound, versions=versions, launchers=NATIVE, given=given))
    return found


MICRO_BATCHES: tuple[Relation, ...] = (
    Relation("micro-batch-uneven", (MICRO, MINI, N, *DEVICES, SP, LEGACY), _uneven),
    *(
        Relation(
            "log-prob-batch-uneven",
            (section + _LOG_PROB + "_per_gpu", BATCH, N, MINI, *DEVICES, SP),
            partial(_log_prob_uneven, section),
            versions=">=0.7",
        )
        for section in (ROLLOUT, REF)
    ),
    *(
        Relation("micro-batch-old-name", (key, DYNAMIC), partial(_old_name, key), versions=">=0.8", given="first")
        for key in (ACTOR + "ppo_micro_batch_size", ROLLOUT + _LOG_PROB)
    ),
    Relation(
        "dynamic-batches-differ",
        (ROLLOUT + "log_prob_use_dynamic_bsz", DYNAMIC, LEGACY),
        _switches,
        versions=">=0.7",
        named=2,
    ),
    *_both(),
)
