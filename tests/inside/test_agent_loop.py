"""The wrapper as verl's worker runs it: loops built for every sample, one call for all of them."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput
from verl.workers.rollout.replica import TokenOutput

from . import wrappers as w
from .loops import build_loop

MARKED = w.calling(
    "with open(os.environ['CALLS'], 'a') as file: file.write(f'{len(tasks)}\\n')\nreturn self.super_call(tasks)"
)


@pytest.fixture
def rollout(verl_config: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run prompts (uid -> index) times two samples through a wrapper; the model says 52."""
    from agentic_rl_inside.agent import compat, rules

    rules.forget_warnings()
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    OmegaConf.set_struct(verl_config, False)
    verl_config.actor_rollout_ref.rollout.n = 2
    verl_config.actor_rollout_ref.rollout.prompt_length = 64
    verl_config.actor_rollout_ref.rollout.response_length = 64
    verl_config.actor_rollout_ref.rollout.temperature = 0.9

    class Model:
        async def generate(
            self, request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any]
        ) -> TokenOutput:
            asked.append(sampling_params)
            said = [*tokenizer.encode("52"), tokenizer.eos_token_id]
            return TokenOutput(token_ids=said, log_probs=[-0.5] * 3, extra_fields={"global_steps": 2})

    asked: list[dict[str, Any]] = []

    def run(text: str, prompts: dict[str, int], temperature: float = 0.9, **more: Any) -> list[Any]:
        entry = {
            "_target_": "agentic_rl_inside.agent.loop.WrapperLoop",
            "wrapper": str(w.written(tmp_path, text)),
            "trajectories": str(tmp_path / "rollouts"),
            "limit": 20.0,
            "sampling_params": {"temperature": 0.9, "min_p": 0.1, "max_tokens": 16},
            **more,
        }

        async def one(uid: str, index: int, session: int) -> AgentLoopOutput:
            loop = build_loop(OmegaConf.create(entry), verl_config, Model(), tokenizer)
            row = {
                "raw_prompt": [{"role": "user", "content": "47+5"}],
                "data_source": "somebody/sums",
                "reward_model": {"ground_truth": "52"},
                "extra_info": {"index": np.int64(index), "question": "47+5", "level": "easy"},
                "index": index,
                "uid": uid,
                "session_id": session,
                "global_steps": 4,
            }
            return await loop.run({"temperature": temperature, "top_p": 1.0, "top_k": -1}, **row)

        async def main() -> list[Any]:
            samples = [one(uid, index, session) for uid, index in prompts.items() for session in range(2)]
            return await asyncio.gather(*samples, return_exceptions=True)

        outputs = asyncio.run(main())
        compat.remove()
        return outputs

    run.asked = asked  # type: ignore[attr-defined]
    return run


