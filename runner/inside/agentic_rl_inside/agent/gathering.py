"""verl asks for one sample at a time; a wrapper is called with many tasks.

AgentSDK calls the wrapper once a step, with all prompts of the batch times rollout_n tasks. Here the samples that wait
are gathered until no more arrive, and become one call; what arrives meanwhile becomes the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .rules import WrapperProblem, tell
from .session import Outcome, WrapperSession

QUIET_SECONDS = 0.1
"""Samples of a batch are started one after the other; after this long without a new one all are there."""
HANGING_PROMPTS = 2
"""So many prompts that hang one after the other make the rest of the call hopeless."""

# Rules about the file: to call again is no use.
_HOPELESS = frozenset(
    {"wrapper-file", "wrapper-name", "wrapper-import", "wrapper-class", "wrapper-arguments", "wrapper-initialize"}
)
_WHOLE_CALL = _HOPELESS | {"wrapper-raised", "wrapper-hangs", "not-a-list", "not-a-trajectory"}


@dataclass(frozen=True)
class Sample:
    """One sample that waits for its trajectory.

    Attributes:
        task: The wrapper's task.
        uid: verl's name of the prompt; samples of one prompt share it.
        session: 0 to rollout_n - 1.
        params: Sampling parameters of its batch.
    """

    task: dict[str, Any]
    uid: str
    session: int
    params: Mapping[str, Any]
    done: asyncio.Future[Outcome] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Gatherer:
    """Turns samples into calls of one wrapper, and tells what went wrong.

    Args:
        open_session: Makes the wrapper session.
        finished: Called with the samples and outcomes of each call.
    """

    def __init__(
        self,
        open_session: Callable[[], WrapperSession],
        finished: Callable[[Sequence[Sample], Sequence[Outcome]], None],
    ) -> None:
        self._open_session, self._finished = open_session, finished
        self._session: WrapperSession | None = None
        self._waiting: list[Sample] = []
        self._serving: asyncio.Task[None] | None = None

    async def play(self, sample: Sample) -> Outcome:
        """The outcome of one sample."""
        self._waiting.append(sample)
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())
        return await sample.done

    async def _serve(self) -> None:
        while self._waiting:
            seen = 0
            while seen != len(self._waiting):
                seen = len(self._waiting)
                await asyncio.sleep(QUIET_SECONDS)
            params = self._waiting[0].params
            taken = [sample for sample in self._waiting if sample.params == params]
            self._waiting = [sample for sample in self._waiting if sample.params != params]
            taken = _by_prompt(taken)
            try:
                for call in [taken] if _told_apart(taken) else _prompts(taken):
                    await self._call(call)
            except Exception as error:
                for sample in taken:
                    if not sample.done.done():
                        sample.done.set_exception(error)

    async def _call(self, samples: list[Sample]) -> None:
        if self._session is None:
            self._session = self._open_session()
        outcomes = await self._session.play([sample.task for sample in samples], samples[0].params)
        prompts = _prompts(samples)
        if len(prompts) > 1 and all(o.problem and o.problem.rule in _WHOLE_CALL - _HOPELESS for o in outcomes):
            tell_all(outcomes, f"every prompt of the call ({len(prompts)}) is tried again by itself")
            outcomes = await self._one_by_one(self._session, prompts)
        tell_all(outcomes, "dropped")
        self._finished(samples, outcomes)
        for sample, outcome in zip(samples, outcomes, strict=True):
            if not sample.done.done():
                sample.done.set_result(outcome)

    async def _one_by_one(self, session: WrapperSession, prompts: list[list[Sample]]) -> list[Outcome]:
        """Each prompt in a call of its own, so that one bad prompt costs no other.

        One after the other: a wrapper that forks is not made for neighbours in its process. When prompts keep hanging,
        the rest is not waited for.
        """
        outcomes: list[Outcome] = []
        hung = 0
        for samples in prompts:
            tasks = [sample.task for sample in samples]
            if hung >= HANGING_PROMPTS:
                text = f"not tried again: {hung} prompts before it hung"
                outcomes += [Outcome(t, problem=WrapperProblem("wrapper-hangs", text, str(t.get("id")))) for t in tasks]
                continue
            played = await session.play(tasks, samples[0].params)
            hangs = any(outcome.problem and outcome.problem.rule == "wrapper-hangs" for outcome in played)
            hung = hung + 1 if hangs else 0
            outcomes += played
        return outcomes


def tell_all(outcomes: Sequence[Outcome], consequence: str) -> None:
    """One line for each different problem, naming up to five tasks; a traceback once."""
    found: dict[tuple[str, str], list[WrapperProblem]] = {}
    for outcome in outcomes:
        if outcome.problem is not None:
            found.setdefault((outcome.problem.rule, outcome.problem.message), []).append(outcome.problem)
    for problems in found.values():
        names = list(dict.fromkeys(problem.task for problem in problems))
        shown = ",".join(names[:5]) + (f",+{len(names) - 5}" if len(names) > 5 else "")
        count = f"{len(problems)} samples: {consequence}" if len(problems) > 1 else consequence
        tell(problems[0].of(shown), count)


def _by_prompt(samples: list[Sample]) -> list[Sample]:
    """Samples of a prompt side by side, prompts in the order they came: AgentSDK repeats each row rollout_n times."""
    order = {uid: place for place, uid in reversed(list(enumerate(s.uid for s in samples)))}
    return sorted(samples, key=lambda sample: (order[sample.uid], sample.session))


def _prompts(samples: Sequence[Sample]) -> list[list[Sample]]:
    found: dict[str, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.uid, []).append(sample)
    return list(found.values())


def _told_apart(samples: Sequence[Sample]) -> bool:
    """Whether every prompt has an integer ``id`` of its own, so that trajectories find back to their prompts."""
    ids = {sample.uid: sample.task.get("id") for sample in samples}
    return all(isinstance(id, int) for id in ids.values()) and len(set(ids.values())) == len(ids)
