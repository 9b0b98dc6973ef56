"""Batched generation against the model itself."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from agentic_rl_inside.generation import Completion, Generator, Request
from agentic_rl_inside.sampling import SamplingParams

PROMPTS = [[5], [7, 8, 9, 10, 11, 12, 13], [20, 21, 22], [4, 4, 4, 4]]


def generator(model: Any, eos: set[int] | None = None, seed: int = 0) -> Generator:
    return Generator(model, frozenset(eos or ()), pad=0, seed=seed)


def run(
    model: Any, limit: int = 12, eos: set[int] | None = None, prompts: list[list[int]] = PROMPTS, **raw: Any
) -> list[Completion]:
    return generator(model, eos).generate([Request(p, SamplingParams.of(raw), limit) for p in prompts])


@torch.no_grad()
def recomputed(model: Any, prompt: list[int], tokens: list[int], temperature: float) -> torch.Tensor:
    """Log-probabilities as verl's trainer computes them: one whole forward pass, no cache, no padding."""
    logits = model(input_ids=torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1]
    return torch.log_softmax(logits / temperature, -1).gather(1, torch.tensor(tokens)[:, None])[:, 0]


@pytest.mark.parametrize(
    "raw",
    [
        {"temperature": 1.0},
        {"temperature": 0.6, "top_p": 0.95},
        {"temperature": 0.6, "top_k": 20, "top_p": 0.9, "min_p": 0.02},
        {"temperature": 1.3, "repetition_penalty": 1.2},
        {"temperature": 0},
    ],
)
def test_log_probs_are_the_trainers(model: Any, raw: dict[str, float]) -> None:
    for prompt, completion in zip(PROMPTS, run(model, **raw), strict=True):
        assert len(completion.tokens) == 12
        expected = recomputed(model, prompt, completion.tokens, raw["temperature"] or 1.0)
        torch.testing.assert_close(torch.tensor(completion.log_probs), expected, atol=1e-4, rtol=0)


def test_neighbours_and_padding_change_nothing(model: Any) -> None:
    together = run(model, temperature=0)
    alone = [run(model, prompts=[prompt], temperature=0)[0] for prompt in PROMPTS]
    assert [c.tokens for c in together] == [c.tokens for c in alone]
    assert len({tuple(c.tokens) for c in together}) > 1


def test_each_request_keeps_its_own_limit_and_parameters(model: Any) -> None:
    greedy, sampled = SamplingParams(temperature=0), SamplingParams(temperature=3.0, seed=1)
    out = generator(model).generate([Request(PROMPTS[1], greedy, 3), Request(PROMPTS[1], sampled, 9)])
    assert [len(c.tokens) for c in out] == [3, 9]
    assert out[0].tokens == run(model, limit=3, prompts=[PROMPTS[1]], temperature=0)[0].tokens
    assert out[1].tokens[:3] != out[0].tokens
    assert {c.finish for c in out} == {"length"}


def test_an_end_token_ends_its_row_only(model: Any) -> None:
    free = run(model, temperature=0)
    end = free[1].tokens[4]
    cut = run(model, eos={end}, temperature=0)
    for before, after in zip(free, cut, strict=True):
        where = before.tokens.index(end) + 1 if end in before.tokens else None
        assert after.tokens == before.tokens[:where]
        assert after.finish == ("stop" if where else "length")
    assert len(cut[1].tokens) == free[1].tokens.index(end) + 1


def test_end_tokens_can_be_ignored_added_and_put_off(model: Any) -> None:
    free = run(model, temperature=0)
    end = free[1].tokens[4]
    assert [c.tokens for c in run(model, eos={end}, temperature=0, ignore_eos=True)] == [c.tokens for c in free]
    assert run(model, temperature=0, stop_token_ids=[end])[1].finish == "stop"
    late = run(model, eos={end}, temperature=0, min_tokens=8)[1]
    assert end not in late.tokens[:8]


def test_stopping_returns_what_there_is(model: Any) -> None:
    asked: list[bool] = []

    def stopped() -> bool:
        asked.append(True)
        return len(asked) > 5

    requests = [Request(p, SamplingParams(temperature=0), 12) for p in PROMPTS]
    out = generator(model).generate(requests, stopped)
    assert [(len(c.tokens), len(c.log_probs), c.finish) for c in out] == [(5, 5, "abort")] * len(PROMPTS)


def test_the_seed_decides(model: Any) -> None:
    request = [Request(PROMPTS[0], SamplingParams(temperature=2.0), 8)]
    draws = [generator(model, seed=seed).generate(request)[0].tokens for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
