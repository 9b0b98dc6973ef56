"""A wrapper over a scripted model: what it is given, and what becomes of what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import wrappers as w


@pytest.fixture
def play(tmp_path: Path, tokenizer: Any) -> Iterator[Callable[..., Any]]:
    """Write a wrapper, call it with tasks, return the outcomes."""
    from agentic_rl_inside.agent import compat, rules
    from agentic_rl_inside.agent.session import Settings, WrapperSession

    rules.forget_warnings()
    opened: list[WrapperSession] = []

    def run(text: str, *ids: int, name: str = "player.py", said: tuple[str, ...] = ("52",), **more: Any) -> list[Any]:
        settings = Settings(w.written(tmp_path, text, name), **{"limit": 20.0, "n_parallel_agents": 2, **more})
        session = WrapperSession(settings, tokenizer, w.scripted(tokenizer, *said), context=256)
        opened.append(session)
        return session.run(w.tasks(*(ids or (7,))))

    yield run
    for session in opened:
        session.close()
    compat.remove()


def test_two_turns_come_back_with_masks_and_what_the_model_really_chose(play: Any, tokenizer: Any) -> None:
    (outcome,) = play(w.WHOLE, said=("13", "52"))
    assert outcome.problem is None
    aligned = outcome.aligned
    trained = [token for token, mask in zip(aligned.tokens, aligned.mask, strict=True) if mask]
    assert tokenizer.decode(trained) == "13<|im_end|>52<|im_end|>"
    assert (aligned.generated, aligned.foreign, aligned.steps) == (6, 0, (3, 3))
    chances = [chance for chance, mask in zip(aligned.log_probs, aligned.mask, strict=True) if mask]
    assert chances == [-0.25, -0.26, -0.27] * 2
    assert outcome.trajectory.trajectory_reward == 1.0


def test_the_constructor_gets_agentsdks_arguments(play: Any) -> None:
    text = w.calling(
        "said = [str(self.sampling_params), self.agent_name, str(self.max_steps), str(self.n_parallel_agents),\n"
        "        self.server_addresses[0], str(len(self.completions)), str(sorted(tasks[0]))]\n"
        "return [self.done(tasks[0], [1], [2], [1], [{'role': 'user', 'content': t} for t in said])]"
    )
    (outcome,) = play(text, agent_name="guesser", max_steps=9)
    told = [message["content"] for message in outcome.trajectory.chat_completions]
    for key in ("temperature", "top_k", "top_p", "min_p", "max_tokens", "model_name", "'logprobs': 1"):
        assert key in told[0]
    assert told[1:4] == ["guesser", "9", "2"]
    assert told[4].startswith("127.0.0.1:")
    assert told[5:] == ["1", "['ground_truth', 'id', 'question']"]


BROKEN = {
    "raises": (w.calling("raise RuntimeError('the tool is gone')"), "wrapper-raised", "the tool is gone"),
    "textless": (
        w.calling("E = type('E', (Exception,), {'__str__': lambda self: 1 / 0}); raise E()"),
        "wrapper-raised",
        "E: (its text can't be had: ZeroDivisionError)",
    ),
    "exits": (w.calling("sys.exit(3)"), "wrapper-raised", "SystemExit: 3"),
    "hangs": (w.calling("time.sleep(60)"), "wrapper-hangs", "player.py"),
    "none": (w.calling("return []"), "too-few-trajectories", "0 trajectories for 1 tasks"),
    "no-list": (w.calling("return None"), "not-a-list", "NoneType"),
    "tuple": (w.calling("return tuple(self.super_call(tasks))"), "not-a-list", "tuple"),
    "coroutine": (w.calling("return self.main(tasks)"), "not-a-list", "async def"),
    "dicts": (w.calling("return [{} for _ in tasks]"), "not-a-trajectory", "dict"),
    "short-mask": (w.finishing("mask = mask[:-1]"), "mask-length", "(20,)"),
    "mask-of-2": (w.finishing("mask = mask * 2"), "mask-values", "0 and 1"),
    "nan-mask": (w.finishing("mask = mask * float('nan')"), "mask-values", "NaN"),
    "no-response": (w.finishing("tokens = tokens[:0]; mask = mask[:0]"), "tokens", "empty"),
    "two-dimensions": (w.finishing("prompt = prompt[None]"), "tokens", "one dimension"),
    "floats": (w.finishing("tokens = tokens.float()"), "tokens", "integers"),
    "lists": (w.finishing("tokens = tokens.tolist()"), "tokens", "torch.Tensor"),
    "unknown-token": (w.finishing("tokens[0] = 10_000"), "token-range", "10000"),
    "nan-reward": (w.finishing("more['trajectory_reward'] = float('nan')"), "reward-not-finite", "nan"),
    "bool-reward": (w.finishing("more['trajectory_reward'] = True"), "reward", "bool"),
    "tensor-reward": (w.finishing("more['trajectory_reward'] = torch.tensor(1.0)"), "reward", "Tensor"),
    "none-content": (w.finishing("said[-1]['content'] = None"), "chat", "must be text, not None"),
    "tool-calls": (w.finishing("said[-1]['tool_calls'] = []"), "chat", "tool_calls"),
    "no-metrics": (w.finishing("more['metrics'] = {}"), "metrics", "lacking: env_time"),
    "metrics-more": (w.finishing("more['metrics']['cost'] = 1.0"), "metrics", "unknown: cost"),
    "metrics-text": (w.finishing("more['metrics']['steps'] = '2'"), "metrics", "integer"),
    "idx-text": (w.finishing("more['idx'] = 'seven'"), "idx", "integer"),
    "bad-request": (
        w.calling("asyncio.run(self.completions[0]({'prompt': 'a', 'stop': ['b']}))"),
        "wrapper-raised",
        "stop",
    ),
    "missing-module": (w.HEAD + "import websearch_tools\n" + w.PLAY, "wrapper-import", "websearch_tools"),
    "unknown-sdk-name": ("from agentic_rl.memory import X\n" + w.WHOLE, "wrapper-import", "not installed here"),
    "syntax": (w.WHOLE + "\ndef (", "wrapper-import", "SyntaxError"),
    "no-class": (w.HEAD, "wrapper-class", "none"),
    "two-classes": (w.WHOLE + "\nclass Other(Player):\n    pass\n", "wrapper-class", "Other"),
    "abstract": (w.HEAD + "class P(BaseEngineWrapper):\n    pass\n", "wrapper-arguments", "abstract"),
    "own-arguments": (
        w.WHOLE + "\n    def __init__(self, tokenizer):\n        pass\n",
        "wrapper-arguments",
        "unexpected keyword",
    ),
    "initialize": (
        w.WHOLE + "\n    def initialize(self):\n        raise OSError('no port')\n",
        "wrapper-initialize",
        "no port",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_wrapper_is_a_problem_with_task_and_rule(case: str, play: Any) -> None:
    text, rule, words = BROKEN[case]
    (outcome,) = play(text, limit=1.0 if case == "hangs" else 20.0)
    assert outcome.problem is not None
    assert (outcome.problem.rule, outcome.problem.task) == (rule, "7"), outcome.problem.line()
    assert words in outcome.problem.message
    line = outcome.problem.line("dropped")
    assert line.startswith(f"[agentic-rl wrapper] error task=7 rule={rule}: ")
    assert "\n" not in line


def test_a_file_name_that_is_no_identifier_is_refused(play: Any) -> None:
    (outcome,) = play(w.WHOLE, name="my-player.py")
    assert outcome.problem.rule == "wrapper-name"


def test_arguments_out_of_range_are_refused(play: Any) -> None:
    (outcome,) = play(w.WHOLE, max_steps=101)
    assert outcome.problem.rule == "wrapper-arguments"
    assert "from 1 to 100" in outcome.problem.message


def test_the_other_tasks_of_a_call_survive_one_bad_trajectory(play: Any) -> None:
    text = w.finishing("more['trajectory_reward'] = float('inf') if task['id'] == 2 else 1.0")
    outcomes = play(text, 1, 2, 3)
    assert [outcome.problem and outcome.problem.rule for outcome in outcomes] == [None, "reward-not-finite", None]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (w.calling("return self.super_call(tasks)[::-1]"), [5, 9, 9]),
        (w.calling("return self.super_call(tasks)[1:]"), [9, 9]),
        (w.calling("return self.super_call(tasks) + self.super_call(tasks)[:1]"), [5, 9, 9]),
    ],
    ids=["any-order", "too-few", "too-many"],
)
def test_each_task_gets_the_trajectory_of_its_id(text: str, kept: list[int], play: Any) -> None:
    outcomes = play(text, 5, 9, 9)
    assert [o.trajectory.idx for o in outcomes if o.problem is None] == kept
    assert all(o.trajectory.idx == o.task["id"] for o in outcomes if o.problem is None)
    missing = [o.problem.rule for o in outcomes if o.problem is not None]
    assert missing == ["too-few-trajectories"] * (3 - len(kept))


def test_positions_instead_of_ids_are_understood(play: Any) -> None:
    outcomes = play(
        w.calling(
            "return [self.done({**t, 'id': n}, [n + 1], [2], [1], [{'role': 'user', 'content': ''}])"
            " for n, t in enumerate(tasks)][::-1]"
        ),
        50,
        40,
        60,
    )
    assert [o.trajectory.prompt_tokens.tolist() for o in outcomes] == [[1], [2], [3]]


def test_a_wrapper_that_hung_is_built_anew_for_the_next_call(play: Any, tmp_path: Path, tokenizer: Any) -> None:
    from agentic_rl_inside.agent.session import Settings, WrapperSession

    text = w.calling("if tasks[0]['id'] == 1: time.sleep(60)\nreturn self.super_call(tasks)")
    settings = Settings(w.written(tmp_path, text), limit=0.5, n_parallel_agents=1)
    session = WrapperSession(settings, tokenizer, w.scripted(tokenizer, "52"), context=256)
    first, second = session.run(w.tasks(1)), session.run(w.tasks(2))
    session.close()
    assert first[0].problem.rule == "wrapper-hangs"
    assert "time.sleep(60)" in first[0].problem.detail
    assert second[0].problem is None


def test_five_metrics_are_accepted_with_one_warning(play: Any, capfd: Any) -> None:
    text = w.finishing("more['metrics'] = {k: v for k, v in METRICS.items() if not k.endswith('reward')}")
    outcomes = play(text, 1, 2)
    assert [outcome.problem for outcome in outcomes] == [None, None]
    assert capfd.readouterr().err.count("rule=metrics-five") == 1


def test_stubs_that_the_file_puts_over_real_modules_are_taken_away(play: Any, capfd: Any) -> None:
    import sys

    import torch

    text = "import sys, types, torch\nreal = torch\n"
    for name in ("torch", "torch.made_up"):
        text += f"sys.modules['{name}'] = types.ModuleType('{name}')\n"
    text += w.WHOLE.replace("import torch\n", "torch = real\n")
    (outcome,) = play(text)
    assert outcome.problem is None
    assert sys.modules["torch"] is torch
    assert "torch.made_up" not in sys.modules
    assert "rule=module-replaced" in capfd.readouterr().err


def test_what_an_abandoned_wrapper_still_asks_for_is_refused(tmp_path: Path, tokenizer: Any) -> None:
    import time

    from agentic_rl_inside.agent.session import Settings, WrapperSession

    text = w.calling(
        "if tasks[0]['id'] == 1:\n"
        "    time.sleep(1.5)\n"
        "    try: self.super_call(tasks)\n"
        "    except RuntimeError as error: open(os.environ['TOLD'], 'w').write(str(error))\n"
        "    return []\n"
        "return self.super_call(tasks)"
    )
    told = tmp_path / "told"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOLD", str(told))
        session = WrapperSession(
            Settings(w.written(tmp_path, text), limit=0.3, n_parallel_agents=1),
            tokenizer,
            w.scripted(tokenizer, "52"),
            context=256,
        )
        assert session.run(w.tasks(1))[0].problem.rule == "wrapper-hangs"
        assert session.run(w.tasks(2))[0].problem is None
        for _ in range(100):
            if told.exists() and told.read_text():
                break
            time.sleep(0.1)
        session.close()
    assert "given up" in told.read_text()