def journal(tmp_path: Path) -> list[dict[str, Any]]:
    (file,) = (tmp_path / "rollouts").glob("trajectories-*.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_batch_is_one_call_and_every_sample_gets_its_trajectory(rollout: Any, tokenizer: Any, tmp_path: Path) -> None:
    outputs = rollout(MARKED, {"a": 11, "b": 5})
    assert (tmp_path / "calls").read_text() == "4\n"
    first = outputs[0]
    trained = [t for t, mask in zip(first.response_ids, first.response_mask, strict=True) if mask]
    assert tokenizer.decode(trained) == "52<|im_end|>52<|im_end|>"
    assert sum(first.response_mask) == 6
    assert tokenizer.decode(first.prompt_ids).endswith("47+5<|im_end|>\n<|im_start|>assistant\n")
    assert {p for p, mask in zip(first.response_logprobs, first.response_mask, strict=True) if mask} == {-0.5}
    assert [output.reward_score for output in outputs] == [1.0] * 4
    assert (first.num_turns, first.metrics.generate_sequences, first.metrics.tool_calls) == (4, 0.2, 0.1)
    assert first.extra_fields["reward_extra_info"]["traj_toolcall_reward"] == 0.5
    assert (first.extra_fields["min_global_steps"], first.extra_fields["max_global_steps"]) == (2, 2)


def test_requests_get_the_batchs_sampling_and_the_files_min_p(rollout: Any) -> None:
    rollout(w.WHOLE, {"a": 1}, temperature=0.3)
    assert {(p["temperature"], p["min_p"], p["max_tokens"], p["top_k"]) for p in rollout.asked} == {(0.3, 0.1, 8, -1)}
    assert not [name for params in rollout.asked for name in params if name.startswith("_")]


def test_tasks_have_what_both_back_ends_and_the_file_give(rollout: Any, tmp_path: Path) -> None:
    rollout(w.calling("open(os.environ['CALLS'], 'w').write(repr(tasks[0]))\nreturn self.super_call(tasks)"), {"a": 7})
    expected = {"id": 7, "question": "47+5", "ground_truth": "52", "level": "easy", "data_source": "somebody/sums"}
    assert ast.literal_eval((tmp_path / "calls").read_text()) == expected


def test_the_journal_holds_messages_metrics_and_where_they_belong(rollout: Any, tmp_path: Path, capfd: Any) -> None:
    rollout(w.WHOLE, {"a": 1, "b": 2})
    lines = journal(tmp_path)
    assert [(line["uid"], line["session"], line["task"]) for line in lines] == [
        ("a", 0, 1),
        ("a", 1, 1),
        ("b", 0, 2),
        ("b", 1, 2),
    ]
    line = lines[0]
    assert (line["step"], line["reward"], line["turns"], line["trained_tokens"]) == (4, 1.0, 4, 6)
    assert [message["role"] for message in line["messages"]] == ["user", "assistant", "user", "assistant"]
    assert line["metrics"]["env_time"] == 0.1
    assert "step:4 - traj/steps_mean:2 - traj/steps_min:2 - traj/steps_max:2 - " in capfd.readouterr().out


def test_one_prompt_that_raises_costs_no_other(rollout: Any, tmp_path: Path, capfd: Any) -> None:
    text = w.calling(
        "if any(task['id'] == 3 for task in tasks): raise ValueError('no such page')\nreturn self.super_call(tasks)"
    )
    outputs = rollout(text, {"a": 1, "b": 3, "c": 8})
    assert [isinstance(output, AgentLoopOutput) for output in outputs] == [True, True, False, False, True, True]
    told = capfd.readouterr().err
    assert "error task=3 rule=wrapper-raised: ValueError: no such page; 2 samples: dropped" in told
    problems = [line["problem"]["rule"] for line in journal(tmp_path) if "problem" in line]
    assert problems == ["wrapper-raised"] * 2


def test_a_hanging_prompt_is_named_and_the_others_go_on(rollout: Any, capfd: Any) -> None:
    text = w.calling("if any(task['id'] == 3 for task in tasks): time.sleep(60)\nreturn self.super_call(tasks)")
    outputs = rollout(text, {"a": 1, "b": 3}, limit=1.0)
    assert [isinstance(output, AgentLoopOutput) for output in outputs] == [True, True, False, False]
    assert "error task=3 rule=wrapper-hangs" in capfd.readouterr().err


def test_a_wrapper_that_always_hangs_is_not_waited_for_prompt_by_prompt(rollout: Any, capfd: Any) -> None:
    outputs = rollout(w.calling("time.sleep(60)"), {"a": 1, "b": 3, "c": 5, "d": 6}, limit=0.5)
    assert [output.rule for output in outputs] == ["wrapper-hangs"] * 8
    assert "task=5,6 rule=wrapper-hangs: not tried again: 2 prompts before it hung" in capfd.readouterr().err


def test_a_wrapper_that_can_not_be_imported_fails_every_sample_at_once(rollout: Any, capfd: Any) -> None:
    outputs = rollout("import nowhere_to_be_found\n", {"a": 1, "b": 2})
    assert [output.rule for output in outputs] == ["wrapper-import"] * 4
    told = capfd.readouterr().err
    assert told.count("[agentic-rl wrapper] error") == 1
    assert "task=1,2 rule=wrapper-import" in told


def test_prompts_that_share_an_id_are_called_apart(rollout: Any, tmp_path: Path) -> None:
    outputs = rollout(MARKED, {"a": 0, "b": 0})
    assert (tmp_path / "calls").read_text() == "2\n2\n"
    assert all(isinstance(output, AgentLoopOutput) for output in outputs)


def test_lengths_are_cut_to_what_verl_trains(rollout: Any, verl_config: Any, capfd: Any) -> None:
    verl_config.actor_rollout_ref.rollout.max_model_len = 128
    verl_config.actor_rollout_ref.rollout.prompt_length = 8
    verl_config.actor_rollout_ref.rollout.response_length = 10
    (first, _) = rollout(w.WHOLE, {"a": 1})
    assert (len(first.prompt_ids), len(first.response_ids), len(first.response_mask)) == (8, 10, 10)
    assert len(first.response_logprobs) == 10
    assert "rule=trajectory-cut" in capfd.readouterr().err


def test_problems_travel_between_processes() -> None:
    import pickle

    from agentic_rl_inside.agent.rules import WrapperProblem

    problem = pickle.loads(pickle.dumps(WrapperProblem("tokens", "empty", "7", "trace")))
    assert problem.as_data() == {"rule": "tokens", "task": "7", "message": "empty", "detail": "trace"}
