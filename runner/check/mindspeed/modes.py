"""Modes and words (M1, M2, M3, M17, M18, M20, M21) and what the trainers refuse later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ...catalogue.nearest import closest
from ...native import mindspeed_preset
from .rule import Rule, Violation
from .seen import Seen

_DTYPE = "generate_config.dtype"
_INTEGRATED = "rl_config.use_integrated_worker"
_FUNCTION, _WEIGHT = "rl_config.verifier_function", "rl_config.verifier_weight"
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rl_config.kl_ctrl_type", ("fixed", "adaptive")),
    ("rl_config.adv_estimator", ("group_norm", "gae")),
)
_PENALTIES = ("kl", "abs", "mse", "low_var_kl")  # "full" is named in the source, and raises NotImplementedError


def framework(seen: Seen) -> Iterator[Violation]:
    """M1: no framework is named, or MindSpore."""
    key, value = seen.key("actor", "ai_framework"), seen.value("actor", "ai_framework")
    if value is not None and value != "mindspore":
        yield Violation((key,), {"value": value})


def dtype(seen: Seen) -> Iterator[Violation]:
    """M2: inference in bfloat16."""
    value = seen.view.value(_DTYPE, "bfloat16")
    if _DTYPE not in seen.view.broken and value != "bfloat16":
        yield Violation((_DTYPE,), {"value": value}, ((_DTYPE, "bfloat16"),))


def training_dtype(seen: Seen) -> Iterator[Violation]:
    """M2: training in bfloat16."""
    key = seen.key("actor", "bf16")
    if seen.value("actor", "bf16") is False:
        yield Violation((key,), {}, ((key, True),))


def integrated(seen: Seen) -> Iterator[Violation]:
    """M3: one worker for all roles has neither devices nor sections of theirs; separate ones have no mode of it."""
    view = seen.view
    if not seen.integrated:
        keys = _standing(seen, "rl_config.integrated_mode_config")
        if keys and view.entries[keys[0]].value is not None:
            yield Violation((keys[0], _INTEGRATED), {"value": False, "what": view.file_key(keys[0])})
        return
    for name in ("rl_config.reference_resource", "rl_config.reward_resource"):
        keys = [key for key in _standing(seen, name) if view.value(key) is not None]
        if keys:
            yield Violation((keys[0], _INTEGRATED), {"value": True, "what": name})
    for name in ("ref_config", "reward_config"):
        keys = _standing(seen, name)
        if keys:
            yield Violation((keys[0], _INTEGRATED), {"value": True, "what": name})


def _standing(seen: Seen, name: str) -> list[str]:
    return [key for key in seen.view.entries if key == name or key.startswith(f"{name}.")]


def preset(seen: Seen) -> Iterator[Violation]:
    """The model of a section is looked up among those that ``defaults`` loads, each from the file of its name."""
    loaded = _loaded(seen.view.document.values.get("defaults"))
    if not loaded or not all(mindspeed_preset(name) for name in loaded):
        return  # a file of one's own may hold any name
    for section in ("megatron_training", "actor_config", "ref_config", "reward_config", "critic_config"):
        key = f"{section}.model"
        name = seen.view.text(key)
        if name and "${" not in name and name not in loaded and not _standing(seen, f"model.{name}"):
            yield Violation((key,), {"value": name, "choices": loaded}, ((key, loaded[0]),) if len(loaded) == 1 else ())


def _loaded(defaults: Any) -> list[str]:
    items = cast("list[Any]", defaults) if isinstance(defaults, list) else [defaults]
    names: list[str] = []
    for item in items:
        group: Any = cast("Mapping[Any, Any]", item).get("model") if isinstance(item, Mapping) else None
        names += [str(name) for name in (cast("list[Any]", group) if isinstance(group, list) else [group]) if name]
    return names


def shared_backbone(seen: Seen) -> Iterator[Violation]:
    """M17: a reference model that shares the actor's weights needs LoRA."""
    if not seen.view.true("rl_config.share_backbone"):
        return
    key = seen.key("actor", "lora_target_modules")
    if not seen.value("actor", "lora_target_modules"):
        yield Violation(("rl_config.share_backbone", key), {"reason": "lora"}, (("rl_config.share_backbone", False),))
    if seen.stage == "ray_dapo":
        keys = ("rl_config.share_backbone", seen.key("actor", "stage"))
        yield Violation(keys, {"reason": "dapo"}, (("rl_config.share_backbone", False),))


