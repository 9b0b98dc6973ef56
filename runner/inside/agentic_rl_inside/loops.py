"""A single-turn agent loop that scores its own response.

Extension point: ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` (``agent_loops.yaml``), chosen for
rows without an ``agent_name`` by ``rollout.agent.default_agent_loop=scored_single_turn``. With the score in
the loop, ``reward.num_workers=0`` saves a Ray actor and a call a sample.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, cast

from verl.experimental.agent_loop.agent_loop import AgentLoopOutput
from verl.experimental.agent_loop.single_turn_agent_loop import SingleTurnAgentLoop
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.utils.profiler import simple_timer

from .rewards import compute_score


class ScoredSingleTurnLoop(SingleTurnAgentLoop):
    """verl's single-turn loop plus the reward, the way verl's naive reward manager computes it.

    With reward workers (``reward.num_workers`` > 0) the score is left to them.
    """

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:
        output = await super().run(sampling_params, **kwargs)  # pyright: ignore[reportAbstractUsage]
        if self.config.reward.num_workers == 0:
            timing: dict[str, float] = {}
            with simple_timer("compute_score", timing):
                score = await self._score(output, kwargs)
            output.metrics.compute_score = timing["compute_score"]
            extra = score if isinstance(score, dict) else {"acc": score}
            output.reward_score = float(score["score"] if isinstance(score, dict) else score)
            output.extra_fields["reward_extra_info"] = extra
        return output

    async def _score(self, output: AgentLoopOutput, row: dict[str, Any]) -> Any:
        score, tokenizer = _scorer(self.config), cast(Any, self.tokenizer)
        arguments = {
            "data_source": row["data_source"],
            "solution_str": tokenizer.decode(output.response_ids, skip_special_tokens=True),
            "ground_truth": row["reward_model"]["ground_truth"],
            "extra_info": {**(row.get("extra_info") or {}), "num_turns": output.num_turns},
        }
        if inspect.iscoroutinefunction(getattr(score, "func", score)):
            return await score(**arguments)
        if score is compute_score:
            return score(**arguments)
        return await asyncio.to_thread(score, **arguments)  # a user's function may block


_SCORERS: dict[int, Any] = {}


def _scorer(config: Any) -> Any:
    """The user's ``reward.custom_reward_function``, loaded once, else :func:`.rewards.compute_score`."""
    key = id(config)
    if key not in _SCORERS:
        _SCORERS[key] = get_custom_reward_fn(config) or compute_score
    return _SCORERS[key]
