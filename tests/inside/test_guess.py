"""The agent example's data, tokenizer and warm-up."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from agentic_rl_inside import guess, guess_warmup, tiny_model
from agentic_rl_inside.quickstart import prepare


@pytest.fixture(scope="module")
def words() -> Any:
    return tiny_model.build_tokenizer(guess.WORDS)


def test_no_opening_range_is_in_both_parts() -> None:
    training, held_out = guess.split_games(3)
    assert {game.question for game in training}.isdisjoint(game.question for game in held_out)
    assert all(game.low <= game.number <= game.high for game in training + held_out)
    assert len({game.question for game in held_out}) == 18
    assert len(set(training)) == len(training)
    assert guess.split_games(3) == (training, held_out) != guess.split_games(4)


def test_a_player_who_listens_always_wins_in_sight_and_one_who_does_not_repeats_himself() -> None:
    chance = random.Random(0)
    games = [guess.Game(30, 39, number) for number in range(30, 40)] * 20
    deaf, attentive = (
        sum(list(guess.play(game, chance, listens))[-1][1] == "found" for game in games) for listens in (0.0, 1.0)
    )
    assert deaf < 0.6 * attentive
    assert all(len(list(guess.play(game, chance))) <= guess.TURNS for game in games)


def test_words_of_the_game_are_one_token_each(words: Any) -> None:
    assert [len(words.encode(word)) for word in guess.WORDS] == [1] * len(guess.WORDS)
    assert words.decode(words.encode("higher 31-38\nguess 7")) == "higher 31-38\nguess 7"


def test_only_the_players_calls_are_learned(words: Any) -> None:
    tokens, own = guess_warmup.transcript(words, guess.Game(30, 38, 35), random.Random(1), {})
    said = words.decode([token for token, mine in zip(tokens, own, strict=True) if mine])
    assert said.startswith("guess 3")
    assert "higher" not in said
    assert "lower" not in said
    assert said.endswith("<|im_end|>")
    text = words.apply_chat_template([{"role": "user", "content": "30-38"}], tokenize=False, add_generation_prompt=True)
    assert words.decode(tokens).startswith(text)


def test_a_few_steps_of_warm_up_learn(words: Any) -> None:
    model = tiny_model.build_model(words, 0, hidden=32)
    losses: list[float] = []
    guess_warmup.warm_up(model, words, [guess.Game(30, 36, 33)], 0, lambda _, loss: losses.append(loss), steps=40)
    assert losses[-1] < losses[0] < 7


def test_the_directory_of_the_game(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = []
    made = prepare(tmp_path / "game", 2, said.append, steps=2, task="guess")
    training, held_out = guess.split_games(2)
    rows = pyarrow.parquet.read_table(tmp_path / "game" / "train.parquet").to_pylist()
    assert [row["extra_info"]["question"] for row in rows] == [game.question for game in training]
    assert [row["extra_info"]["index"] for row in rows] == list(range(len(training)))
    assert {row["data_source"] for row in rows} == {guess.GUESS}
    assert rows[0]["prompt"] == [{"role": "user", "content": training[0].question}]
    assert rows[0]["reward_model"]["ground_truth"] == str(training[0].number)
    assert (made["training_prompts"], made["held_out_prompts"]) == (len(training), len(held_out))
    again = prepare(tmp_path / "game", 2, said.append, steps=2, task="guess")
    assert again == made
    assert [message["reused"] for message in said if message["stage"] == "ready"] == [False, True]
    assert prepare(tmp_path / "game", 2, said.append, steps=2)["task"] != made["task"]
