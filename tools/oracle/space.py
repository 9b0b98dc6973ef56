"""The configurations that are judged: verl's own keys, written so that each relation is met, missed and met exactly.

A native configuration starts from one that every release accepts; up to three *twists* then move the keys of one
relation each (numbers of the relations: V1 to V35 of the notes on verl). ``only`` limits a configuration to releases
that declare its keys; some are left unlimited on purpose, so that removed and renamed keys are met too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

A, R, F = "actor_rollout_ref.actor.", "actor_rollout_ref.rollout.", "actor_rollout_ref.ref."
M, C, G, T, D = "actor_rollout_ref.model.", "critic.", "algorithm.", "trainer.", "data."
_EACH = 24
_POOL = 5  # examples made for one that is kept
Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass
class Native:
    """A configuration in the making."""

    set: dict[str, Any] = field(default_factory=dict)
    only: str = ""
    engine: str = "fsdp"

    def put(self, prefix: str, **values: Any) -> None:
        """Set keys below a prefix; ``_`` twice stands for a dot."""
        self.set.update({prefix + key.replace("__", "."): value for key, value in values.items()})

    def limit(self, draw: Draw, versions: str) -> None:
        """Judge it mostly where its keys exist."""
        if not self.only and draw(st.integers(0, 3)):
            self.only = versions

    @property
    def devices(self) -> int:
        return self.set[T + "nnodes"] * self.set[T + "n_gpus_per_node"]


def pick(draw: Draw, *values: Any) -> Any:
    return draw(st.sampled_from(values))


def base(draw: Draw) -> Native:
    """Accepted everywhere: whole batches, one micro batch size a role, no critic."""
    c = Native()
    nodes, each, n = pick(draw, 1, 1, 2, 3), pick(draw, 1, 2, 4, 8, 8, 16), pick(draw, 1, 2, 4, 5, 8)
    devices = nodes * each
    batch = devices * pick(draw, 1, 2, 4, 8)
    c.put(T, nnodes=nodes, n_gpus_per_node=each)
    c.put(D, train_batch_size=batch)
    c.put(A, ppo_mini_batch_size=pick(draw, batch, devices), ppo_micro_batch_size_per_gpu=pick(draw, 1, 2))
    c.put(R, name="vllm", n=n, log_prob_micro_batch_size_per_gpu=2, tensor_model_parallel_size=1, mode="async")
    c.put(F, log_prob_micro_batch_size_per_gpu=2)
    c.put(G, adv_estimator="grpo")
    c.put(A, use_dynamic_bsz=pick(draw, False, False, True))
    return c


def batch(draw: Draw, c: Native) -> None:
    """V1: rows a step over the devices; whether it is asked with dynamic batches depends on the release."""
    value = max(1, c.devices * pick(draw, 1, 2, 3) + pick(draw, -1, 0, 0, 1, c.devices // 2))
    c.put(D, train_batch_size=value)
    c.put(R, n=pick(draw, 1, 1, 2, 3, 4))
    c.put(A, ppo_mini_batch_size=pick(draw, 1, value), use_dynamic_bsz=pick(draw, False, True))


def micro_actor(draw: Draw, c: Native) -> None:
    """V2, actor: none, one or both of the two micro batch sizes."""
    c.put(A, ppo_micro_batch_size=pick(draw, None, c.devices, 2 * c.devices))
    c.put(A, ppo_micro_batch_size_per_gpu=pick(draw, None, None, 1), use_dynamic_bsz=pick(draw, False, False, True))


def micro_others(draw: Draw, c: Native) -> None:
    """V2, rollout and reference: the latter only where a KL term needs it."""
    prefix = pick(draw, R, F, F)
    c.put(prefix, log_prob_micro_batch_size=pick(draw, None, 4))
    c.put(prefix, log_prob_micro_batch_size_per_gpu=pick(draw, None, 2))
    c.put(A, use_kl_loss=pick(draw, True, False), use_dynamic_bsz=pick(draw, False, False, True))
    c.put(G, use_kl_in_reward=pick(draw, True, False, False))


def mini(draw: Draw, c: Native) -> None:
    """V3: a step holds at least one mini batch, unless batches are dynamic."""
    value = c.set[D + "train_batch_size"]
    c.put(A, ppo_mini_batch_size=value + pick(draw, -1, 0, 1, 1, 7), use_dynamic_bsz=pick(draw, False, False, True))


def legacy_micro(draw: Draw, c: Native) -> None:
    """V4: the older, global micro batch size divides the mini batch and gives each device something."""
    devices = c.devices
    micro = max(1, devices + pick(draw, -1, 0, 0, 1, devices))
    mini_batch = max(1, micro * pick(draw, 1, 2) + pick(draw, 0, 0, 1))
    c.put(
        A, ppo_micro_batch_size=micro, ppo_micro_batch_size_per_gpu=None, use_dynamic_bsz=pick(draw, False, False, True)
    )
    c.put(A, ppo_mini_batch_size=mini_batch)
    c.put(D, train_batch_size=devices * max(1, -(-mini_batch // devices)))
    if pick(draw, False, True):
        c.put(A, ulysses_sequence_parallel_size=2)
        c.put(M, use_remove_padding=True)
        c.put(A, ppo_micro_batch_size=max(1, micro // 2))


def aggregation(draw: Draw, c: Native) -> None:
    """V8: how the loss is averaged."""
    words = ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm", "token-sum", "mean")
    c.put(A, loss_agg_mode=pick(draw, *words, "token_mean"))


def ulysses(draw: Draw, c: Native) -> None:
    """V9: sequence parallelism needs inputs without padding; by engine, and by the key's place."""
    size = pick(draw, 1, 2, 2, 4)
    c.put(M, use_remove_padding=pick(draw, False, True))
    c.put(A, strategy=pick(draw, "fsdp", "fsdp", "fsdp2"))
    c.put(C, strategy=c.set[A + "strategy"])
    where = pick(draw, "actor", "actor", "ref", "engine")
    if where == "engine":
        c.put(A, fsdp_config__ulysses_sequence_parallel_size=size)
        c.limit(draw, ">=0.7")
    else:
        c.put(A if where == "actor" else F, ulysses_sequence_parallel_size=size)


