"""What kind of file it is, told by its first-level keys alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from ..catalogue.ascendfactory import PREFIX, TREE

Shape = Literal["agentsdk", "ascendfactory", "verl", "mindspeed-rl", "hydra"]

# First levels of AgentSDK's newer generations (D and E), which are composed by Hydra.
HYDRA_KEYS = frozenset(
    (
        *("agentic_ai", "direct_conf", "serve_conf", "verl_conf", "msrl_conf"),
        *("train_instances", "agent_instances", "infer_instances"),
    )
)
_VERL = frozenset(
    (
        *("actor_rollout_ref", "algorithm", "critic", "data", "reward", "reward_model", "trainer"),
        *("custom_reward_function", "ray_kwargs", "ray_init", "global_profiler", "distillation"),
    )
)
_MINDSPEED_RL = frozenset(
    (
        *("megatron_training", "actor_config", "ref_config", "reward_config", "critic_config"),
        *("rl_config", "generate_config"),
    )
)


def shape_of(values: Mapping[str, Any]) -> Shape:
    """What kind of file it is, by its first-level keys."""
    keys = {str(key).lstrip("+~").partition(".")[0] for key in values}
    if keys & HYDRA_KEYS:
        return "hydra"
    if TREE in keys:
        return "ascendfactory"
    if keys & _VERL and "train_backend" not in keys:
        return "verl"
    if keys & _MINDSPEED_RL and "train_backend" not in keys:
        return "mindspeed-rl"
    return "agentsdk"


def native_backend(values: Mapping[str, Any]) -> str:
    """``verl`` or ``mindspeed-rl`` for a file with keys of that software, "" for others.

    AscendFactory starts several back ends; which one is told by the sections below ``backend_config``.
    """
    shape = shape_of(values)
    if shape != "ascendfactory":
        return shape if shape in ("verl", "mindspeed-rl") else ""
    tree = values.get(TREE)
    names = list(map(str, cast("Mapping[Any, Any]", tree))) if isinstance(tree, Mapping) else []
    names += [str(key).removeprefix(PREFIX) for key in values if str(key).startswith(PREFIX)]
    sections = {name.lstrip("+~").partition(".")[0] for name in names}
    if sections & _MINDSPEED_RL:
        return "mindspeed-rl"
    return "verl" if sections & (_VERL | {"rollout"}) else ""
