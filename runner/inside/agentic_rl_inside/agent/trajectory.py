"""``Trajectory``, ``StepTrajectory`` and ``Step`` as AgentSDK 26.0 has them, with its checks.

AgentSDK checks a trajectory when it is made and again when the wrapper returns it. The exceptions keep its types
(TypeError, ValueError); the rule that was broken is in their attribute ``rule``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from .rules import warn_once

METRICS = ("steps", "toolcall_reward", "res_reward", "reward_time", "env_time", "llm_time", "total_time")
"""The keys of ``metrics``: exactly these since AgentSDK 26.0."""

OLD_METRICS = frozenset({"steps", "reward_time", "env_time", "llm_time", "total_time"})
"""AgentSDK 7.3.0 took exactly these five, and its published examples still use them."""


def _zero_metrics() -> dict[str, Any]:
    return {name: 0 if name == "steps" else 0.0 for name in METRICS}


@dataclass
class Trajectory:
    """One episode of an agent.

    Attributes:
        prompt_tokens: token ids of the prompt, shape (p,).
        response_tokens: token ids of everything after it, the environment's words included, shape (r,).
        response_masks: 1 for tokens that the model generated and that are trained, 0 for others, shape (r,).
        idx: the task's ``id``.
        trajectory_reward: reward of the whole episode.
        chat_completions: the messages, for people.
        metrics: :data:`METRICS`; times in seconds.
    """

    prompt_tokens: torch.Tensor
    response_tokens: torch.Tensor
    response_masks: torch.Tensor
    idx: int = 0
    trajectory_reward: float | int = 0.0
    chat_completions: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    metrics: dict[str, Any] = field(default_factory=_zero_metrics)

    def __post_init__(self) -> None:
        check_trajectory(self)


@dataclass
class Step:
    """One turn of a :class:`StepTrajectory` (MindSpeed-RL's step mode)."""

    chat_completions: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    thought: str = ""
    model_response: str = ""
    info: dict[str, Any] = field(default_factory=dict[str, Any])
    reward: float = 0.0
    done: bool = False
    mc_return: float = 0.0

    def __post_init__(self) -> None:
        _check_chat(self.chat_completions)
        for name, kind in (("thought", str), ("model_response", str), ("info", dict), ("done", bool)):
            _require(isinstance(getattr(self, name), kind), TypeError, "chat", f"step {name} must be {kind.__name__}")
        for name in ("reward", "mc_return"):
            _require(isinstance(getattr(self, name), int | float), TypeError, "reward", f"step {name} must be a number")


@dataclass
class StepTrajectory(Trajectory):
    """A trajectory with its turns; verl trains it as a plain trajectory."""

    task: Any = None
    steps: list[Step] = field(default_factory=list[Step])


def check_trajectory(trajectory: Any) -> None:
    """What AgentSDK checks.

    Raises:
        TypeError, ValueError: with the attribute ``rule``.
    """
    for name in ("prompt_tokens", "response_tokens", "response_masks"):
        _check_tensor(name, getattr(trajectory, name, None))
    _check_metrics(getattr(trajectory, "metrics", None))
    reward, idx = getattr(trajectory, "trajectory_reward", None), getattr(trajectory, "idx", None)
    _require(is_number(reward), TypeError, "reward", f"trajectory_reward must be a number, not {_kind(reward)}")
    _require(isinstance(idx, int), TypeError, "idx", f"idx must be an integer, not {_kind(idx)}")
    _require(isinstance(idx, int) and idx >= 0, ValueError, "idx", f"idx must not be negative, but is {idx}")
    _check_chat(getattr(trajectory, "chat_completions", None))


def is_number(value: Any) -> bool:
    """A number to AgentSDK: Python's or NumPy's, no bool, no tensor; NaN is one."""
    return bool(np.issubdtype(type(value), np.number))


def _check_tensor(name: str, value: Any) -> None:
    rule = "mask-values" if name == "response_masks" else "tokens"
    _require(value is not None, ValueError, rule, f"{name} is not set")
    _require(isinstance(value, torch.Tensor), TypeError, rule, f"{name} must be a torch.Tensor, not {_kind(value)}")
    _require(not torch.isnan(value).any(), ValueError, rule, f"{name} holds NaN")
    _require(not torch.isinf(value).any(), ValueError, rule, f"{name} holds infinity")


def _check_metrics(metrics: Any) -> None:
    _require(isinstance(metrics, dict), TypeError, "metrics", f"metrics must be a dict, not {_kind(metrics)}")
    keys = set(metrics)
    if keys == OLD_METRICS:
        added = ", ".join(sorted(set(METRICS) - keys))
        warn_once("metrics-five", f"metrics has AgentSDK 7.3.0's five keys; 26.0 refuses it without {added}")
    else:
        lacking = ", ".join(sorted(set(METRICS) - keys)) or "nothing"
        unknown = ", ".join(sorted(map(str, keys - set(METRICS)))) or "nothing"
        text = f"metrics must have exactly the keys {', '.join(METRICS)}; lacking: {lacking}; unknown: {unknown}"
        _require(keys == set(METRICS), ValueError, "metrics", text)
    steps = metrics["steps"]
    _require(isinstance(steps, int), TypeError, "metrics", f"metrics steps must be an integer, not {_kind(steps)}")
    _require(steps >= 0, ValueError, "metrics", f"metrics steps must not be negative, but is {steps}")
    for name in {"toolcall_reward", "res_reward"} & keys:
        _require(is_number(metrics[name]), TypeError, "metrics", f"metrics {name} must be a number")
    for name in ("reward_time", "total_time"):
        value = metrics[name]
        _require(value is None or isinstance(value, int | float), TypeError, "metrics", f"metrics {name} is no number")
        _require(value is None or not value < 0, ValueError, "metrics", f"metrics {name} must not be negative")


def _check_chat(messages: Any) -> None:
    right = isinstance(messages, list) and all(isinstance(message, dict) for message in messages)
    _require(right, TypeError, "chat", f"chat_completions must be a list of dicts, not {_kind(messages)}")
    for number, message in enumerate(messages):
        for key, value in message.items():
            text = f"chat_completions[{number}][{key!r}] must be text, not {_kind(value)}"
            _require(isinstance(key, str) and isinstance(value, str), TypeError, "chat", text)


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _require(right: Any, error: type[Exception], rule: str, message: str) -> None:
    if not right:
        raised = error(message)
        raised.rule = rule  # pyright: ignore[reportAttributeAccessIssue]
        raise raised