def temperature(draw: Draw, c: Native) -> None:
    """V10: sampling in the validation needs the rollout's temperature above 0."""
    c.put(R, temperature=pick(draw, 0, 0.0, 0.01, 1.0), val_kwargs__do_sample=pick(draw, True, True, False))


def turns(draw: Draw, c: Native) -> None:
    """V11: several turns, up to 0.4 with tools and grpo only."""
    c.put(R, multi_turn__enable=pick(draw, True, True, False))
    c.put(R, multi_turn__tool_config_path=pick(draw, None, "/c/tools.yaml"), name=pick(draw, "vllm", "sglang"))
    c.put(R, multi_turn__interaction_config_path=pick(draw, None, None, "/c/talk.yaml"))
    c.limit(draw, ">=0.4.1")
    c.put(G, adv_estimator=pick(draw, "grpo", "rloo"))


def tokens(draw: Draw, c: Native) -> None:
    """V12, V13: dynamic batches of actor, rollout and reference, and their size."""
    length = c.set.get(D + "max_prompt_length", 512) + c.set.get(D + "max_response_length", 512)
    c.put(A, use_dynamic_bsz=True, ppo_max_token_len_per_gpu=length + pick(draw, -1, 0, 1, 8192))
    c.put(R, log_prob_use_dynamic_bsz=pick(draw, True, False), log_prob_max_token_len_per_gpu=16384)
    c.put(F, log_prob_use_dynamic_bsz=pick(draw, True, False))


