"""The rollout server: a Ray actor around :class:`.generation.Generator`.

verl reaches it through the replica in :mod:`.rollout` (``RolloutReplicaRegistry``). Its process imports torch
and Transformers only; leaving verl out saves seconds of start-up and some 200 MB.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import torch

from .generation import Completion, Generator, Request
from .sampling import SamplingParams

GATHER_SECONDS = 0.01
"""A burst of requests is over when none has arrived for this long."""


def _token_output(fields: dict[str, Any]) -> Any:
    from verl.workers.rollout.replica import TokenOutput

    return TokenOutput(**fields)


class Reply:
    """Arrives as verl's ``TokenOutput`` where it was asked for, without verl where it is made."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return _token_output, (self.fields,)


class ServerFailed(RuntimeError):
    """Generation failed; the server answers nothing but this from then on."""


class TransformersServer:
    """Gathers concurrent requests into batches and generates one batch at a time in a thread of its own.

    Args:
        model_path: Folder of the model, as verl reads it.
        prompt_length: ``rollout.prompt_length``, tokens.
        response_length: ``rollout.response_length``, tokens.
        max_model_len: Longest prompt and response together, tokens; the model's own limit when ``None``.
        max_num_seqs: Largest batch.
        seed: ``rollout.seed`` plus the rank of the replica.
        ignore_eos: ``rollout.ignore_eos``, for requests that do not say.
        address: What verl shows for this server.
        trust_remote_code: ``model.trust_remote_code``.
    """

    def __init__(
        self,
        *,
        model_path: str,
        prompt_length: int,
        response_length: int,
        max_model_len: int | None,
        max_num_seqs: int,
        seed: int,
        ignore_eos: bool,
        address: str,
        trust_remote_code: bool = False,
    ) -> None:
        from transformers import AutoModelForCausalLM

        torch.set_num_threads(1)
        model = AutoModelForCausalLM.from_pretrained(
            model_path, dtype=torch.float32, attn_implementation="sdpa", trust_remote_code=trust_remote_code
        ).eval()
        own_limit = getattr(model.config, "max_position_embeddings", None)
        self._context = min(limit for limit in (max_model_len, own_limit, 1 << 30) if limit)
        self._prompt_length, self._response_length = prompt_length, response_length
        self._max_num_seqs, self._seed, self._ignore_eos = max_num_seqs, seed, ignore_eos
        self._address = address
        self._generator = Generator(model, _end_tokens(model), model.config.pad_token_id or 0, seed)
        self._waiting: asyncio.Queue[tuple[Request, asyncio.Future[Completion]]] = asyncio.Queue()
        self._open, self._idle = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._idle.set()
        self._rejecting = False
        self._failure: str | None = None
        self._loop_task: asyncio.Task[None] | None = None
        self._global_steps: int | None = None

    async def get_server_address(self) -> str:
        return self._address

    async def generate(
        self,
        prompt_ids: list[int],
        sampling_params: Mapping[str, Any],
        request_id: str = "",
        image_data: Any = None,
        video_data: Any = None,
        audio_data: Any = None,
        **_: Any,
    ) -> Reply:
        """Continue one prompt (``LLMServerClient.generate``).

        Raises:
            ValueError: The request itself is wrong; the server goes on.
            ServerFailed: Generation failed, now or earlier.
        """
        if image_data or video_data or audio_data:
            raise ValueError("the CPU rollout generates from text only")
        request = self._request(prompt_ids, sampling_params)
        if not self._open.is_set() and self._rejecting:
            raise RuntimeError("generation is paused and this server rejects requests meanwhile")
        await self._open.wait()
        self._raise_failure()
        if self._loop_task is None:
            self._loop_task = asyncio.create_task(self._serve())
        done: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((request, done))
        completion = await done
        return Reply(
            token_ids=completion.tokens,
            log_probs=completion.log_probs,
            num_preempted=0,
            stop_reason="aborted" if completion.finish == "abort" else "completed",
            extra_fields={"global_steps": self._global_steps, "finish_reason": completion.finish},
        )

    def _request(self, prompt_ids: list[int], raw: Mapping[str, Any]) -> Request:
        params = SamplingParams.of({"ignore_eos": self._ignore_eos, **raw})
        room = self._context - len(prompt_ids)
        if not prompt_ids or room < 1:
            raise ValueError(f"a prompt of {len(prompt_ids)} tokens leaves no room in a context of {self._context}")
        limit = params.max_tokens or min(
            self._response_length, self._prompt_length + self._response_length - len(prompt_ids)
        )
        return Request(list(prompt_ids), params, max(1, min(limit, room)))

    async def _serve(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            seen = 0
            while seen != self._waiting.qsize() + 1:
                seen = self._waiting.qsize() + 1
                await asyncio.sleep(GATHER_SECONDS)
            while not self._waiting.empty() and len(batch) < self._max_num_seqs:
                batch.append(self._waiting.get_nowait())
            self._idle.clear()
            try:
                self._raise_failure()
                requests = [request for request, _ in batch]
                for (_, done), completion in zip(
                    batch,
                    await asyncio.to_thread(self._generator.generate, requests, self._stopped),
                    strict=True,
                ):
                    if not done.done():
                        done.set_result(completion)
            except Exception as error:
                self._failure = self._failure or f"{type(error).__name__}: {error}"
                for _, done in batch:
                    if not done.done():
                        done.set_exception(ServerFailed(self._failure))
            finally:
                self._idle.set()

    def _stopped(self) -> bool:
        return not self._open.is_set()

    def _raise_failure(self) -> None:
        if self._failure:
            raise ServerFailed(f"the rollout server failed: {self._failure}")

    async def load_weights(self, weights: dict[str, torch.Tensor], global_steps: int | None = None) -> None:
        """Take the actor's weights once the running batch is done; every parameter must come, and no other.

        Randomness restarts from the step, so that a resumed run does not repeat the first steps' samples.
        """
        self._raise_failure()
        await self._idle.wait()
        missing, unexpected = self._generator.model.load_state_dict(weights, strict=False)
        if missing or unexpected:
            raise KeyError(f"weights of another model: missing {missing[:3]}, unexpected {unexpected[:3]}")
        if global_steps is not None:
            self._global_steps = global_steps
            self._generator.seed(self._seed * 1_000_003 + global_steps)

    async def abort_all_requests(self, reject_request: bool = False) -> None:
        """End running requests with what they have; hold or reject new ones until resumed."""
        self._rejecting = reject_request
        self._open.clear()
        await self._idle.wait()
        while not self._waiting.empty():
            _, done = self._waiting.get_nowait()
            done.set_result(Completion())

    async def resume_generation(self) -> None:
        self._open.set()

    async def sleep(self, *_: Any, **__: Any) -> None:
        """Nothing to free. The trainer calls it after each rollout, and so learns that the server failed."""
        self._raise_failure()

    async def wake_up(self, *_: Any, **__: Any) -> None:
        self._raise_failure()

    async def _nothing(self, *_: Any, **__: Any) -> None:
        return None

    clear_kv_cache = release_kv_cache = resume_kv_cache = start_profile = stop_profile = _nothing


def _end_tokens(model: Any) -> frozenset[int]:
    eos = getattr(model.generation_config, "eos_token_id", None)
    eos = model.config.eos_token_id if eos is None else eos
    return frozenset(eos if isinstance(eos, list) else [] if eos is None else [eos])
