"""The two ends of verl's rollout interface: the trainer's replica and the adapter in the FSDP worker.

Extension points: ``verl.workers.rollout.replica.RolloutReplica`` and
``verl.workers.rollout.base.BaseRollout``, registered in :mod:`.engines` under the name ``transformers_cpu``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import ray
import torch
from verl.workers.rollout.base import BaseRollout
from verl.workers.rollout.replica import RolloutReplica

from .server import TransformersServer


def _server_name(replica_rank: int, suffix: str = "") -> str:
    return f"transformers_cpu_server_{replica_rank}{suffix}"


class TransformersReplica(RolloutReplica):
    """One rollout server a replica."""

    async def launch_servers(self) -> None:
        config = self.config
        name = _server_name(self.replica_rank, self.name_suffix)
        actor_class: Any = ray.remote(TransformersServer)
        server: Any = actor_class.options(name=name, num_cpus=0, max_concurrency=self.max_concurrency).remote(
            model_path=os.path.expanduser(self.model_config.path),
            prompt_length=config.prompt_length,
            response_length=config.response_length,
            max_model_len=config.max_model_len,
            max_num_seqs=config.max_num_seqs,
            seed=config.seed + self.replica_rank,
            ignore_eos=config.ignore_eos,
            address=f"{ray.util.get_node_ip_address().strip('[]')}:transformers_cpu_{self.replica_rank}",
            trust_remote_code=bool(self.model_config.get("trust_remote_code", False)),
        )
        self.servers = [server]
        self._server_handle = server
        self._server_address = await server.get_server_address.remote()


class ServerAdapter(BaseRollout):
    """Lives in the FSDP worker and pushes the actor's weights into the replica's server."""

    def __init__(self, config: Any, model_config: Any, device_mesh: Any, replica_rank: int = -1) -> None:
        super().__init__(config, model_config, device_mesh)
        rank = int(os.environ["RANK"])
        size = (
            self.config.tensor_model_parallel_size
            * self.config.data_parallel_size
            * self.config.pipeline_model_parallel_size
        )
        self._leads = rank % size == 0
        self._replica_rank = rank // size if replica_rank == -1 else replica_rank
        self._server: Any = None

    async def resume(self, tags: list[str]) -> None:
        """Nothing was released."""

    async def release(self) -> None:
        """Nothing to release."""

    @torch.no_grad()
    async def update_weights(
        self,
        weights: Iterable[tuple[str, torch.Tensor]],
        wire_format: str = "named_tensors",
        global_steps: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Send all weights to the server and wait until it has them.

        Raises:
            NotImplementedError: The trainer sends deltas, or LoRA adapters instead of merged weights.
        """
        if wire_format != "named_tensors":
            raise NotImplementedError(f"the CPU rollout takes whole tensors, not {wire_format}")
        if kwargs.get("peft_config"):
            raise NotImplementedError("LoRA on the CPU rollout needs actor_rollout_ref.model.lora.merge=True")
        # Every rank has to draw all tensors: gathering a shard is collective.
        named = {name: tensor.detach().cpu().contiguous() for name, tensor in weights}
        if self._leads:
            if self._server is None:
                self._server = ray.get_actor(_server_name(self._replica_rank))
            await self._server.load_weights.remote(named, global_steps)