def rollout_parallel(draw: Draw, c: Native) -> None:
    """V14, V15: how the rollout is cut; only some of it is asked by the configuration classes."""
    tensor = pick(draw, 1, 2, 3, 4, c.devices)
    c.put(R, tensor_model_parallel_size=tensor)
    which = pick(draw, "tensor", "pipeline", "expert", "expert")
    if which == "pipeline":
        c.put(R, pipeline_model_parallel_size=pick(draw, 1, 2), name=pick(draw, "vllm", "sglang", "trtllm"))
        c.limit(draw, ">=0.6.1")
    elif which == "expert":
        data = pick(draw, 1, 2)
        c.put(
            R, data_parallel_size=data, expert_parallel_size=tensor * data * pick(draw, 1, 1, 2) + pick(draw, 0, 0, 1)
        )
        c.put(R, name=pick(draw, "vllm", "vllm", "sglang", "trtllm"))
        c.limit(draw, ">=0.6.1")


def context(draw: Draw, c: Native) -> None:
    """V16 to V18: lengths, chunked prefill and graphs; asked by the engines, not here."""
    prompt, response = pick(draw, 512, 1024), pick(draw, 512, 2048)
    c.put(D, max_prompt_length=prompt, max_response_length=response)
    c.put(R, max_model_len=prompt + response + pick(draw, -1, 0, 1), enable_chunked_prefill=pick(draw, True, False))
    c.put(R, max_num_batched_tokens=prompt + response + pick(draw, -1, 0, 8192))
    c.put(R, enforce_eager=pick(draw, True, False), free_cache_engine=pick(draw, True, False))


def clip(draw: Draw, c: Native) -> None:
    """V19: dual clip, the KL controller's horizon; asked in the update."""
    c.put(A, clip_ratio_c=pick(draw, 0.5, 1.0, 1.5, 3.0), policy_loss__loss_mode=pick(draw, "vanilla", "gpg"))
    c.put(G, use_kl_in_reward=pick(draw, True, False), kl_ctrl__type=pick(draw, "fixed", "adaptive"))
    c.put(G, kl_ctrl__horizon=pick(draw, -1, 0, 1, 10000))
    c.limit(draw, ">=0.4.1")


def lora(draw: Draw, c: Native) -> None:
    """V19: ranks that vLLM can hold."""
    rank = pick(draw, 0, 1, 7, 8, 64, 256, 320, 511, 512, 513, 600)
    c.put(M, lora_alpha=16, target_modules="all-linear")
    c.put(R, name=pick(draw, "vllm", "vllm", "sglang"), load_format="safetensors")
    if pick(draw, False, False, True):
        c.put(M, lora__rank=rank, lora__merge=pick(draw, False, True))
        c.limit(draw, ">=0.8")
    else:
        c.put(M, lora_rank=rank)


def mode(draw: Draw, c: Native) -> None:
    """V22: sync is gone since 0.7."""
    c.put(R, mode=pick(draw, "sync", "async", "async", "Async"))


def replay(draw: Draw, c: Native) -> None:
    """V23: router replay."""
    c.put(A, router_replay__mode=pick(draw, "disabled", "R2", "R3", "R4", "r2"))
    c.limit(draw, ">=0.7.1,<0.9")


def reward_pool(draw: Draw, c: Native) -> None:
    """V25: a pool of devices for the reward model, under either of its names."""
    old = pick(draw, False, True)
    prefix = "reward_model." if old else "reward.reward_model."
    values = {"enable_resource_pool": pick(draw, True, True, False), "nnodes": pick(draw, 0, 1)}
    c.put(prefix, n_gpus_per_node=pick(draw, 0, 1, 8), **values)
    if pick(draw, False, True):
        c.put(prefix, enable=True)
    if old and pick(draw, False, True):
        c.put(prefix, micro_batch_size=pick(draw, None, 4), micro_batch_size_per_gpu=pick(draw, None, 2))
    c.limit(draw, ">=0.5,<0.9" if old else ">=0.7.1")


def trainer_v1(draw: Draw, c: Native) -> None:
    """V26: the three ways of the trainer of 0.9."""
    c.put(
        T, use_v1=pick(draw, True, True, False), v1__trainer_mode=pick(draw, "sync", "colocate_async", "separate_async")
    )
    c.limit(draw, ">=0.9")


