"""What document 004 says that an AscendFactory file must set, for the variant that the file evidently is."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import Parameter, Problem, load_catalogue
from ...catalogue.ascendfactory import OUTPUT
from ..verl.setup import ESTIMATOR
from ..view import View

_TURNS = "actor_rollout_ref.rollout.multi_turn."
# Other ways to say what the turns of a conversation are made of.
_INSTEAD = {
    _TURNS + "tool_config_path": (
        _TURNS + "interaction_config_path",
        "actor_rollout_ref.rollout.agent.agent_loop_config_path",
    )
}

# Read only while another key switches it on (one name before verl 0.7.1, one from then on).
_ON = ("reward_model.enable", "reward.reward_model.enable")
_SWITCHES = {"reward_model.model.path": _ON, "reward.reward_model.model_path": _ON}


def variants_of(view: View) -> tuple[str, ...]:
    """The variants of document 004 with demands of their own that the file shows to be."""
    found: list[str] = []
    if view.given(ESTIMATOR) and view.value(ESTIMATOR) == "gae":
        found.append("ppo")
    if view.given(_TURNS + "enable") and view.true(_TURNS + "enable"):
        found.append("multi-turn")
    return tuple(found)


def check_needed(view: View) -> Iterator[Problem]:
    """Required keys that the file leaves to verl's defaults, which lead to places that few have."""
    variants = variants_of(view)
    for parameter in load_catalogue("verl").parameters.values():
        variant = next((name for name in variants if name in parameter.required_in), "")
        if parameter.key == OUTPUT or not (parameter.required or variant):
            continue
        keys = parameter.verl_keys(view.version)
        if not keys or not view.declared(keys[0]) or not _lacking(view, parameter, keys):
            continue
        params = {"variant": variant} if variant else {}
        yield view.problem("warning", "native-required-missing", keys[:1], params)


def _lacking(view: View, parameter: Parameter, keys: tuple[str, ...]) -> bool:
    if any(view.given(key) for key in (parameter.key, *keys, *parameter.aliases, *_INSTEAD.get(keys[0], ()))):
        return False
    switches = _SWITCHES.get(keys[0], ())
    if switches and not any(view.true(key) for key in switches):
        return False
    # A switch that this version has in the needed place by itself.
    return parameter.kind == "path" or view.value(keys[0]) not in (True, "async")
