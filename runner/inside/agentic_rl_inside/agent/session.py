"""Tasks in, checked trajectories out: a wrapper's file over any tokenizer and generator, with or without verl.

A synchronous use, as ``agentic-rl agent try`` makes of it::

    session = WrapperSession(Settings(file="guess.py", max_steps=5), tokenizer, generate, context=512)
    for outcome in session.run([{"id": 0, "question": "..."}]):
        print(outcome.problem or outcome.trajectory.trajectory_reward)
    session.close()

``generate`` is a coroutine function ``(prompt_ids, params, session) -> recording.Generated``.
"""

from __future__ import annotations

import asyncio
import copy
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .alignment import Aligned, align
from .completions import Completions, Generate, background_loop
from .lane import Lane
from .loading import build, load_class, told
from .recording import Recording
from .returned import as_list, check_returned, match
from .rules import WrapperProblem, tell, warn_once
from .serving import CompletionServer

SAMPLING = {"temperature": 1.0, "top_k": -1, "top_p": 1.0, "min_p": 0.0, "max_tokens": 8192}


@dataclass(frozen=True)
class Settings:
    """How a wrapper is built and called.

    Attributes:
        file: The wrapper.
        agent_name: Passed on.
        sampling_params: The wrapper's ``self.sampling_params``; also what requests get that do not say.
        max_prompt_length, max_response_length: tokens.
        n_parallel_agents: rollout_n.
        max_steps: turns.
        limit: seconds without a sign of life after which a call is given up; 0: never.
        model: the tokenizer's path; ``sampling_params["model_name"]``.
    """

    file: str | Path
    agent_name: str = "agent"
    sampling_params: Mapping[str, Any] = field(default_factory=lambda: dict(SAMPLING))
    max_prompt_length: int = 8192
    max_response_length: int = 8192
    n_parallel_agents: int = 8
    max_steps: int = 5
    limit: float = 1800
    model: str = "model"

    def arguments(self, tokenizer: Any) -> dict[str, Any]:
        """The constructor's keywords, with AgentSDK's ``sampling_params``."""
        sampling = {**self.sampling_params, "logprobs": 1, "detokenize": False, "model_name": self.model}
        return {
            "agent_name": self.agent_name,
            "tokenizer": tokenizer,
            "sampling_params": sampling,
            "max_prompt_length": self.max_prompt_length,
            "max_response_length": self.max_response_length,
            "n_parallel_agents": self.n_parallel_agents,
            "max_steps": self.max_steps,
        }


@dataclass(frozen=True)
class Outcome:
    """What became of one task: a trajectory with its real tokens, or a problem."""

    task: dict[str, Any]
    trajectory: Any = None
    aligned: Aligned | None = None
    problem: WrapperProblem | None = None


