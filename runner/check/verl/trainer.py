"""The trainer: its words, pools of devices, weights on their way, validation (V23, V25-V27, V34, V35)."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from ..view import View
from .algorithm import known_words, word_finding
from .relation import EVERYWHERE, NATIVE, Finding, Relation
from .setup import ACTOR, BATCH, MINI, ROLLOUT, STRATEGY, USE_V1, v1_trainer, whole_run

MODE, SYNC_STEP = "trainer.v1.trainer_mode", "trainer.v1.separate_async.parameter_sync_step"
POOL = (ROLLOUT + "nnodes", ROLLOUT + "n_gpus_per_node")
ENGINE, BUCKET = ROLLOUT + "checkpoint_engine.backend", ROLLOUT + "checkpoint_engine.update_weights_bucket_megabytes"
FILTER, METRIC = "algorithm.filter_groups.enable", "algorithm.filter_groups.metric"
GENERATED = "data.gen_batch_size"
VAL_ONLY, VAL_FIRST = "trainer.val_only", "trainer.val_before_train"
LOGGER, TRUNCATION, DEVICE = "trainer.logger", "data.truncation", "trainer.device"


def _separate(view: View) -> Finding | None:
    step, batch, mini = view.number(SYNC_STEP), view.number(BATCH), view.number(MINI)
    if not v1_trainer(view) or view.value(MODE) != "separate_async" or not step or not batch or not mini:
        return None
    return None if batch == step * mini else Finding({"value": batch, "least": step * mini}, ((BATCH, step * mini),))


def _separate_pool(view: View) -> Finding | None:
    if not v1_trainer(view) or view.value(MODE) != "separate_async":
        return None
    empty = [key for key in POOL if not view.number(key)]
    return Finding({}, keys=(*empty, MODE)) if empty else None


def _separate_engine(view: View) -> Finding | None:
    if not v1_trainer(view) or view.value(MODE) != "separate_async" or view.value(ENGINE) != "naive":
        return None
    npu = view.value(DEVICE) == "npu"
    return Finding({"better": "hccl" if npu else "nccl"}, ((ENGINE, "hccl" if npu else "nccl"),))


def _separate_reward(view: View) -> Finding | None:
    on = view.true("reward.reward_model.enable")
    if not v1_trainer(view) or view.value(MODE) != "separate_async" or not on:
        return None
    return None if view.true(_POOLED) else Finding({}, ((_POOLED, True),))


_POOLED = "reward.reward_model.enable_resource_pool"


def _generated(view: View) -> Finding | None:
    size, batch = view.number(GENERATED), view.number(BATCH)
    refilled = view.true(FILTER) or view.true("trainer.v1.sampler.sync_refill_failed_groups")
    if not v1_trainer(view) or view.value(MODE) != "sync" or refilled or not size or not batch or batch % size == 0:
        return None
    return Finding({"value": size, "batch": batch})


def _metric(view: View) -> Finding | None:
    on = v1_trainer(view) and view.true(FILTER)
    return Finding({}, ((METRIC, "acc"),)) if on and not view.value(METRIC) else None


def _reward_pool(section: str, view: View) -> Finding | None:
    names = [_moved(section, name, view) for name in ("enable_resource_pool", "nnodes", "n_gpus_per_node")]
    if not view.true(names[0]):
        return None
    empty = [key for key in names[1:] if not view.number(key)]
    return Finding({}, keys=(*empty, names[0])) if empty else None


def _moved(section: str, name: str, view: View) -> str:
    """The key that counts: from 0.7.1 to 0.8 what stands under the older name replaces the newer one."""
    old = f"reward_model.{name}"
    return old if view.value(old) is not None else f"{section}.{name}"


def _kinds(view: View) -> Finding | None:
    actor, critic = view.value(STRATEGY), view.value("critic.strategy")
    used = view.value("algorithm.adv_estimator") == "gae" and view.given("algorithm.adv_estimator")
    both = {"fsdp", "fsdp2"}
    if not used or not isinstance(critic, str) or actor == critic or {actor, critic} <= both:
        return None
    return Finding({"value": critic, "other": actor}, (("critic.strategy", actor),))


def _bucket(view: View) -> Finding | None:
    """The largest tensor is the embedding, handed over with four bytes a number."""
    size, model = view.number(BUCKET), view.world.model
    words, width = getattr(model, "vocab_size", None), getattr(model, "hidden_size", None)
    if not size or not words or not width or words * width * 4 <= size * 2**20:
        return None
    least = -(-words * width * 4 // 2**20)
    return Finding({"value": size, "least": least}, ((BUCKET, 4096 if least <= 4096 else least),))


def _val_only(view: View) -> Finding | None:
    if not view.true(VAL_ONLY) or view.value(VAL_FIRST) is not False:
        return None
    return Finding({}, ((VAL_FIRST, True),))


def _val_batch(view: View) -> Finding | None:
    return None if view.value(VAL_BATCH) is None else Finding({})


def _critic_model(view: View) -> Finding | None:
    """The default is a model in a fixed place of the home directory, of which few have one."""
    key, enable = "critic.model.path", view.value("critic.enable")
    if enable is False or view.given(key) or view.value("algorithm.adv_estimator") != "gae" or not whole_run(view):
        return None
    return Finding({"value": view.value(key)}, keys=(key, "algorithm.adv_estimator"))


VAL_BATCH = "data.val_batch_size"


def _loggers(view: View) -> Finding | None:
    value: Any = view.value(LOGGER)
    names = cast("list[Any]", value) if isinstance(value, list) else [value]
    words = known_words("logger", view.version)
    wrong = [name for name in names if isinstance(name, str) and "${" not in name and name not in words]
    return Finding({"value": wrong[0], "values": words, "version": view.version}) if wrong else None


def _router(key: str, view: View) -> Finding | None:
    return word_finding("router_replay", key, view)


_OLD_POOL = ("reward_model.nnodes", "reward_model.n_gpus_per_node", "reward_model.enable_resource_pool")
_MODES = (MODE, USE_V1)

TRAINERS: tuple[Relation, ...] = (
    Relation("word-unknown", (STRATEGY,), partial(word_finding, "strategy", STRATEGY), given="first"),
    Relation("word-unknown", (TRUNCATION,), partial(word_finding, "truncation", TRUNCATION), given="first"),
    Relation("word-unknown", (LOGGER,), _loggers, launchers=EVERYWHERE, given="first"),
    Relation("word-unknown", (MODE,), partial(word_finding, "trainer_mode", MODE), versions=">=0.9", given="first"),
    *(
        Relation("word-unknown", (key,), partial(_router, key), versions=">=0.7", given="first")
        for key in (ACTOR + "router_replay.mode", ACTOR + "megatron.router_replay.mode")
    ),
    Relation("separate-batch", (BATCH, MINI, SYNC_STEP, *_MODES), _separate, versions=">=0.9"),
    Relation("separate-pool", (*POOL, *_MODES), _separate_pool, versions=">=0.9"),
    Relation("separate-engine", (ENGINE, *_MODES), _separate_engine, versions=">=0.9"),
    Relation("separate-reward-pool", (_POOLED, *_MODES), _separate_reward, versions=">=0.9"),
    Relation("generated-batch", (GENERATED, BATCH, FILTER, *_MODES), _generated, versions=">=0.9", given="first"),
    Relation("filter-metric-missing", (METRIC, FILTER, USE_V1), _metric, versions=">=0.9"),
    Relation(
        "reward-pool-empty",
        _OLD_POOL,
        partial(_reward_pool, "reward_model"), versions=">=0.6,<0.7.1",
    ),
    Relation(
        "reward-pool-empty",
        ("reward.reward_model.nnodes", "reward.reward_model.n_gpus_per_node", _POOLED, *_OLD_POOL),
        partial(_reward_pool, "reward.reward_model"), versions=">=0.7.1",
    ),
    Relation("strategies-differ", ("critic.strategy", STRATEGY, "algorithm.adv_estimator"), _kinds, launchers=NATIVE),
    Relation("weight-bucket-too-small", (BUCKET,), _bucket, versions=">=0.7,<0.8", launchers=NATIVE, given="none"),
    Relation("val-batch-unused", (VAL_BATCH,), _val_batch, "hint", launchers=NATIVE, given="first"),
    Relation(
        "critic-model-unset", ("critic.model.path", "algorithm.adv_estimator", "critic.enable"), _critic_model,
        level="warning", launchers=NATIVE, given="none",
    ),
    Relation("val-only-trains", (VAL_ONLY, VAL_FIRST), _val_only, "warning", launchers=(*NATIVE, "local")),
)  # fmt: skip
