"""The worked example and the scaffolds, played as the training plays them: rewards, masks, metrics, limits."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agentic_rl_wizard.runner.catalogue.agents import KINDS, scaffold_test, wrapper_source

from . import wrappers as w

CALL = '<tool_call>{"name": "add", "arguments": {"numbers": [47, 8]}}</tool_call>'


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """The example's own: its words are one token each."""
    from agentic_rl_inside import guess, tiny_model

    return tiny_model.build_tokenizer(guess.WORDS)


@pytest.fixture
def play(tmp_path: Path, tokenizer: Any) -> Iterator[Callable[..., Any]]:
    """Write a source of templates/agents, play tasks with scripted replies, return trajectories and aligned tokens."""
    from agentic_rl_inside.agent import compat, rules
    from agentic_rl_inside.agent.session import Settings, WrapperSession

    rules.forget_warnings()
    opened: list[WrapperSession] = []

    def run(template: str, tasks: list[dict[str, Any]], *said: str, lang: str = "en", **more: Any) -> list[Any]:
        file = w.written(tmp_path, wrapper_source(template, "player", lang))
        settings = Settings(file, **{"limit": 20.0, "max_response_length": 1000, **more})
        session = WrapperSession(settings, tokenizer, w.scripted(tokenizer, *said), context=1200)
        opened.append(session)
        outcomes = session.run(tasks)
        assert [outcome.problem and outcome.problem.line() for outcome in outcomes] == [None] * len(tasks)
        return outcomes

    yield run
    for session in opened:
        session.close()
    compat.remove()


def parts(outcome: Any, tokenizer: Any, trained: int) -> str:
    pairs = zip(outcome.aligned.tokens, outcome.aligned.mask, strict=True)
    return tokenizer.decode([token for token, mask in pairs if mask == trained])


def game(number: int, question: str = "30-38", idx: int = 4) -> dict[str, Any]:
    return {"id": idx, "question": question, "ground_truth": str(number)}


