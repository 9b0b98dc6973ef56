"""Rules that a wrapper and its trajectories have to keep, and how a violation is logged.

``templates/failures/agent.yaml`` explains every rule; it finds them by the line that :meth:`WrapperProblem.line` makes.
"""

from __future__ import annotations

import sys
import threading

PREFIX = "[agentic-rl wrapper]"
"""Stable start of every line about a wrapper."""

RULES = frozenset(
    {
        # the file
        "wrapper-file",
        "wrapper-name",
        "wrapper-import",
        "wrapper-class",
        "wrapper-arguments",
        "wrapper-initialize",
        "module-replaced",
        # the call
        "wrapper-raised",
        "wrapper-hangs",
        "worker-died",  # told by replay.py
        "not-a-list",
        "not-a-trajectory",
        "too-few-trajectories",
        "too-many-trajectories",
        "idx-unmatched",
        # the trajectory
        "tokens",
        "token-range",
        "mask-length",
        "mask-values",
        "mask-empty",
        "idx",
        "reward",
        "reward-not-finite",
        "chat",
        "metrics",
        "metrics-five",
        # its tokens and the model's
        "tokens-not-generated",
        "tokens-retokenised",
        "trajectory-cut",
        # requests to the model
        "request",
        "request-too-long",
        "request-default-length",
    }
)


class WrapperProblem(Exception):
    """A wrapper, or one of its trajectories, breaks a rule.

    Attributes:
        rule: one of :data:`RULES`.
        message: one sentence, in English; texts in both languages are in the failure catalogue under the rule.
        task: the task's ``id`` as text, "" where no single task is concerned.
        detail: several lines (a traceback) or "".
    """

    def __init__(self, rule: str, message: str, task: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.rule, self.message, self.task, self.detail = rule, message, task, detail

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.rule, self.message, self.task, self.detail)

    def of(self, task: object) -> WrapperProblem:
        """The same problem, told of one task."""
        return WrapperProblem(self.rule, self.message, str(task), self.detail)

    def line(self, outcome: str = "", level: str = "error") -> str:
        """``[agentic-rl wrapper] error task=7 rule=mask-length: <message>; <outcome>``, always one line."""
        task = f" task={self.task}" if self.task else ""
        text = f"{PREFIX} {level}{task} rule={self.rule}: {self.message}"
        return " ".join((f"{text}; {outcome}" if outcome else text).split())

    def as_data(self) -> dict[str, str]:
        """For JSON."""
        return {"rule": self.rule, "task": self.task, "message": self.message, "detail": self.detail}


def tell(problem: WrapperProblem, outcome: str = "", level: str = "error") -> None:
    """Print a problem (and its traceback, if any) to stderr, which Ray carries to the driver."""
    text = problem.line(outcome, level)
    print("\n".join(filter(None, (problem.detail.rstrip(), text))), file=sys.stderr, flush=True)


_told: set[str] = set()
_lock = threading.Lock()


def warn_once(rule: str, message: str) -> None:
    """Print a warning of a rule the first time in this process."""
    with _lock:
        if rule in _told:
            return
        _told.add(rule)
    tell(WrapperProblem(rule, message), "told once", "warning")


def forget_warnings() -> None:
    """Let :func:`warn_once` speak again (a new session)."""
    with _lock:
        _told.clear()
