"""Which tokens of a trajectory the model really generated.

A wrapper gets text and returns tokens, so it tokenises anew. Mostly the same tokens come out; where others do, the
policy would be trained on tokens that it never chose. Each run of trained tokens (mask 1) is looked up in the record of
what was generated after exactly the tokens before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .recording import Record, Recording

Decode = Callable[[Sequence[int]], str]


@dataclass
class Aligned:
    """A trajectory's response after the look-up.

    Attributes:
        tokens: Response token ids; really generated ones stand where the wrapper's tokens were others of equal text.
        mask: 1 where a token is trained.
        log_probs: One a token, 0.0 where none is known; None when the engine gave none at all.
        generated: Trained tokens that the model generated.
        foreign: Tokens that the wrapper wants trained and the model never generated.
        retokenised: Runs of tokens that were replaced.
        steps: Oldest and newest weights (training steps) that generated it.
    """

    tokens: list[int]
    mask: list[int]
    log_probs: list[float] | None
    generated: int = 0
    foreign: int = 0
    retokenised: int = 0
    steps: tuple[int, int] | None = None


def align(prompt: list[int], response: list[int], mask: list[int], recording: Recording, decode: Decode) -> Aligned:
    """Look a trajectory up.

    Where the model generated some of its trained tokens, the others are taken out of training: they are no actions of
    the policy. Where it generated none (a wrapper that makes its tokens up, as the published example does), the mask
    stays as it is.

    Args:
        prompt: Token ids.
        response: Token ids, as long as ``mask``.
        mask: 0 or 1.
        recording: Of the call that made the trajectory.
        decode: Token ids to text, without special tokens.
    """
    out = Aligned([], [], [])
    lengths = recording.lengths()
    whole = prompt + response
    place = 0
    while place < len(response):
        end = _run_end(mask, place)
        if not mask[place]:
            _put(out, response[place:end], 0)
            place = end
            continue
        run = response[place:end]
        answers = recording.of_prompt(whole[: len(prompt) + place]) if len(prompt) + place in lengths else []
        record, length = _longest(answers, run)
        if record is None and answers:
            record = next((r for r in answers if _same_text(r.answer.tokens, run, decode)), None)
            if record is not None:
                out.retokenised += 1
                _take(out, record, len(record.answer.tokens))
                place = end
                continue
        if record is None and (place == 0 or not mask[place - 1]):
            record, length = _longest([r for r in recording.records if _same_start(r.answer.tokens, run)], run)
        if record is None:
            out.foreign += 1
            _put(out, run[:1], -1)
            place += 1
        else:
            _take(out, record, length)
            place += length
    _settle(out, recording)
    return out


def _run_end(mask: list[int], start: int) -> int:
    end = start
    while end < len(mask) and mask[end] == mask[start]:
        end += 1
    return end


def _longest(records: list[Record], run: list[int]) -> tuple[Record | None, int]:
    """The answer that shares most tokens with the start of ``run``: all of the run, or all of the answer."""
    best: tuple[Record | None, int] = (None, 0)
    for record in records:
        tokens = record.answer.tokens
        length = min(len(tokens), len(run))
        if length > best[1] and tokens[:length] == run[:length]:
            best = record, length
    return best


def _same_start(tokens: list[int], run: list[int]) -> bool:
    """Equal but for an end-of-turn token at either end: the context was tokenised otherwise, the answer was not."""
    return abs(len(tokens) - len(run)) <= 2 and tokens[:1] == run[:1]


def _same_text(tokens: list[int], run: list[int], decode: Decode) -> bool:
    text = decode(run).strip()
    return bool(text) and decode(tokens).strip() == text


def _put(out: Aligned, tokens: Sequence[int], mask: int) -> None:
    out.tokens.extend(tokens)
    out.mask.extend([mask] * len(tokens))
    if out.log_probs is not None:
        out.log_probs.extend([0.0] * len(tokens))


def _take(out: Aligned, record: Record, length: int) -> None:
    answer = record.answer
    _put(out, answer.tokens[:length], 1)
    out.generated += length
    if out.log_probs is not None and answer.log_probs is not None:
        out.log_probs[-length:] = answer.log_probs[:length]
    if answer.steps is not None:
        oldest, newest = out.steps or answer.steps
        out.steps = min(oldest, answer.steps[0]), max(newest, answer.steps[1])


def _settle(out: Aligned, recording: Recording) -> None:
    """Foreign tokens stand as -1: 0 beside generated ones, 1 where there is nothing else."""
    foreign = 0 if out.generated else 1
    out.mask = [foreign if value < 0 else value for value in out.mask]
    if any(record.answer.log_probs is None for record in recording.records):
        out.log_probs = None
