"""What an AgentSDK parameter becomes in MindSpeed-RL's own files (facts/agentsdk.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..catalogue import Parameter, load_catalogue
from .agentsdk import value_that_counts
from .mindspeed_keys import AGENTSDK_MINDSPEED, home_of, mindspeed_keys

DEVICES = "rl_config.actor_resource.num_npus"


@dataclass(frozen=True, slots=True)
class HandedNative:
    """One parameter as MindSpeed-RL gets it: ``key`` is its native key, "" where it becomes none."""

    parameter: Parameter
    given: bool
    value: Any
    key: str


def native_of(parameter: Parameter) -> str | None:
    """The key of MindSpeed-RL's files that a parameter of AgentSDK becomes; None where it becomes none."""
    name = parameter.mindspeed_rl
    if not name or parameter.section == "verl":
        return None
    if name == "actor_resource.num_npus":
        return DEVICES
    if name.startswith("sampling_config."):
        return f"generate_config.{name}"
    known = mindspeed_keys(AGENTSDK_MINDSPEED)
    if name == "model":
        return "megatron_training.model"
    if ("megatron", name) in known:
        return f"{home_of(name)}.{name}"
    if ("rl", name) in known:
        return f"rl_config.{name}"
    return f"generate_config.{name}" if ("generate", name) in known else None


@lru_cache(maxsize=1)
def natives() -> Mapping[str, str]:
    """AgentSDK parameter -> native key, of those that have one."""
    parameters = load_catalogue().parameters.values()
    return {p.key: native for p in parameters if (native := native_of(p)) is not None}


def agentsdk_natives(values: Mapping[str, Any]) -> Iterator[HandedNative]:
    """Every first-level and ``mindspeed_rl:`` parameter in the catalogue's order.

    An absent one counts with the software's default and is left out where none is known, or where it is null.
    """
    for parameter in load_catalogue().parameters.values():
        if parameter.section == "verl":
            continue
        counts = value_that_counts(values, parameter)
        if counts is not None and counts != (False, None):
            yield HandedNative(parameter, *counts, natives().get(parameter.key, ""))
