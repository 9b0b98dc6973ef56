"""verl's replay buffer, polled often and strict about rollouts that failed.

Extension point: ``trainer.v1.sampler.custom_sampler.{path,name}``. verl polls every 2 s, which on the CPU is
most of a step. verl does not pass its group filtering to a custom sampler, so the override list hands it over
through ``trainer.v1.sampler.sampler_kwargs``.
"""

from __future__ import annotations

from typing import Any

from transfer_queue import KVBatchMeta
from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer

POLL_SECONDS = 0.1


class QuickReplayBuffer(ReplayBuffer):
    """verl's synchronous :class:`ReplayBuffer` with a short poll interval.

    Raises:
        ValueError: The trainer mode is not ``sync``; the asynchronous buffer is another class in verl.
    """

    def __init__(self, *, trainer_mode: str, sampler_kwargs: Any = None, **kwargs: Any) -> None:
        if trainer_mode != "sync":
            raise ValueError(f"QuickReplayBuffer serves trainer.v1.trainer_mode=sync, not {trainer_mode}")
        options = dict(sampler_kwargs or {})
        groups = options.get("filter_groups") or {}
        if groups.get("enable"):
            kwargs.update(
                filter_groups_metric=groups["metric"],
                train_batch_size=options["train_batch_size"],
                gen_batch_size=1,  # what verl sets in the data loader for exact refills
                max_inflight_gen_batches=groups.get("max_inflight_gen_batches") or 1,
            )
        super().__init__(trainer_mode=trainer_mode, sampler_kwargs=sampler_kwargs, poll_interval=POLL_SECONDS, **kwargs)

    def sample(self, global_steps: int, partition_id: str, batch_size: int) -> tuple[KVBatchMeta, dict[str, Any]]:
        """Sample as verl does.

        Raises:
            RuntimeError: No rollout of a whole batch succeeded. verl itself notices that in training only;
                during validation it would stop at a missing field.
        """
        batch, metrics = super().sample(global_steps, partition_id, batch_size)
        if not batch.keys:
            raise RuntimeError(
                f"all {batch_size} rollouts of the {partition_id} batch at step {global_steps} failed: "
                "see 'Error in _run_prompt' above"
            )
        return batch, metrics
