"""Batched generation with a Transformers model on the CPU: left padding, KV cache. verl is not imported."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .sampling import BatchSampler, SamplingParams


@dataclass(frozen=True)
class Request:
    """One prompt and how to continue it by at most ``limit`` tokens."""

    prompt: list[int]
    params: SamplingParams
    limit: int


@dataclass
class Completion:
    """What was generated. ``finish`` is ``stop`` (an end token, included), ``length``, or ``abort``."""

    tokens: list[int] = field(default_factory=list[int])
    log_probs: list[float] = field(default_factory=list[float])
    finish: str = "abort"


class Generator:
    """Continues batches of prompts.

    Args:
        model: A causal language model in evaluation mode.
        eos: Tokens that end a response unless the request ignores them.
        pad: Token that fills prompts up on the left; its value never matters.
        seed: Seed of the requests that bring none.
    """

    def __init__(self, model: Any, eos: frozenset[int], pad: int, seed: int) -> None:
        self.model = model
        self._eos = eos
        self._pad = pad
        self._random = torch.Generator().manual_seed(seed)
        takes = inspect.signature(model.forward).parameters
        self._last_logits_only = {"logits_to_keep": 1} if "logits_to_keep" in takes else {}

    def seed(self, seed: int) -> None:
        """Restart the randomness of requests without a seed."""
        self._random.manual_seed(seed)

    @torch.inference_mode()
    def generate(self, requests: Sequence[Request], stopped: Callable[[], bool] = lambda: False) -> list[Completion]:
        """Continue all requests together; ``stopped`` is asked before each token and ends the batch early."""
        rows = [Completion() for _ in requests]
        ends = [
            frozenset(r.params.stop_token_ids) | (frozenset() if r.params.ignore_eos else self._eos) for r in requests
        ]
        tokens, mask, positions = self._left_padded([r.prompt for r in requests])
        running = set(range(len(rows)))
        sampler: BatchSampler | None = None
        cache: Any = None
        while running and not stopped():
            out = self.model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=positions,
                past_key_values=cache,
                use_cache=True,
                **self._last_logits_only,
            )
            cache, logits = out.past_key_values, out.logits[:, -1]
            if sampler is None:
                prompts, params = [r.prompt for r in requests], [r.params for r in requests]
                sampler = BatchSampler(params, prompts, logits.shape[-1], self._random)
            early = {i: ends[i] for i in running if len(rows[i].tokens) < requests[i].params.min_tokens and ends[i]}
            chosen, log_probs = sampler.choose(logits, {i: sorted(end) for i, end in early.items()})
            chosen_list, log_prob_list = chosen.tolist(), log_probs.tolist()
            for i in sorted(running):
                row = rows[i]
                row.tokens.append(chosen_list[i])
                row.log_probs.append(log_prob_list[i])
                if chosen_list[i] in ends[i]:
                    row.finish = "stop"
                elif len(row.tokens) >= requests[i].limit:
                    row.finish = "length"
                else:
                    continue
                running.discard(i)
            tokens = chosen.unsqueeze(1)
            mask = torch.cat([mask, torch.ones_like(tokens)], 1)
            positions = positions[:, -1:] + 1
        return rows

    def _left_padded(self, prompts: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        width = max(map(len, prompts))
        tokens = torch.full((len(prompts), width), self._pad)
        mask = torch.zeros_like(tokens)
        for i, prompt in enumerate(prompts):
            tokens[i, width - len(prompt) :] = torch.tensor(prompt)
            mask[i, width - len(prompt) :] = 1
        return tokens, mask, (mask.cumsum(-1) - 1).clamp(min=0)