class WrapperSession:
    """One wrapper, built once, called as often as there are tasks.

    Args:
        settings: How.
        tokenizer: A Transformers tokenizer; the wrapper gets a copy.
        generate: The model.
        context: Longest prompt and answer together, tokens.
        loop: Event loop in which ``generate`` runs; one of its own when None.
    """

    def __init__(
        self,
        settings: Settings,
        tokenizer: Any,
        generate: Generate,
        context: int,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.settings = settings
        self.tokenizer = tokenizer
        self._own_loop = loop is None
        defaults = {key: settings.sampling_params[key] for key in SAMPLING if key in settings.sampling_params}
        self.completions = Completions(
            generate, copy.deepcopy(tokenizer), context, loop or background_loop(), defaults, settings.model
        )
        self._server: CompletionServer | None = None
        self._lane: Lane | None = None
        self._wrapper: Any = None

    def run(self, tasks: Sequence[dict[str, Any]]) -> list[Outcome]:
        """:meth:`play` for callers without an event loop."""
        return asyncio.run(self.play(tasks))

    async def start(self) -> None:
        """Load the file and build the wrapper, if that is not done yet.

        Raises:
            WrapperProblem: the file, its class, its constructor or ``initialize`` fails, or hangs.
        """
        if self._wrapper is not None:
            return
        if self._lane is None:
            self._lane = Lane("agentic-rl wrapper")
        if self._server is None:
            self._server = CompletionServer(self.completions)
        address = self._server.address

        def make() -> Any:
            cls = load_class(self.settings.file)
            arguments = self.settings.arguments(copy.deepcopy(self.tokenizer))
            return build(cls, arguments, [self.completions.complete], [address])

        self._wrapper = await self._watched(make)

    async def play(self, tasks: Sequence[dict[str, Any]], defaults: Mapping[str, Any] | None = None) -> list[Outcome]:
        """One call of the wrapper; an outcome for each task, in their order. Never raises for what the wrapper does.

        Args:
            tasks: As AgentSDK makes them (``id``, ``question``, ``ground_truth``, ...); the wrapper gets copies.
            defaults: Sampling parameters of this call's requests that do not say.
        """
        if defaults is not None:
            self.completions.defaults = defaults
        try:
            await self.start()
            wrapper, given = self._wrapper, [dict(task) for task in tasks]
            returned = as_list(await self._watched(lambda: wrapper.generate_agent_trajectories_async(given)))
        except WrapperProblem as problem:
            return [Outcome(task, problem=problem.of(task.get("id", ""))) for task in tasks]
        matched, left, way = match(tasks, returned)
        if left:
            text = f"{len(returned)} trajectories for {len(tasks)} tasks; idx {', '.join(str(t.idx) for t in left[:5])}"
            tell(WrapperProblem("too-many-trajectories", text), f"{len(left)} dropped", "warning")
        if way == "order" and returned:
            text = "idx of the trajectories is neither the id nor the position of their tasks; they are taken in order"
            warn_once("idx-unmatched", text)
        few = f"{len(returned)} trajectories for {len(tasks)} tasks"

        def judge() -> list[Outcome]:
            return [self._outcome(task, trajectory, few) for task, trajectory in zip(tasks, matched, strict=True)]

        return await asyncio.to_thread(judge)  # thousands of tokens each: the loop serves others meanwhile

    def close(self) -> None:
        """Free the port, let the threads end."""
        if self._server is not None:
            self._server.close()
        if self._lane is not None:
            self._lane.close()
        self.completions.recording.closed = True
        if self._own_loop:
            self.completions.loop.call_soon_threadsafe(self.completions.loop.stop)

    async def _watched(self, work: Any) -> Any:
        """Run in the lane under a fresh recording; what it raises becomes a problem."""
        assert self._lane is not None
        self.completions.recording = recording = Recording()
        try:
            return await self._lane.run(work, recording, self.settings.limit)
        except WrapperProblem as problem:
            if problem.rule == "wrapper-hangs":
                self._abandon()
            raise
        except Exception as error:
            rule = getattr(error, "rule", "wrapper-raised")
            text = told(error) if rule == "wrapper-raised" else str(error)
            if recording.refused and rule == "wrapper-raised":
                text += f" (after a refused request: {recording.refused})"
            detail = "".join(traceback.format_exception(error))
            raise WrapperProblem(rule, text, detail=detail) from error

    def _abandon(self) -> None:
        """The thread is lost. The next call builds a new wrapper; what the old one still asks for is refused."""
        self._lane, self._wrapper = None, None
        if self._server is not None:
            self._server.close()
            self._server = None
        self.completions = replace(self.completions, recording=Recording())

    def _outcome(self, task: dict[str, Any], trajectory: Any, few: str) -> Outcome:
        name = task.get("id", "")
        if trajectory is None:
            return Outcome(task, problem=WrapperProblem("too-few-trajectories", few, str(name)))
        try:
            check_returned(trajectory, len(self.tokenizer))
        except WrapperProblem as problem:
            return Outcome(task, problem=problem.of(name))
        aligned = align(
            trajectory.prompt_tokens.tolist(),
            trajectory.response_tokens.tolist(),
            trajectory.response_masks.int().tolist(),
            self.completions.recording,
            lambda tokens: self.tokenizer.decode(tokens, skip_special_tokens=True),
        )
        self._warn(aligned)
        return Outcome(task, trajectory, aligned)

    @staticmethod
    def _warn(aligned: Aligned) -> None:
        if not any(aligned.mask):
            warn_once("mask-empty", "a trajectory has no token to train (response_masks is 0 everywhere); it is kept")
        if aligned.retokenised:
            text = "tokenising the model's text again gave other tokens; those that it generated are trained"
            warn_once("tokens-retokenised", text)
        if aligned.foreign and aligned.generated:
            text = (
                f"response_masks marks {aligned.foreign} of {aligned.foreign + aligned.generated} tokens that the "
                "model did not generate; those are not trained"
            )
            warn_once("tokens-not-generated", text)
        elif aligned.foreign:
            text = "a trajectory's trained tokens were not generated through completions; its mask is taken as it is"
            warn_once("tokens-not-generated", text)
