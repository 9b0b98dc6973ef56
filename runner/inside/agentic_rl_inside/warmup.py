"""Supervised warm-up of the quick-start model on the sloppy teacher's answers, in plain torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .addition import CARRIES, Sum
from .generation import Generator, Request
from .imitation import imitate
from .sampling import SamplingParams

STEPS = 600
BATCH = 48
ANSWER_TOKENS = 3
"""Two digits and the end of the turn."""


def warm_up(
    model: Any,
    tokenizer: Any,
    sums: Sequence[Sum],
    seed: int,
    progress: Callable[[int, float], None],
    steps: int = STEPS,
) -> None:
    """Train ``model`` in place to answer as the teacher does.

    Args:
        model: From :func:`.tiny_model.build_model`.
        tokenizer: Its tokenizer.
        sums: What the teacher shows; all prompts have the same number of tokens.
        seed: Of the order of the examples and the teacher's lapses.
        progress: Called with the step and the loss (nats a token) now and then.
        steps: Optimizer steps.
    """
    prompts = torch.tensor([prompt_tokens(tokenizer, s) for s in sums])
    right = torch.tensor([_answer_tokens(tokenizer, s.right) for s in sums])
    lapsed = torch.tensor([_answer_tokens(tokenizer, s.without_carry) for s in sums])
    chance = torch.Generator().manual_seed(seed)

    def loss_of_batch() -> torch.Tensor:
        shown = torch.randint(len(sums), (BATCH,), generator=chance)
        carries = (torch.rand(BATCH, 1, generator=chance) < CARRIES).expand(-1, ANSWER_TOKENS)
        answers = torch.where(carries, right[shown], lapsed[shown])
        tokens = torch.cat([prompts[shown], answers], 1)
        hidden = model.model(input_ids=tokens[:, :-1]).last_hidden_state[:, -ANSWER_TOKENS:]
        logits = model.lm_head(hidden)
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten())

    imitate(model, steps, loss_of_batch, progress)


def accuracy(model: Any, tokenizer: Any, sums: Sequence[Sum], temperature: float, seed: int = 0) -> float:
    """Share of the sums that the model answers right, sampling once each (greedily at temperature 0)."""
    generator = Generator(model, frozenset([tokenizer.eos_token_id]), tokenizer.pad_token_id, seed)
    params = SamplingParams(temperature=temperature)
    asked = [Request(prompt_tokens(tokenizer, s), params, ANSWER_TOKENS + 1) for s in sums]
    answers = [tokenizer.decode(c.tokens, skip_special_tokens=True) for c in generator.generate(asked)]
    return sum(answer == s.right for answer, s in zip(answers, sums, strict=True)) / len(sums)


def prompt_tokens(tokenizer: Any, asked: Sum) -> list[int]:
    """The prompt as verl renders it: the chat template with the assistant's turn opened."""
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": asked.question}], add_generation_prompt=True, tokenize=False
    )
    return tokenizer.encode(text, add_special_tokens=False)


def _answer_tokens(tokenizer: Any, answer: str) -> list[int]:
    return [*tokenizer.encode(answer, add_special_tokens=False), tokenizer.eos_token_id]
