"""Supervised warm-up of the agent example's model on the forgetful player's games, in plain torch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .guess import Game, play
from .imitation import imitate

STEPS = 220
BATCH = 32
IGNORED = -100


def warm_up(
    model: Any,
    tokenizer: Any,
    games: Sequence[Game],
    seed: int,
    progress: Callable[[int, float], None],
    steps: int = STEPS,
) -> None:
    """Train ``model`` in place to play as the player does.

    Args:
        model: From :func:`.tiny_model.build_model`.
        tokenizer: Its tokenizer.
        games: What the player plays.
        seed: Of the order of the games and of the guesses.
        progress: Called with the step and the loss (nats a token of the calls) now and then.
        steps: Optimizer steps.
    """
    chance = random.Random(seed)
    encoded: dict[str, list[int]] = {}

    def loss_of_batch() -> torch.Tensor:
        shown = [transcript(tokenizer, chance.choice(games), chance, encoded) for _ in range(BATCH)]
        tokens, labels = _padded(shown, tokenizer.pad_token_id)
        wanted = labels[:, 1:] != IGNORED
        hidden = model.model(input_ids=tokens[:, :-1]).last_hidden_state[wanted]
        return torch.nn.functional.cross_entropy(model.lm_head(hidden), labels[:, 1:][wanted])

    imitate(model, steps, loss_of_batch, progress)


def transcript(
    tokenizer: Any, game: Game, chance: random.Random, encoded: dict[str, list[int]]
) -> tuple[list[int], list[bool]]:
    """One game as tokens, and which of them are the player's; ``encoded`` remembers the pieces."""

    def tokens_of(text: str) -> list[int]:
        if text not in encoded:
            encoded[text] = tokenizer.encode(text, add_special_tokens=False)
        return encoded[text]

    pieces = [(tokens_of(_turn("user", game.question)), False)]
    for call, answer in play(game, chance):
        pieces += [(tokens_of(f"{call}<|im_end|>"), True), (tokens_of("\n" + _turn("tool", answer)), False)]
    del pieces[-1]  # nothing is said after the last answer
    tokens = [token for piece, _ in pieces for token in piece]
    return tokens, [own for piece, own in pieces for _ in piece]


def _turn(role: str, text: str) -> str:
    """As the chat template of :mod:`.tiny_model` renders it, with the next turn opened."""
    return f"<|im_start|>{role}\n{text}<|im_end|>\n<|im_start|>assistant\n"


def _padded(shown: Sequence[tuple[list[int], list[bool]]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(len(tokens) for tokens, _ in shown)
    inputs = torch.full((len(shown), width), pad)
    labels = torch.full((len(shown), width), IGNORED)
    for row, (tokens, own) in enumerate(shown):
        inputs[row, : len(tokens)] = torch.tensor(tokens)
        labels[row, : len(tokens)] = torch.where(torch.tensor(own), torch.tensor(tokens), IGNORED)
    return inputs, labels
