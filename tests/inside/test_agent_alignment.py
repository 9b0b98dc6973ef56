"""Which tokens of a trajectory the model generated, as far as its requests tell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agentic_rl_inside.agent.alignment import align
from agentic_rl_inside.agent.recording import Generated, Record, Recording

TEXT = {1: "a", 2: "b", 3: "c", 12: "ab", 9: ""}


def decode(tokens: Sequence[int]) -> str:
    return "".join(TEXT.get(token, "?") for token in tokens)


def heard(*pairs: tuple[list[int], list[int]], log_probs: bool = True) -> Recording:
    """What was generated after what."""
    recording = Recording()
    for prompt, tokens in pairs:
        recording.begin()
        chances = [-float(token) for token in tokens] if log_probs else None
        recording.end(Record(tuple(prompt), Generated(tokens, chances, "stop", (prompt[0], prompt[0])), "s"))
    return recording


def test_each_turn_is_found_behind_its_own_context() -> None:
    recording = heard(([5], [1, 9]), ([5, 1, 9, 7, 7], [2, 9]))
    found = align([5], [1, 9, 7, 7, 2, 9], [1, 1, 0, 0, 1, 1], recording, decode)
    assert found.mask == [1, 1, 0, 0, 1, 1]
    assert found.log_probs == [-1.0, -9.0, 0.0, 0.0, -2.0, -9.0]
    assert (found.generated, found.foreign, found.retokenised, found.steps) == (4, 0, 0, (5, 5))


def test_the_environments_words_under_a_mask_of_ones_are_not_trained() -> None:
    recording = heard(([5], [1, 9]), ([5, 1, 9, 7, 7], [2, 9]))
    found = align([5], [1, 9, 7, 7, 2, 9], [1] * 6, recording, decode)
    assert found.mask == [1, 1, 0, 0, 1, 1]
    assert found.foreign == 2


def test_an_end_token_that_the_wrapper_added_is_not_trained() -> None:
    found = align([5], [1, 2, 9], [1, 1, 1], heard(([5], [1, 2])), decode)
    assert (found.mask, found.generated, found.foreign) == ([1, 1, 0], 2, 1)


def test_an_answer_that_was_cut_is_still_the_models() -> None:
    found = align([5], [1, 2], [1, 1], heard(([5], [1, 2, 3, 9])), decode)
    assert (found.mask, found.log_probs) == ([1, 1], [-1.0, -2.0])


def test_other_tokens_of_the_same_text_become_those_that_were_generated() -> None:
    found = align([5], [12, 9, 7], [1, 1, 0], heard(([5], [1, 2, 9])), decode)
    assert (found.tokens, found.mask, found.retokenised) == ([1, 2, 9, 7], [1, 1, 1, 0], 1)


def test_an_answer_behind_a_context_that_was_tokenised_otherwise_is_found_by_its_tokens() -> None:
    found = align([12], [3, 9], [1, 1], heard(([1, 2], [3, 9])), decode)
    assert (found.mask, found.log_probs) == ([1, 1], [-3.0, -9.0])


def test_among_several_answers_to_one_prompt_the_right_one_is_taken() -> None:
    recording = heard(([5], [1, 1, 9]), ([5], [1, 2, 9]), ([5], [1, 3, 9]))
    assert align([5], [1, 2, 9], [1, 1, 1], recording, decode).log_probs == [-1.0, -2.0, -9.0]


@pytest.mark.parametrize("recording", [heard(), heard(([5], [1, 2]))], ids=["nothing-asked", "something-else"])
def test_a_trajectory_that_was_made_up_keeps_its_mask(recording: Recording) -> None:
    found = align([8], [3, 3, 3], [1, 0, 1], recording, decode)
    assert (found.tokens, found.mask, found.generated) == ([3, 3, 3], [1, 0, 1], 0)


def test_without_log_probabilities_there_are_none() -> None:
    assert align([5], [1], [1], heard(([5], [1]), log_probs=False), decode).log_probs is None