def estimator(draw: Draw, c: Native) -> None:
    """V28, and the critic that gae brings."""
    words = ("gae", "grpo", "reinforce_plus_plus", "reinforce_plus_plus_baseline", "remax", "rloo", "opo", "grpo_passk")
    c.put(G, adv_estimator=pick(draw, *words, "gpg", "gdpo", "rloo_vectorized", "GRPO", "ppo"))
    c.put(C, ppo_micro_batch_size_per_gpu=2)


def critic(draw: Draw, c: Native) -> None:
    """V2, V3, V4, V9 for the critic, when there is one."""
    c.put(G, adv_estimator=pick(draw, "gae", "gae", "grpo"))
    per_gpu, micro = pick(
        draw, (2, None), (2, None), (None, None), (2, c.devices), (None, c.devices),
        (None, max(1, c.devices - 1)),
    )  # fmt: skip
    c.put(C, ppo_micro_batch_size_per_gpu=per_gpu, ppo_micro_batch_size=micro)
    c.put(C, use_dynamic_bsz=pick(draw, False, False, True))
    c.put(C, ppo_mini_batch_size=c.set[D + "train_batch_size"] + pick(draw, 0, 0, 1, -1))
    if pick(draw, False, False, True):
        c.put(C, ulysses_sequence_parallel_size=2, model__use_remove_padding=pick(draw, False, True))
    if pick(draw, False, False, True):
        c.put(C, enable=pick(draw, True, False, None))
        c.limit(draw, ">=0.6.1")


def words(draw: Draw, c: Native) -> None:
    """V29 to V32: words that only the update, the optimiser or the loading of a checkpoint reads."""
    which = pick(draw, "kl", "loss", "schedule", "resume")
    if which == "kl":
        kinds = ("kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3", "full", "k3+", "low_bar_kl")
        c.put(A, use_kl_loss=pick(draw, True, False), kl_loss_type=pick(draw, *kinds))
        c.put(G, use_kl_in_reward=pick(draw, True, False), kl_penalty=pick(draw, *kinds))
    elif which == "loss":
        c.put(A, policy_loss__loss_mode=pick(draw, "vanilla", "clip_cov", "clip-cov", "kl_cov", "gpg", "gspo", "cispo"))
        c.limit(draw, ">=0.4.1")
    elif which == "schedule":
        old = pick(draw, False, True)
        c.put(
            A + "optim.", **{"warmup_style" if old else "lr_scheduler_type": pick(draw, "constant", "cosine", "linear")}
        )
        c.limit(draw, ">=0.4" if old else ">=0.6")
    else:
        c.put(T, resume_mode=pick(draw, "auto", "disable", "resume_path", "never"))
        c.put(T, resume_from_path=pick(draw, None, "/c/global_step_3", "/c/last"))


def rest(draw: Draw, c: Native) -> None:
    """V20, V24, V34, V35 and the epochs: never asked here."""
    c.put(D, val_batch_size=pick(draw, None, 8))
    c.put(
        T, total_training_steps=pick(draw, None, 10), val_only=pick(draw, False, True), critic_warmup=pick(draw, 0, 3)
    )
    c.put(T, val_before_train=pick(draw, False, True))
    c.limit(draw, ">=0.4.1")
    if pick(draw, False, True):
        c.put(R, agent__num_workers=pick(draw, 1, 7, 8))
        c.limit(draw, ">=0.5")


