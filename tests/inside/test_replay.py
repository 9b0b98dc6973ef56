"""The replay buffer under verl's trainer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from verl.trainer.ppo.v1 import replay_buffer as verls

from agentic_rl_inside.replay import QuickReplayBuffer


def build(**changes: Any) -> QuickReplayBuffer:
    options: dict[str, Any] = {
        "trainer_mode": "sync",
        "trainer_config": {},
        "max_off_policy_threshold": 8,
        "max_off_policy_strategy": "drop",
        "sampler_kwargs": {},
        "refill_fn": lambda count: None,
    }
    return QuickReplayBuffer(**{**options, **changes})


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], list[str]]:
    """Stand in for TransferQueue with a fixed content; returns the keys that were cleared."""

    def fill(content: dict[str, Any]) -> list[str]:
        cleared: list[str] = []
        monkeypatch.setattr(verls.tq, "kv_list", lambda: content)
        monkeypatch.setattr(verls.tq, "kv_clear", lambda partition_id, keys: cleared.extend(keys))
        return cleared

    return fill


def prompt(status: str) -> dict[str, Any]:
    return {"is_prompt": True, "status": status, "global_steps": 1}


def test_it_polls_many_times_a_second() -> None:
    assert build().poll_interval <= 0.1


def test_it_samples_what_is_finished(queue: Any) -> None:
    cleared = queue({"train": {"u": prompt("finished"), "u_0_0": {"seq_len": 3}, "u_1_0": {"seq_len": 4}}})
    batch, _ = build().sample(1, "train", 1)
    assert sorted(batch.keys) == ["u_0_0", "u_1_0"]
    assert cleared == ["u"]


def test_a_batch_without_a_single_rollout_is_an_error_in_training_and_validation(queue: Any) -> None:
    for partition in ("train", "val"):
        queue({partition: {"u": prompt("failure")}})
        with pytest.raises(RuntimeError):
            build().sample(1, partition, 1)


def test_other_trainer_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="separate_async"):
        build(trainer_mode="separate_async")


def test_dapos_group_filter_is_handed_over() -> None:
    groups = {"enable": True, "metric": "acc", "max_inflight_gen_batches": 2}
    buffer = build(sampler_kwargs={"filter_groups": groups, "train_batch_size": 16})
    assert (buffer.filter_groups_metric, buffer.train_batch_size, buffer.max_inflight_gen_batches) == (
        "acc",
        16,
        2,
    )
    off = build(sampler_kwargs={"filter_groups": {**groups, "enable": False}, "train_batch_size": 16})
    assert off.filter_groups_metric is None


def test_a_dead_agent_loop_worker_ends_the_wait(queue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    queue({"train": {"u": prompt("running")}})
    looks = iter([{"agent_loop_worker_0_a", "agent_loop_worker_1_b"}, {"agent_loop_worker_1_b"}])
    monkeypatch.setattr("agentic_rl_inside.replay.living_workers", lambda: next(looks))
    monkeypatch.setattr("agentic_rl_inside.replay.LOOK_SECONDS", 0.0)
    with pytest.raises(RuntimeError, match="agent_loop_worker_0_a is dead"):
        build().sample(1, "train", 1)
