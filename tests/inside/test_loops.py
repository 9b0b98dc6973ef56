"""The agent loop as verl's worker builds and runs it, with a scripted model behind it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput
from verl.workers.rollout.replica import TokenOutput

from .loops import build_loop


@pytest.fixture
def answer(verl_config: Any, tokenizer: Any, inside: Path) -> Any:
    """Run the loop of ``agent_loops.yaml`` on the question 47+5 with a model that says ``text``."""

    def run(text: str, **row: Any) -> AgentLoopOutput:
        said = [*tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id]

        class Model:
            async def generate(self, **_: Any) -> TokenOutput:
                return TokenOutput(token_ids=said, log_probs=[-0.5] * len(said), extra_fields={"global_steps": 2})

        async def main() -> AgentLoopOutput:
            loop = build_loop(
                OmegaConf.load(inside / "agentic_rl_inside" / "agent_loops.yaml")[0], verl_config, Model(), tokenizer
            )
            asked = {
                "raw_prompt": [{"role": "user", "content": "47+5"}],
                "data_source": "agentic_rl/addition",
                "reward_model": {"ground_truth": "52"},
                "extra_info": {"index": 0},
                "index": 0,
            }
            return await loop.run({"temperature": 1.0}, **{**asked, **row})

        return asyncio.run(main())

    return run


def test_the_loop_scores_its_response(answer: Any, tokenizer: Any) -> None:
    right, wrong = answer("52"), answer("42")
    assert (right.reward_score, wrong.reward_score) == (1.0, 0.0)
    assert right.extra_fields["reward_extra_info"] == {"acc": 1.0}
    assert tokenizer.decode(right.prompt_ids).endswith("47+5<|im_end|>\n<|im_start|>assistant\n")
    assert right.response_mask == [1, 1, 1]
    assert right.response_logprobs == [-0.5] * 3
    assert right.extra_fields["global_steps"] == 2


def test_with_reward_workers_the_score_is_theirs(answer: Any, verl_config: Any) -> None:
    verl_config.reward.num_workers = 1
    assert answer("52").reward_score is None


def test_the_users_reward_function_is_used(answer: Any, verl_config: Any, tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text(
        "def compute_score(data_source, solution_str, ground_truth, extra_info=None, bonus=0):\n"
        "    return {'score': len(solution_str) + bonus, 'acc': 1.0, 'turns': extra_info['num_turns']}\n"
    )
    verl_config.reward.custom_reward_function.path = str(source)
    OmegaConf.set_struct(verl_config, False)
    verl_config.reward.custom_reward_function.reward_kwargs = {"bonus": 10}
    output = answer("42")
    assert output.reward_score == 12.0
    assert output.extra_fields["reward_extra_info"] == {"score": 12, "acc": 1.0, "turns": 2}


def test_an_unknown_data_source_is_an_error_not_a_zero(answer: Any) -> None:
    with pytest.raises(NotImplementedError):
        answer("52", data_source="somebody/else")