def verifiers(seen: Seen) -> Iterator[Violation]:
    """M18: one weight for each verifier."""
    functions, weights = seen.view.value(_FUNCTION), seen.view.value(_WEIGHT)
    if isinstance(functions, list) and isinstance(weights, list):
        count, other = len(cast("list[Any]", functions)), len(cast("list[Any]", weights))
        if count != other:
            yield Violation((_WEIGHT, _FUNCTION), {"functions": count, "weights": other})


def clip_order(seen: Seen) -> Iterator[Violation]:
    """M20: the lower clip ratio is not above the upper one."""
    low, high = "rl_config.clip_ratio_low", "rl_config.clip_ratio_high"
    lower, upper = seen.view.real(low), seen.view.real(high)
    if seen.view.true("rl_config.clip_higher_enable") and lower is not None and upper is not None and lower > upper:
        yield Violation(
            (low, high, "rl_config.clip_higher_enable"), {"lower": lower, "upper": upper}, ((low, upper), (high, lower))
        )


def partial_rollout(seen: Seen) -> Iterator[Violation]:
    """M21: responses that are continued later can't come back in order."""
    split = seen.view.number("rl_config.partial_rollout_max_split")
    if split and split > 1 and seen.view.true("rl_config.guarantee_order"):
        keys = ("rl_config.guarantee_order", "rl_config.partial_rollout_max_split")
        yield Violation(keys, {"value": split}, (("rl_config.guarantee_order", False),))


def words(seen: Seen) -> Iterator[Violation]:
    """Words that the trainers compare with those they know."""
    for key, known in _WORDS:
        yield from _word(seen, key, known)
    # The loss of GRPO reads it, and PPO's reward where it has a KL term; DAPO has none.
    if seen.stage in ("", "ray_grpo") or (seen.stage == "ray_ppo" and seen.view.true("rl_config.use_kl_in_reward")):
        yield from _word(seen, "rl_config.kl_penalty", _PENALTIES)


def _word(seen: Seen, key: str, known: tuple[str, ...]) -> Iterator[Violation]:
    value = seen.view.value(key)
    if isinstance(value, str) and key not in seen.view.broken and "${" not in value and value not in known:
        near = closest(value, known, limit=1)
        yield Violation((key,), {"value": value, "choices": list(known)}, ((key, near[0]),) if near else ())


def horizon(seen: Seen) -> Iterator[Violation]:
    """An adaptive KL coefficient needs a horizon."""
    key, value = "rl_config.kl_horizon", seen.view.real("rl_config.kl_horizon")
    if seen.view.value("rl_config.kl_ctrl_type") == "adaptive" and value is not None and value <= 0:
        yield Violation((key, "rl_config.kl_ctrl_type"), {"value": seen.view.value(key)}, ((key, 1000),))


RULES = (
    Rule("mindspeed-framework", framework, ">=2.1", number="M1"),
    Rule("dtype-not-supported", dtype, ">=2.1", number="M2"),
    Rule("mindspeed-bf16", training_dtype, ">=2.1", number="M2"),
    Rule("mindspeed-integrated", integrated, launchers=("mindspeed-rl",), number="M3"),
    Rule("mindspeed-share-backbone", shared_backbone, ">2.3", number="M17"),
    Rule("mindspeed-verifiers", verifiers, number="M18"),
    Rule("mindspeed-clip-order", clip_order, ">=2.2", number="M20"),
    Rule("mindspeed-partial-order", partial_rollout, ">=2.2", number="M21"),
    Rule("mindspeed-preset", preset, launchers=("mindspeed-rl",)),
    Rule("mindspeed-word", words),
    Rule("mindspeed-horizon", horizon),
)
