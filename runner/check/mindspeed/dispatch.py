"""Portions in which samples are handed from stage to stage (M15, M16, part of M13)."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue.versions import version_holds
from ..numbers import divisors_near
from .rule import Rule, Violation
from .seen import Seen

_N = "rl_config.n_samples_per_prompt"
_MINI = "rl_config.mini_batch_size"
_UPDATE = "rl_config.actor_update_dispatch_size"
_DYNAMIC = "rl_config.dynamic_sampling_dispatch_size"
_FILTERED = "rl_config.filter_groups_train_batch_size"

# Dispatch size -> role whose batch it divides.
_SIZES = {
    "actor_logprob_dispatch_size": "actor",
    "ref_dispatch_size": "ref",
    "reward_dispatch_size": "reward",
    "adv_dispatch_size": "actor",
    "actor_update_dispatch_size": "actor",
    "critic_value_dispatch_size": "critic",
    "critic_update_dispatch_size": "critic",
    "kl_dispatch_size": "critic",
}
# What dynamic sampling leaves is what these see.
_OF_FILTERED = frozenset(("actor_logprob_dispatch_size", "adv_dispatch_size", "actor_update_dispatch_size"))
# Not more than one data-parallel group has (actor_rollout_dispatch_size divides its share already).
_CAPPED = ("actor_logprob_dispatch_size", "ref_dispatch_size", "reward_dispatch_size", "actor_update_dispatch_size")
_CAPPED_CRITIC = ("critic_value_dispatch_size", "critic_update_dispatch_size")


def divisible(seen: Seen) -> Iterator[Violation]:
    """M15: every dispatch size divides the samples of its stage."""
    view = seen.view
    filtered = view.true("rl_config.filter_groups_enable")
    for name, role in _SIZES.items():
        if name == "actor_update_dispatch_size" and seen.integrated and version_holds("<2.2", view.version):
            continue  # which looks at it only where the roles have workers of their own
        key, batch_key = f"rl_config.{name}", _batch_key(seen, role)
        if filtered and name in _OF_FILTERED:
            batch_key = _FILTERED
        if role == "critic" and (not seen.devices("critic") or not view.declared(key)):
            continue
        yield from _divides(seen, key, batch_key)
    if filtered:
        yield from _divides(seen, _DYNAMIC, _batch_key(seen, "reward"))


def _divides(seen: Seen, key: str, batch_key: str) -> Iterator[Violation]:
    size, batch = seen.view.number(key), seen.view.number(batch_key)
    if size and batch and seen.n and batch * seen.n % size:
        values = divisors_near(size, batch * seen.n)
        params = {"value": size, "samples": batch * seen.n, "values": values}
        yield Violation((key, batch_key, _N), params, ((key, values[0]),))


def _batch_key(seen: Seen, role: str) -> str:
    if seen.integrated and role in ("ref", "reward"):
        role = "actor"
    return seen.key(role, "global_batch_size")


def capped(seen: Seen) -> Iterator[Violation]:
    """M15: no dispatch size is more than a data-parallel group has."""
    for name in _CAPPED:
        role = "actor" if seen.integrated else _SIZES[name]
        if name == "reward_dispatch_size" and not seen.devices("reward"):
            continue  # rule rewards have no cap
        yield from _within(seen, name, role, seen.data_parallel(role))
    for name in _CAPPED_CRITIC:
        if seen.devices("critic"):
            yield from _within(seen, name, "critic", _floor(seen, "critic"))
    if seen.devices("critic"):
        yield from _within(seen, "kl_dispatch_size", "critic", 1)
    machine = seen.view.world.machine
    nodes = getattr(machine, "nodes", None) if machine is not None else None
    # With more nodes the cap is lower; one node is the most that it can be.
    yield from _within(seen, "dynamic_sampling_dispatch_size", "actor" if seen.integrated else "reward", nodes or 1)
    yield from _filtered_share(seen)


def _filtered_share(seen: Seen) -> Iterator[Violation]:
    """Without a size of its own the stage of log probabilities takes a group's share of the filtered batch."""
    key, size_key = _FILTERED, "rl_config.actor_logprob_dispatch_size"
    batch_key = seen.key("actor", "global_batch_size")
    filtered, batch, groups = seen.view.number(key), seen.view.number(batch_key), _floor(seen, "actor")
    if not seen.view.true("rl_config.filter_groups_enable") or seen.view.value(size_key) or not seen.n:
        return
    if filtered and batch and groups and filtered * seen.n // groups > batch * seen.n // groups:
        params = {"value": filtered, "limit": batch * seen.n // groups, "groups": groups}
        yield Violation((key, batch_key, _N), params, ((key, batch),))


def _floor(seen: Seen, role: str) -> int | None:
    devices, size = seen.devices(role), seen.copy_size(role)
    return devices // size if devices and size else None


def _within(seen: Seen, name: str, role: str, groups: int | None) -> Iterator[Violation]:
    key, batch_key = f"rl_config.{name}", seen.key(role, "global_batch_size")
    size, batch = seen.view.number(key), seen.view.number(batch_key)
    if not (size and batch and groups and seen.n):
        return
    limit = batch * seen.n // groups
    if size > limit:
        keys = (key, batch_key, _N, *seen.size_keys(role), *seen.device_keys(role))
        yield Violation(keys, {"value": size, "limit": limit, "groups": groups}, ((key, limit),) if limit else ())


def update_holds_a_mini_batch(seen: Seen) -> Iterator[Violation]:
    """M16: one portion of the update holds a group's share of a mini batch (which the class multiplies by n)."""
    size, mini = seen.view.number(_UPDATE), seen.view.number(_MINI)
    groups = _floor(seen, "actor")
    if size and mini and groups and seen.n and size < mini * seen.n / groups:
        least = -(-mini * seen.n // groups)
        params = {"value": size, "least": least, "groups": groups}
        keys = (_UPDATE, _MINI, _N, *seen.size_keys("actor"), *seen.device_keys())
        yield Violation(keys, params, ((_UPDATE, least),))


def dynamic_sampling(seen: Seen) -> Iterator[Violation]:
    """M13: dynamic sampling looks at whole groups of samples."""
    size = seen.view.number(_DYNAMIC)
    if seen.view.true("rl_config.filter_groups_enable") and size and seen.n and size % seen.n:
        values = [number for number in (size // seen.n * seen.n, -(-size // seen.n) * seen.n) if number]
        yield Violation((_DYNAMIC, _N), {"value": size, "n": seen.n, "values": values}, ((_DYNAMIC, values[-1]),))


RULES = (
    Rule("mindspeed-dispatch-samples", divisible, number="M15"),
    Rule("mindspeed-dispatch-cap", capped, ">=2.3", number="M15"),
    Rule("mindspeed-update-dispatch", update_holds_a_mini_batch, ">=2.2", number="M16"),
    Rule("mindspeed-dynamic-sampling", dynamic_sampling, ">=2.2", number="M13"),
)
