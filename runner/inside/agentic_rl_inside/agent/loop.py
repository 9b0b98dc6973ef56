"""verl's agent loop whose agent is the user's AgentSDK wrapper.

Extension point: ``rollout.agent.agent_loop_config_path``, a list whose entry ``agentsdk_wrapper`` names
:class:`WrapperLoop` and carries the keywords of its constructor; written by ``runner/backends/verl/agent.py``. verl
builds a loop for every sample and runs all samples of a batch at once in one process; what they share is kept here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

from .engine import generator, params_of
from .gathering import Gatherer, Sample
from .journal import Journal, averages, entry, numbers, turns
from .rules import warn_once
from .session import Outcome, Settings, WrapperSession
from .tasks import plain, task_of

_gatherers: dict[int, Gatherer] = {}
"""One for each event loop: a worker has one, tests have several."""


class WrapperLoop(AgentLoopBase):
    """One sample through the wrapper.

    Args:
        wrapper: Path of the file.
        agent_name, max_steps, max_prompt_length, max_response_length, sampling_params: as AgentSDK hands them over.
        limit: Seconds without a sign of life after which a call of the wrapper is given up.
        trajectories: Folder of the journal.
        args, kwargs: verl's own.
    """

    def __init__(
        self,
        *args: Any,
        wrapper: str,
        agent_name: str = "agent",
        max_steps: int = 5,
        max_prompt_length: int = 8192,
        max_response_length: int = 8192,
        sampling_params: Mapping[str, Any] | None = None,
        limit: float = 1800,
        trajectories: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        rollout = self.config.actor_rollout_ref.rollout
        self.rollout = rollout
        self.settings = Settings(
            file=wrapper,
            agent_name=agent_name,
            sampling_params=plain(sampling_params or {}),
            max_prompt_length=max_prompt_length,
            max_response_length=max_response_length,
            n_parallel_agents=int(rollout.n),
            max_steps=max_steps,
            limit=limit,
            model=str(self.config.actor_rollout_ref.model.path),
        )
        self.trajectories = trajectories

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:
        """Wait for the sample's trajectory.

        Raises:
            WrapperProblem: there is none; verl counts the sample as failed.
        """
        row = kwargs
        step = int(plain(row.get("global_steps", -1)))
        sample = Sample(
            task_of(row),
            str(row.get("uid", f"index {row.get('index')}")),
            int(plain(row.get("session_id", 0))),
            {**params_of(self.settings.sampling_params, sampling_params), "_step": step},
        )
        outcome = await self._gatherer().play(sample)
        if outcome.problem is not None:
            raise outcome.problem
        return self._output(outcome, step)

    def _gatherer(self) -> Gatherer:
        key = id(asyncio.get_running_loop())
        if key not in _gatherers:
            _gatherers[key] = Gatherer(self._open_session, self._finished)
            self.journal = Journal(self.trajectories)
        return _gatherers[key]

    def _open_session(self) -> WrapperSession:
        generate = generator(self.server_manager, self.rollout, self.tokenizer.eos_token_id)
        context = int(self.rollout.max_model_len or self.rollout.prompt_length + self.rollout.response_length)
        return WrapperSession(self.settings, self.tokenizer, generate, context, asyncio.get_running_loop())

    def _finished(self, samples: Sequence[Sample], outcomes: Sequence[Outcome]) -> None:
        step, validate = int(samples[0].params["_step"]), self._validates(samples[0].params)
        self.journal.write(
            entry(outcome, step=step, uid=sample.uid, session=sample.session, validate=validate)
            for sample, outcome in zip(samples, outcomes, strict=True)
        )
        # With one worker a call is a whole step, as under AgentSDK; the parts of several would overwrite each other.
        if not validate and int(self.rollout.agent.num_workers) == 1 and (line := averages(step, outcomes)):
            print(line, flush=True)

    def _validates(self, params: Mapping[str, Any]) -> bool | None:
        """A loop is not told whether verl validates; the sampling parameters mostly do."""
        names = ("temperature", "top_p", "top_k")
        own, val = self.rollout, self.rollout.val_kwargs
        if all(own[name] == val[name] for name in names):
            return None
        return all(params["_given"][name] == val[name] for name in names)

    def _output(self, outcome: Outcome, step: int) -> AgentLoopOutput:
        trajectory, aligned = outcome.trajectory, outcome.aligned
        assert aligned is not None
        prompt, longest = trajectory.prompt_tokens.tolist(), int(self.rollout.response_length)
        prompt_limit = int(self.rollout.prompt_length)
        if len(prompt) > prompt_limit or len(aligned.tokens) > longest:
            text = (
                f"a trajectory has {len(prompt)} + {len(aligned.tokens)} tokens; verl trains {prompt_limit} + {longest}"
                " (max_prompt_length, max_response_length): the prompt's start and the response's end are cut off"
            )
            warn_once("trajectory-cut", text)
        metrics = numbers(trajectory.metrics)
        oldest, newest = aligned.steps or (step, step)
        known = AgentLoopMetrics.model_fields
        given = {
            "generate_sequences": metrics["llm_time"] or 0.0,
            "tool_calls": metrics["env_time"] or 0.0,
            "compute_score": metrics["reward_time"] or 0.0,
        }
        log_probs = aligned.log_probs if self.rollout.calculate_log_probs else None
        return AgentLoopOutput(
            prompt_ids=prompt[-prompt_limit:],
            response_ids=aligned.tokens[:longest],
            response_mask=aligned.mask[:longest],
            response_logprobs=log_probs[:longest] if log_probs is not None else None,
            reward_score=float(trajectory.trajectory_reward),
            num_turns=turns(trajectory),
            metrics=AgentLoopMetrics(**{name: value for name, value in given.items() if name in known}),
            extra_fields={
                "reward_extra_info": {f"traj_{name}": value or 0.0 for name, value in metrics.items()},
                "min_global_steps": oldest,
                "max_global_steps": newest,
                "turn_scores": [],
                "tool_rewards": [],
            },
        )
