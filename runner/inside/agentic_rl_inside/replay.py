"""verl's replay buffer, polled often and strict about rollouts that failed.

Extension point: ``trainer.v1.sampler.custom_sampler.{path,name}``. verl polls every 2 s, which on the CPU is
most of a step. verl does not pass its group filtering to a custom sampler, so the override list hands it over
through ``trainer.v1.sampler.sampler_kwargs``.
"""

from __future__ import annotations

import time
from typing import Any

from ray.util import list_named_actors
from transfer_queue import KVBatchMeta
from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer

POLL_SECONDS = 0.1
LOOK_SECONDS = 5.0
"""Between two looks at the processes of the agent loops."""
WORKERS = "agent_loop_worker_"
"""How verl's names of those actors start."""


def living_workers() -> set[str]:
    """Names of the agent loop workers that are alive in this Ray namespace."""
    return {name for name in list_named_actors() if name.startswith(WORKERS)}


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
        self._seen: set[str] = set()
        self._looked = 0.0

    def _wait_for_next_poll(self, *args: Any) -> float:
        """Wait as verl does, and look whether those are alive that it waits for.

        Raises:
            RuntimeError: A worker died (the agent ended the process, or the memory did); its prompts stay "running"
                for ever, and verl would wait as long.
        """
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            living = living_workers()
            if dead := self._seen - living:
                names = ", ".join(sorted(dead))
                raise RuntimeError(
                    f"[agentic-rl wrapper] error rule=worker-died: {names} is dead: the agent ended its process, or "
                    "the memory was used up; the run ends"
                )
            self._seen = living
        return super()._wait_for_next_poll(*args)

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