def test_a_game_of_three_guesses(play: Any, tokenizer: Any) -> None:
    (outcome,) = play("guess_the_number", [game(35)], "guess 33", "guess 36", "guess 35")
    trajectory = outcome.trajectory
    assert [message["content"] for message in trajectory.chat_completions] == [
        *("30-38", "guess 33", "higher 34-38", "guess 36", "lower 34-35", "guess 35", "found"),
    ]
    assert parts(outcome, tokenizer, 1) == "guess 33<|im_end|>guess 36<|im_end|>guess 35<|im_end|>"
    assert parts(outcome, tokenizer, 0).count("<|im_start|>tool") == 2
    assert (outcome.aligned.foreign, outcome.aligned.retokenised) == (0, 0)
    assert trajectory.trajectory_reward == pytest.approx(0.5 + 0.5 * 0.8)
    assert (trajectory.idx, trajectory.metrics["steps"]) == (4, 3)
    assert (trajectory.metrics["toolcall_reward"], trajectory.metrics["res_reward"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("said", "reward", "turns", "calls"),
    [
        (["guess 35"], 1.0, 1, 1.0),
        (["guess 31", "guess 31", "guess 35"], 0.5 * 2 / 3 + 0.4, 3, 2 / 3),
        (["guess 31"] * 9, 0.5 / 5, 5, 1 / 5),
        (["guess 33", "thirty"], 0.25, 2, 0.5),
        (["35"], 0.0, 1, 0.0),
        ([""], 0.0, 1, 0.0),
    ],
    ids=["at-once", "forgets-an-answer", "never-listens", "gives-up", "no-call", "silent"],
)
def test_what_a_game_earns(play: Any, said: list[str], reward: float, turns: int, calls: float) -> None:
    (outcome,) = play("guess_the_number", [game(35)], *said)
    metrics = outcome.trajectory.metrics
    assert outcome.trajectory.trajectory_reward == pytest.approx(reward)
    assert (metrics["steps"], metrics["toolcall_reward"]) == (turns, pytest.approx(calls))


def test_a_game_ends_before_the_response_is_too_long(play: Any) -> None:
    (outcome,) = play("guess_the_number", [game(35)], "guess 31", max_response_length=40)
    assert len(outcome.trajectory.response_tokens) <= 40
    assert outcome.trajectory.metrics["steps"] == 1 + (40 - 5) // 21


@pytest.mark.parametrize(
    "task",
    [
        {"id": 0, "question": "30-38", "ground_truth": "35"},
        {"id": 0, "question": "30-38", "labels": "35"},
        {"id": 0, "prompt": "30-38", "labels": "35"},
    ],
    ids=["verl", "mindspeed-rl", "mindspeed-rl-prompt"],
)
def test_tasks_of_both_back_ends(play: Any, task: dict[str, Any]) -> None:
    (outcome,) = play("guess_the_number", [task], "guess 33", "guess 35")
    assert outcome.trajectory.metrics["res_reward"] == 1.0


def test_games_are_played_side_by_side(play: Any) -> None:
    outcomes = play("guess_the_number", [game(33, idx=7), game(33, idx=9)], "guess 33")
    assert [outcome.trajectory.idx for outcome in outcomes] == [7, 9]


def test_the_wrapper_asks_with_the_samplings_that_a_request_takes(play: Any) -> None:
    sampling = {"temperature": 0.7, "top_k": -1, "top_p": 0.9, "min_p": 0.0, "max_tokens": 99}
    (outcome,) = play("guess_the_number", [game(33)], "guess 33", sampling_params=sampling)
    assert outcome.trajectory.metrics["res_reward"] == 1.0


def test_the_player_of_the_warm_up_speaks_as_the_wrapper_does(play: Any) -> None:
    """What the player heard is what the wrapper answers to the same calls."""
    import random

    from agentic_rl_inside.guess import Game
    from agentic_rl_inside.guess import play as player

    for seed in range(6):
        heard = list(player(Game(30, 38, 35), random.Random(seed)))
        (outcome,) = play("guess_the_number", [game(35)], *(call for call, _ in heard))
        told = [m["content"] for m in outcome.trajectory.chat_completions[1:]]
        assert told == [text for pair in heard for text in pair]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_single_turn(play: Any, tokenizer: Any, lang: str) -> None:
    right, wrong = {"id": 1, "question": "47+8", "ground_truth": "55"}, {"id": 2, "question": "9+8", "labels": "17"}
    outcomes = play("single-turn", [right, wrong], "55", lang=lang)
    assert [outcome.trajectory.trajectory_reward for outcome in outcomes] == [1.0, 0.0]
    assert parts(outcomes[0], tokenizer, 1) == "55<|im_end|>"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tool_use(play: Any, tokenizer: Any, lang: str) -> None:
    task = {"id": 1, "question": "47+8", "ground_truth": "55"}
    (outcome,) = play("tool-use", [task], "<tool_call>no</tool_call>", CALL, "55", lang=lang)
    metrics = outcome.trajectory.metrics
    assert outcome.trajectory.trajectory_reward == 1.0
    assert (metrics["steps"], metrics["toolcall_reward"], metrics["res_reward"]) == (3, 0.5, 1.0)
    assert "<|im_start|>tool\n55<|im_end|>" in parts(outcome, tokenizer, 0)
    (outcome,) = play("tool-use", [task], CALL, max_steps=3)
    assert (outcome.trajectory.metrics["steps"], outcome.trajectory.trajectory_reward) == (3, 0.0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_environment(play: Any, tokenizer: Any, lang: str) -> None:
    task = {"id": 1, "question": "3-9", "ground_truth": "5"}
    (outcome,) = play("environment", [task], "left", "right", "right", "right", lang=lang)
    assert outcome.trajectory.trajectory_reward == pytest.approx(0.2 * 3 / 4 + 0.8)
    assert "at 2, the door is right" in parts(outcome, tokenizer, 0)
    assert "at 2" not in parts(outcome, tokenizer, 1)
    (outcome,) = play("environment", [task], "hop", max_steps=4)
    assert (outcome.trajectory.metrics["steps"], outcome.trajectory.trajectory_reward) == (4, 0.0)


def test_a_reply_that_was_cut_off_is_closed_by_the_template_and_not_trained(play: Any, tokenizer: Any) -> None:
    task = {"id": 1, "question": "3-9", "ground_truth": "5"}
    (outcome,) = play("environment", [task], "x" * 40, "right", "right")
    assert parts(outcome, tokenizer, 1) == "x" * 16 + "right<|im_end|>" * 2
    assert parts(outcome, tokenizer, 0).startswith("<|im_end|>\n<|im_start|>user\nsay left or right")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_scaffolds_own_tests_pass(
    play: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, lang: str
) -> None:
    """Each of them, with the same answer as `agent try --json` gives, made in this process."""
    from agentic_rl_inside.agent.tryout import shown_trajectory

    def answer(argv: list[str], **_: Any) -> Any:
        task, replies = (json.loads(argv[argv.index(option) + 1]) for option in ("--task", "--replies"))
        outcomes = play(kind, [task], *replies, lang=lang)
        shown = {"ok": True, "problems": [], "trajectories": [shown_trajectory(o, tokenizer) for o in outcomes]}
        return subprocess.CompletedProcess(argv, 0, json.dumps(shown), "")

    module = ModuleType("test_player")
    module.__file__ = str(tmp_path / "test_player.py")
    exec(compile(scaffold_test(kind, "player", lang), module.__file__, "exec"), module.__dict__)
    monkeypatch.setattr(module.__dict__["subprocess"], "run", answer)
    monkeypatch.setattr(module.__dict__["shutil"], "which", lambda _: "agentic-rl")
    tests = {name: test for name, test in module.__dict__.items() if name.startswith("test_")}
    assert len(tests) >= 3
    for test in tests.values():
        test()