def renamed(draw: Draw, c: Native) -> None:
    """Keys that a release has dropped, renamed or not yet got."""
    key, value = pick(
        draw,
        (A + "grad_clip", 1.0), (A + "checkpoint.contents", ["model"]), (A + "checkpoint.save_contents", ["model"]),
        (R + "multi_turn.max_turns", 3), (R + "multi_turn.max_user_turns", 3), ("reward_model.model.path", "/m/rm"),
        ("reward.reward_model.model_path", "/m/rm"), ("custom_reward_function.path", None), ("reward.num_workers", 4),
        (T + "use_legacy_worker_impl", "auto"), ("ray_init.num_cpus", 8), ("ray_kwargs.ray_init.num_cpus", 8),
        (R + "disable_log_stats", True), (R + "checkpoint_engine.backend", "naive"),
        (A + "optim.total_training_steps", 5), (T + "totl_epochs", 3), (G + "rollout_correction.bypass_mode", False),
    )  # fmt: skip
    c.set[key] = value


def megatron(draw: Draw, c: Native) -> None:
    """V1 under Megatron: devices over TP x PP x CP, rows over what is left times the micro batch."""
    c.engine = "megatron"
    for key in [k for k in c.set if "ulysses" in k or "fsdp_config" in k or k.endswith(".strategy")]:
        del c.set[key]
    c.put(A, strategy="megatron")
    c.put(C, strategy="megatron")
    tensor, pipeline, parts = pick(draw, 1, 2, 3, 4), pick(draw, 1, 1, 2), pick(draw, 1, 1, 2)
    c.put(A + "megatron.", tensor_model_parallel_size=tensor, pipeline_model_parallel_size=pipeline)
    c.put(A + "megatron.", context_parallel_size=parts)
    if pick(draw, True, True, False):
        micro = pick(draw, 1, 2, 4)
        groups = max(1, c.devices // (tensor * pipeline * parts))
        c.put(A, ppo_micro_batch_size_per_gpu=micro, ppo_mini_batch_size=1)
        c.put(D, train_batch_size=max(1, groups * micro * pick(draw, 1, 2) + pick(draw, 0, 0, 0, 1)))
    c.put(R, mode="async")


def strategies(draw: Draw, c: Native) -> None:
    """V27: the kinds of actor and critic."""
    if c.engine == "fsdp":
        c.put(A, strategy=pick(draw, "fsdp", "fsdp2"))
        c.put(C, strategy=pick(draw, "fsdp", "fsdp2"))


TWISTS = (
    batch, micro_actor, micro_others, mini, legacy_micro, aggregation, ulysses, temperature, turns, tokens,
    rollout_parallel, context, clip, lora, mode, replay, reward_pool, trainer_v1, estimator, critic, words, rest,
    renamed, megatron, strategies,
)  # fmt: skip


# Those whose relations differ most between releases.
_MORE = (micro_actor, micro_others, critic, megatron, clip, lora)


@st.composite
def native(draw: Draw, first: Callable[[Draw, Native], None] | None = None) -> dict[str, Any]:
    """One configuration in verl's own keys: mostly the one twist asked for, sometimes with others."""
    c = base(draw)
    others = draw(st.lists(st.sampled_from(TWISTS), max_size=1 if first else 3)) if draw(st.booleans()) else []
    twists = [*others, first] if first else others
    for twist in sorted(twists, key=TWISTS.index):
        twist(draw, c)
    found: dict[str, Any] = {"engine": c.engine, "set": c.set}
    return {**found, "only": c.only} if c.only else found


def natives() -> list[dict[str, Any]]:
    """All native configurations: a share for each twist, and some of several."""
    found = [example for twist in TWISTS for example in collect(native(twist), 2 * _EACH if twist in _MORE else _EACH)]
    return list({repr(example): example for example in (*found, *collect(native(), 2 * _EACH))}.values())


def collect(strategy: st.SearchStrategy[Any], number: int) -> list[Any]:
    """So many different examples of a strategy; the same ones every time with one release of hypothesis.

    They are picked from a larger pool: of a few in a row, hypothesis makes many alike.
    """
    pool: dict[str, Any] = {}

    @seed(1)
    @settings(
        max_examples=number * _POOL, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def take(example: Any) -> None:
        pool.setdefault(repr(example), example)

    take()
    return Random(1).sample(list(pool.values()), min(number, len(pool)))
