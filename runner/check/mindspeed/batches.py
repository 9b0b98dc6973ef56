"""Batches against data parallelism (M9, M10, M11, M13, M14)."""

from __future__ import annotations

from collections.abc import Iterator

from ..numbers import divisors_near, multiples_near
from ..view_mindspeed import NODES
from .rule import Rule, Violation
from .seen import Seen

_N = "rl_config.n_samples_per_prompt"
_DISPATCH = "rl_config.actor_rollout_dispatch_size"
_FILTERED = "rl_config.filter_groups_train_batch_size"
_INFER = "generate_config.infer_tensor_parallel_size"


def micro_of_all(seen: Seen) -> Iterator[Violation]:
    """M9: all samples of a step are cut into micro batches without a remainder."""
    for role in seen.roles():
        batch, micro = seen.number(role, "global_batch_size"), seen.number(role, "micro_batch_size")
        if batch and micro and seen.n and batch * seen.n % micro:
            keys = (seen.key(role, "micro_batch_size"), seen.key(role, "global_batch_size"), _N)
            yield _micro(keys, micro, batch * seen.n)


def global_batch(seen: Seen) -> Iterator[Violation]:
    """M10: the batch is dealt out evenly to the data-parallel groups."""
    for role in seen.roles():
        yield from _dealt_out(seen, role, seen.key(role, "global_batch_size"))


def micro_of_group(seen: Seen) -> Iterator[Violation]:
    """M10: the samples of a group are cut into micro batches without a remainder."""
    for role in seen.roles():
        yield from _cut(seen, role, seen.key(role, "global_batch_size"))


def filtered_batch(seen: Seen) -> Iterator[Violation]:
    """M13: so is the batch that dynamic sampling keeps."""
    if seen.view.true("rl_config.filter_groups_enable"):
        yield from _dealt_out(seen, "actor", _FILTERED)


def filtered_micro(seen: Seen) -> Iterator[Violation]:
    """M13: and its samples."""
    if seen.view.true("rl_config.filter_groups_enable"):
        yield from _cut(seen, "actor", _FILTERED)


def rollout_batch(seen: Seen) -> Iterator[Violation]:
    """M11: the prompts are dealt out evenly to the inference instances."""
    batch, groups = seen.number("actor", "global_batch_size"), seen.rollout_parallel()
    # Devices that no training copy fits on have to change first; another batch size would be of no use.
    if batch and groups and batch % groups and seen.data_parallel("actor"):
        key = seen.key("actor", "global_batch_size")
        yield _batch(key, batch, groups, (key, _INFER, *seen.device_keys()))


def rollout_dispatch(seen: Seen) -> Iterator[Violation]:
    """M11: an instance's samples are handed over in portions of the dispatch size."""
    batch, groups = seen.number("actor", "global_batch_size"), seen.rollout_parallel()
    size = seen.view.number(_DISPATCH)
    if not (batch and groups and seen.n and size) or batch % groups:
        return
    samples = batch // groups * seen.n
    if samples % size:
        values = divisors_near(size, samples)
        key = seen.key("actor", "global_batch_size")
        params = {"value": size, "samples": samples, "values": values}
        yield Violation((_DISPATCH, key, _N, _INFER, *seen.device_keys()), params, ((_DISPATCH, values[0]),))


def nodes(seen: Seen) -> Iterator[Violation]:
    """M14: the rule rewards are computed on every Ray node, each with its share of the prompts."""
    view = seen.view
    if view.value("rl_config.reward_resource") is not None:
        return
    role = "actor" if seen.integrated else "reward"
    batch, count = seen.number(role, "global_batch_size"), view.number(NODES)
    if count is None and view.world.machine is not None:
        count = getattr(view.world.machine, "nodes", None)
    if batch and count and batch % count:
        key = seen.key(role, "global_batch_size")
        yield _batch(key, batch, count, (key, *((NODES,) if NODES in view.entries else ())))


def _dealt_out(seen: Seen, role: str, key: str) -> Iterator[Violation]:
    batch, groups = seen.view.number(key), seen.data_parallel(role)
    if batch and groups and batch % groups:
        yield _batch(key, batch, groups, (key, *seen.size_keys(role), *seen.device_keys(role)))


def _cut(seen: Seen, role: str, key: str) -> Iterator[Violation]:
    batch, groups, micro = seen.view.number(key), seen.data_parallel(role), seen.number(role, "micro_batch_size")
    if not (batch and groups and micro and seen.n) or batch % groups:
        return
    samples = batch // groups * seen.n
    if samples % micro and batch * seen.n % micro == 0:  # else M9 has said it
        micro_key = seen.key(role, "micro_batch_size")
        keys = (micro_key, key, _N, *seen.size_keys(role), *seen.device_keys(role))
        yield _micro(keys, micro, samples)


def _batch(key: str, batch: int, groups: int, keys: tuple[str, ...]) -> Violation:
    values = multiples_near(batch, groups)
    return Violation(keys, {"value": batch, "groups": groups, "values": values}, ((key, values[-1]),))


def _micro(keys: tuple[str, ...], micro: int, samples: int) -> Violation:
    values = divisors_near(micro, samples)
    return Violation(keys, {"value": micro, "samples": samples, "values": values}, ((keys[0], values[0]),))


RULES = (
    Rule("micro-batch-not-divisible", micro_of_all, number="M9"),
    Rule("global-batch-not-divisible", global_batch, number="M10"),
    Rule("micro-batch-not-divisible", micro_of_group, number="M10"),
    Rule("global-batch-not-divisible", rollout_batch, number="M11"),
    Rule("dispatch-not-divisible", rollout_dispatch, number="M11"),
    Rule("global-batch-not-divisible", filtered_batch, ">=2.2", number="M13"),
    Rule("micro-batch-not-divisible", filtered_micro, ">=2.2", number="M13"),
    Rule("global-batch-not-divisible", nodes, ">=2.2", number="M14"),
)
