"""What a wrapper returned, against the tasks it got: one trajectory a task, each fit to be trained."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any

import torch

from . import compat
from .rules import WrapperProblem
from .trajectory import check_trajectory


def as_list(returned: Any) -> list[Any]:
    """The trajectories.

    Raises:
        WrapperProblem: ``not-a-list``, ``not-a-trajectory``.
    """
    if not isinstance(returned, list):
        kind = type(returned).__name__
        if hasattr(returned, "close") and kind == "coroutine":
            returned.close()
            kind += ": the method is called synchronously, it must not be `async def`"
        raise WrapperProblem("not-a-list", f"generate_agent_trajectories_async must return a list, not {kind}")
    expected = importlib.import_module(compat.ROOT).Trajectory
    wrong = next((item for item in returned if not isinstance(item, expected)), None)
    if wrong is not None:
        raise WrapperProblem("not-a-trajectory", f"the list must hold Trajectory objects, not {type(wrong).__name__}")
    return returned


def match(tasks: Sequence[dict[str, Any]], trajectories: Sequence[Any]) -> tuple[list[Any], list[Any], str]:
    """Give each task its trajectory.

    AgentSDK sorts by ``idx`` and takes the order of the tasks. Published wrappers use the task's ``id``, its position
    or a random number as ``idx``, so all three are understood.

    Returns:
        One trajectory or None a task; the trajectories that are left over; how they were matched: ``id``,
        ``position`` or ``order``.
    """
    ids = [task.get("id") for task in tasks]
    if len(set(map(str, ids))) > 1:
        for way, keys in (("id", ids), ("position", list(range(len(tasks))))):
            given = _by_key(keys, trajectories)
            if given is not None:
                return *given, way
    way = "id" if len(set(map(str, ids))) <= 1 else "order"
    ordered = sorted(trajectories, key=lambda trajectory: trajectory.idx)
    missing = [None] * (len(tasks) - len(ordered))
    return [*ordered[: len(tasks)], *missing], ordered[len(tasks) :], way


def check_returned(trajectory: Any, vocabulary: int) -> None:
    """AgentSDK's checks again, and those without which training fails later or learns nonsense.

    Args:
        trajectory: What the wrapper returned.
        vocabulary: Number of token ids.

    Raises:
        WrapperProblem: with the rule.
    """
    try:
        check_trajectory(trajectory)
    except (TypeError, ValueError) as error:
        raise WrapperProblem(getattr(error, "rule", "tokens"), str(error)) from error
    for name in ("prompt_tokens", "response_tokens"):
        _check_tokens(name, getattr(trajectory, name), vocabulary)
    _check_mask(trajectory.response_masks, trajectory.response_tokens)
    if not math.isfinite(float(trajectory.trajectory_reward)):
        raise WrapperProblem("reward-not-finite", f"trajectory_reward is {trajectory.trajectory_reward}")


def _check_tokens(name: str, tokens: torch.Tensor, vocabulary: int) -> None:
    if tokens.dim() != 1:
        raise WrapperProblem("tokens", f"{name} must have one dimension, not the shape {tuple(tokens.shape)}")
    if tokens.numel() == 0:
        raise WrapperProblem("tokens", f"{name} is empty")
    if tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool:
        raise WrapperProblem("tokens", f"{name} must hold integers, not {tokens.dtype}")
    least, most = int(tokens.min()), int(tokens.max())
    if least < 0 or most >= vocabulary:
        wrong = least if least < 0 else most
        raise WrapperProblem("token-range", f"{name} holds {wrong}; token ids are 0 to {vocabulary - 1}")


def _check_mask(mask: torch.Tensor, response: torch.Tensor) -> None:
    if mask.shape != response.shape:
        text = f"response_masks has the shape {tuple(mask.shape)}, response_tokens {tuple(response.shape)}"
        raise WrapperProblem("mask-length", text)
    if not bool(((mask == 0) | (mask == 1)).all()):
        raise WrapperProblem("mask-values", "response_masks must hold 0 and 1 only")


def _by_key(keys: Sequence[Any], trajectories: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
    """One trajectory a key, in the order they came; None when one has an ``idx`` that is no key."""
    waiting: dict[Any, list[int]] = {}
    for place, key in enumerate(keys):
        waiting.setdefault(key, []).append(place)
    given: list[Any] = [None] * len(keys)
    left: list[Any] = []
    for trajectory in trajectories:
        if trajectory.idx not in waiting:
            return None
        if waiting[trajectory.idx]:
            given[waiting[trajectory.idx].pop(0)] = trajectory
        else:
            left.append(trajectory)
    return given, left
