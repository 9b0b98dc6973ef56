"""Words of the algorithm that this version must know, and values that contradict each other (V8, V10, V19, V28-V31)."""

from __future__ import annotations

from functools import lru_cache, partial
from importlib.resources import files
from typing import Any, cast

from ...catalogue.nearest import closest
from ...catalogue.versions import version_holds
from ..view import View
from .relation import EVERYWHERE, NATIVE, Finding, Relation
from .setup import ACTOR, ESTIMATOR, KL_LOSS, KL_REWARD, MODEL, ROLLOUT, fsdp

LOSS_MODE, AGGREGATION = ACTOR + "policy_loss.loss_mode", ACTOR + "loss_agg_mode"
KL_TYPE, KL_PENALTY = ACTOR + "kl_loss_type", "algorithm.kl_penalty"
KL_CONTROL, HORIZON = "algorithm.kl_ctrl.type", "algorithm.kl_ctrl.horizon"
CLIP = ACTOR + "clip_ratio_c"
SAMPLE, TEMPERATURE = ROLLOUT + "val_kwargs.do_sample", ROLLOUT + "temperature"
SCHEDULE, WARMUP = ACTOR + "optim.lr_scheduler_type", ACTOR + "optim.warmup_style"
EXTERNAL = MODEL + "external_lib"


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "verl_words.yaml"
    return cast("dict[str, dict[str, str]]", yaml.safe_load(path.read_text(encoding="utf-8")))


def known_words(kind: str, version: str) -> list[str]:
    """The words of a kind (templates/backends/verl_words.yaml) that a version knows."""
    return [str(word) for word, versions in _table()[kind].items() if version_holds(versions, version)]


def word_finding(kind: str, key: str, view: View) -> Finding | None:
    """A word that this version does not know; None as well for what is no text, or not known before it runs."""
    value, words = view.value(key), known_words(kind, view.version)
    if not isinstance(value, str) or "${" in value or value in words:
        return None
    near = closest(value, words, limit=1)
    params: dict[str, Any] = {"value": value, "values": words, "version": view.version}
    if near:
        params["better"] = near[0]
    return Finding(params, ((key, near[0]),) if near else ())


def _registered(kind: str, key: str, view: View) -> Finding | None:
    """Words that a library of one's own may add to."""
    found = word_finding(kind, key, view)
    if found is not None and view.value(EXTERNAL) is not None:
        return Finding(found.params, found.edits, "hint")
    return found


def _loss_mode(view: View) -> Finding | None:
    # agentic_rl hands on what it got: the file's check names the registered spelling itself.
    return None if view.launcher == "agentsdk" else _registered("loss_mode", LOSS_MODE, view)


def _kl_word(key: str, switch: str, view: View) -> Finding | None:
    return word_finding("kl", key, view) if view.true(switch) else None


def _kl_unused(key: str, switch: str, view: View) -> Finding | None:
    found = None if view.true(switch) else word_finding("kl", key, view)
    return Finding({**found.params, "switch": view.file_key(switch)}, found.edits) if found else None


def _schedule(key: str, view: View) -> Finding | None:
    return word_finding("schedule", key, view) if fsdp(view) and view.value(key) is not None else None


def _sample(view: View) -> Finding | None:
    temperature = view.real(TEMPERATURE)
    if not view.true(SAMPLE) or temperature is None or temperature > 0:
        return None
    return Finding({"value": temperature}, ((TEMPERATURE, 1.0),))


def _horizon(view: View) -> Finding | None:
    horizon = view.real(HORIZON)
    if not view.true(KL_REWARD) or view.value(KL_CONTROL) != "adaptive" or horizon is None or horizon > 0:
        return None
    return Finding({"value": horizon}, ((HORIZON, 10000),))


def _control(view: View) -> Finding | None:
    return word_finding("kl_control", KL_CONTROL, view) if view.true(KL_REWARD) else None


def _clip(view: View) -> Finding | None:
    value = view.real(CLIP)
    if value is None or value > 1 or view.value(LOSS_MODE, "vanilla") != "vanilla":
        return None
    return Finding({"value": value}, ((CLIP, 3.0),))


def _two_kl_terms(view: View) -> Finding | None:
    return Finding({}) if view.true(KL_LOSS) and view.true(KL_REWARD) else None


def _reward_model(key: str, view: View) -> Finding | None:
    trained, judge = view.text(MODEL + "path"), view.text(key)
    return Finding({"path": judge}) if judge and trained == judge and view.given(key) else None


def _clip_order(view: View) -> Finding | None:
    low, high = _COV
    lower, upper = view.real(low), view.real(high)
    if lower is None or upper is None or lower < upper:
        return None
    edits = ((low, upper), (high, lower)) if view.given(low) and view.given(high) and lower != upper else ()
    return Finding({"lower": lower, "upper": upper}, edits)


_COV = (ACTOR + "policy_loss.clip_cov_lb", ACTOR + "policy_loss.clip_cov_ub")
_ESTIMATOR_KEYS, _LOSS_KEYS = (ESTIMATOR, EXTERNAL), (LOSS_MODE, EXTERNAL)
_SWITCHES = ((KL_TYPE, KL_LOSS), (KL_PENALTY, KL_REWARD))

ALGORITHM: tuple[Relation, ...] = (
    Relation("word-unknown", _ESTIMATOR_KEYS, partial(_registered, "estimator", ESTIMATOR), launchers=EVERYWHERE),
    Relation("word-unknown", _LOSS_KEYS, _loss_mode, launchers=EVERYWHERE, versions=">=0.4.1"),
    Relation("word-unknown", (AGGREGATION,), partial(word_finding, "aggregation", AGGREGATION), launchers=EVERYWHERE),
    *(Relation("word-unknown", (k, s), partial(_kl_word, k, s), launchers=EVERYWHERE) for k, s in _SWITCHES),
    *(
        Relation("word-unused", (k, s), partial(_kl_unused, k, s), "warning", launchers=NATIVE, given="first")
        for k, s in _SWITCHES
    ),
    *(Relation("word-unknown", (k,), partial(_schedule, k), launchers=EVERYWHERE) for k in (SCHEDULE, WARMUP)),
    Relation("word-unknown", (KL_CONTROL, KL_REWARD), _control, launchers=EVERYWHERE),
    Relation("sampling-needs-temperature", (TEMPERATURE, SAMPLE), _sample, launchers=EVERYWHERE),
    Relation("horizon-not-positive", (HORIZON, KL_CONTROL, KL_REWARD), _horizon, launchers=EVERYWHERE),
    Relation("clip-ratio-too-small", (CLIP, LOSS_MODE), _clip, launchers=EVERYWHERE, given="first"),
    Relation("two-kl-terms", (KL_LOSS, KL_REWARD), _two_kl_terms, "hint", launchers=("verl", "ascendfactory", "local")),
    *(
        Relation("reward-model-is-actor", (key, MODEL + "path"), partial(_reward_model, key), "warning")
        for key in ("reward_model.model.path", "reward.reward_model.model_path")
    ),
    Relation("clip-bounds-order", _COV, _clip_order, "warning", launchers=NATIVE),
)
