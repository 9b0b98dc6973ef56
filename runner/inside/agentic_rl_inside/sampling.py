"""Sampling parameters and the choice of the next token for a batch of requests. Only torch is imported.

The names and the order of the filters (penalties, temperature, min-p, top-k, top-p) are vLLM's. The
log-probability that is returned is the one verl compares it with: verl recomputes log-softmax(logits /
temperature) over the whole vocabulary (``FSDPEngineWithLMHead.prepare_model_outputs``), without filters or
penalties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch

WITHOUT_EFFECT = frozenset({"logprobs", "prompt_logprobs", "detokenize", "skip_special_tokens", "priority"})
"""Accepted without effect: log-probabilities are always returned, text never is."""


@dataclass(frozen=True)
class SamplingParams:
    """How one request is sampled. Temperature 0 means greedy; ``top_k`` -1, ``top_p`` 1, ``min_p`` 0: off."""

    temperature: float = 1.0
    top_k: int = -1
    top_p: float = 1.0
    min_p: float = 0.0
    max_tokens: int | None = None
    min_tokens: int = 0
    ignore_eos: bool = False
    stop_token_ids: tuple[int, ...] = ()
    seed: int | None = None
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> SamplingParams:
        """Read what an agent loop passes.

        Raises:
            ValueError: A parameter is unknown, out of range, or not to be had here (``n`` > 1, ``stop``).
        """
        given = {name: value for name, value in raw.items() if value is not None and name not in WITHOUT_EFFECT}
        if "max_new_tokens" in given:
            given.setdefault("max_tokens", given["max_new_tokens"])
            del given["max_new_tokens"]
        if given.pop("n", 1) != 1 or given.pop("stop", None):
            raise ValueError("the CPU rollout takes n=1 and no stop strings (use stop_token_ids)")
        unknown = sorted(given.keys() - {field.name for field in fields(cls)})
        if unknown:
            raise ValueError(f"sampling parameters that the CPU rollout does not know: {', '.join(unknown)}")
        if "stop_token_ids" in given:
            given["stop_token_ids"] = tuple(given["stop_token_ids"])
        params = cls(**given)
        params._check()
        return params

    def _check(self) -> None:
        for name, right in (
            ("temperature", self.temperature >= 0),
            ("top_k", self.top_k >= -1),
            ("top_p", 0 < self.top_p <= 1),
            ("min_p", 0 <= self.min_p <= 1),
            ("max_tokens", self.max_tokens is None or self.max_tokens >= 1),
            ("min_tokens", self.min_tokens >= 0),
            ("repetition_penalty", self.repetition_penalty > 0),
        ):
            if not right:
                raise ValueError(f"sampling parameter {name}={getattr(self, name)} is out of range")

    @property
    def filters(self) -> bool:
        return self.top_k > 0 or self.top_p < 1 or self.min_p > 0

    @property
    def penalises(self) -> bool:
        return self.repetition_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0


class BatchSampler:
    """Chooses one token a row, row ``i`` as ``params[i]`` says.

    Args:
        params: One entry a row.
        prompts: Prompt tokens of each row; only penalties look at them.
        vocabulary: Number of logits.
        generator: Source of randomness of the rows without a seed of their own.
    """

    def __init__(
        self,
        params: Sequence[SamplingParams],
        prompts: Sequence[Sequence[int]],
        vocabulary: int,
        generator: torch.Generator,
    ) -> None:
        self._params = params
        self._generator = generator
        self._greedy = torch.tensor([p.temperature == 0 for p in params])
        self._temperature = torch.tensor([p.temperature or 1.0 for p in params]).unsqueeze(1)
        self._filtered = torch.tensor(
            [i for i, p in enumerate(params) if p.filters and p.temperature], dtype=torch.long
        )
        self._seeded = {
            i: torch.Generator().manual_seed(p.seed)
            for i, p in enumerate(params)
            if p.seed is not None and p.temperature
        }
        self._counts: torch.Tensor | None = None
        if any(p.penalises for p in params):
            self._counts = torch.zeros(len(params), vocabulary)
            self._in_prompt = torch.zeros(len(params), vocabulary, dtype=torch.bool)
            for row, prompt in enumerate(prompts):
                self._in_prompt[row, torch.tensor(list(prompt), dtype=torch.long)] = True

    def choose(
        self, logits: torch.Tensor, banned: Mapping[int, Sequence[int]] | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Choose the next token of every row.

        Args:
            logits: ``[rows, vocabulary]``.
            banned: Tokens that a row must not choose now (end tokens before ``min_tokens``).

        Returns:
            Tokens and their log-probabilities under the temperature alone, both ``[rows]``.
        """
        logits = logits.float()
        log_probs = torch.log_softmax(logits / self._temperature, -1)
        wanted = self._penalised(logits) if self._counts is not None else logits
        if banned:
            wanted = wanted.clone()
            for row, tokens in banned.items():
                wanted[row, list(tokens)] = float("-inf")
        tokens = wanted.argmax(-1)
        if not bool(self._greedy.all()):
            probs = torch.softmax(wanted / self._temperature, -1)
            if len(self._filtered):
                probs[self._filtered] = self._filter(probs[self._filtered])
            sampled = torch.multinomial(probs, 1, generator=self._generator).squeeze(1)
            for row, generator in self._seeded.items():
                sampled[row] = torch.multinomial(probs[row], 1, generator=generator)
            tokens = torch.where(self._greedy, tokens, sampled)
        if self._counts is not None:
            self._counts[torch.arange(len(tokens)), tokens] += 1
        return tokens, log_probs.gather(1, tokens.unsqueeze(1)).squeeze(1)

    def _penalised(self, logits: torch.Tensor) -> torch.Tensor:
        assert self._counts is not None
        seen = self._in_prompt | (self._counts > 0)
        factor = torch.tensor([p.repetition_penalty for p in self._params]).unsqueeze(1)
        repeated = torch.where(logits > 0, logits / factor, logits * factor)
        logits = torch.where(seen, repeated, logits)
        frequency = torch.tensor([p.frequency_penalty for p in self._params]).unsqueeze(1)
        presence = torch.tensor([p.presence_penalty for p in self._params]).unsqueeze(1)
        return logits - frequency * self._counts - presence * (self._counts > 0)

    def _filter(self, probs: torch.Tensor) -> torch.Tensor:
        """Zero what min-p, top-k and top-p exclude; the likeliest token always stays."""
        chosen = [self._params[i] for i in self._filtered.tolist()]
        vocabulary = probs.shape[1]
        top_k = torch.tensor([p.top_k if p.top_k > 0 else vocabulary for p in chosen]).unsqueeze(1)
        top_p = torch.tensor([p.top_p for p in chosen]).unsqueeze(1)
        min_p = torch.tensor([p.min_p for p in chosen]).unsqueeze(1)
        ranked, order = probs.sort(dim=-1, descending=True)
        keep = (torch.arange(vocabulary) < top_k) & (ranked >= min_p * ranked[:, :1])
        ranked = ranked * keep
        before = ranked.cumsum(-1) - ranked
        ranked = ranked * ((before < top_p * ranked.sum(-1, keepdim=True)) | (top_p >= 1))
        return torch.zeros_like(probs).scatter(1, order, ranked)
