"""Which token is chosen, and the log-probability it is given."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from agentic_rl_inside.sampling import BatchSampler, SamplingParams

PROBS = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05])


def chosen(
    count: int = 400, logits: torch.Tensor | None = None, prompt: list[int] | None = None, **raw: Any
) -> set[int]:
    """All tokens that come up in many draws."""
    params = [SamplingParams.of(raw)] * count
    logits = PROBS.log() if logits is None else logits
    sampler = BatchSampler(params, [prompt or []] * count, len(logits), torch.Generator().manual_seed(0))
    return set(sampler.choose(logits.expand(count, -1))[0].tolist())


def test_filters_exclude_what_they_should_and_nothing_more() -> None:
    assert chosen() == {0, 1, 2, 3, 4}
    assert chosen(top_k=2) == {0, 1}
    assert chosen(top_p=0.69) == {0, 1}
    assert chosen(top_p=0.71) == {0, 1, 2}
    assert chosen(min_p=0.3) == {0, 1, 2}
    assert chosen(top_p=0.01) == {0}
    assert chosen(top_k=3, top_p=0.8) == {0, 1}  # of the three that top-k leaves, two make up 0.8
    assert chosen(top_k=-1, top_p=1.0, min_p=0.0) == {0, 1, 2, 3, 4}


def test_temperature_sharpens_and_zero_is_greedy() -> None:
    assert chosen(temperature=0) == {0}
    assert chosen(temperature=0.02) == {0}
    assert chosen(temperature=0, seed=7) == {0}


def test_log_probs_ignore_filters_but_not_temperature() -> None:
    params = [
        SamplingParams(temperature=0.6, top_k=1),
        SamplingParams(temperature=0),
        SamplingParams(top_p=0.1),
    ]
    logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(1))
    tokens, log_probs = BatchSampler(params, [[]] * 3, 50, torch.Generator()).choose(logits)
    expected = torch.log_softmax(logits / torch.tensor([[0.6], [1.0], [1.0]]), -1)
    torch.testing.assert_close(log_probs, expected.gather(1, tokens[:, None])[:, 0])
    assert tokens.tolist() == logits.argmax(-1).tolist()


def test_a_seed_of_its_own_makes_a_row_repeatable() -> None:
    def draw(generator_seed: int, **raw: Any) -> list[int]:
        sampler = BatchSampler(
            [SamplingParams.of(raw)] * 2, [[], []], 1000, torch.Generator().manual_seed(generator_seed)
        )
        return [int(sampler.choose(torch.zeros(2, 1000))[0][0]) for _ in range(4)]

    assert draw(0, seed=5) == draw(1, seed=5)
    assert draw(0, seed=5) != draw(0, seed=6)
    assert draw(0) != draw(1)


def test_penalties_change_the_choice_not_the_log_prob() -> None:
    logits = torch.tensor([2.0, 1.9, -1.0])
    assert chosen(1, logits, temperature=0) == {0}
    assert chosen(1, logits, prompt=[0], temperature=0, repetition_penalty=1.5) == {1}
    for penalty in ({"presence_penalty": 0.5}, {"frequency_penalty": 0.5}):
        params = SamplingParams.of({"temperature": 0, **penalty})
        sampler = BatchSampler([params], [[]], 3, torch.Generator())
        first, log_prob = sampler.choose(logits[None])
        second, _ = sampler.choose(logits[None])
        assert (int(first), int(second)) == (0, 1)
        torch.testing.assert_close(log_prob, torch.log_softmax(logits, -1)[:1])


def test_what_vllm_would_refuse_is_refused() -> None:
    for raw in (
        {"temprature": 1},
        {"n": 2},
        {"stop": ["x"]},
        {"top_p": 0},
        {"temperature": -1},
        {"max_tokens": 0},
    ):
        with pytest.raises(ValueError, match=next(iter(raw)) if "n" not in raw and "stop" not in raw else "n=1"):
            SamplingParams.of(raw)


def test_names_of_other_servers_and_empty_values_are_understood() -> None:
    params = SamplingParams.of(
        {"max_new_tokens": 5, "logprobs": True, "n": 1, "stop": [], "seed": None, "detokenize": False}
    )
    assert params == SamplingParams(max_tokens=5)
