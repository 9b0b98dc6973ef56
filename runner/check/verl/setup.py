"""What several relations ask of a file: how many devices train, which worker and trainer of verl will run."""

from __future__ import annotations

from ...catalogue.versions import version_holds
from ..view import View

ACTOR, ROLLOUT = "actor_rollout_ref.actor.", "actor_rollout_ref.rollout."
REF, MODEL = "actor_rollout_ref.ref.", "actor_rollout_ref.model."
NODES, PER_NODE = "trainer.nnodes", "trainer.n_gpus_per_node"
DEVICES = (PER_NODE, NODES)
BATCH, MINI, MICRO, N = (
    "data.train_batch_size",
    ACTOR + "ppo_mini_batch_size",
    ACTOR + "ppo_micro_batch_size_per_gpu",
    ROLLOUT + "n",
)
STRATEGY, DYNAMIC = ACTOR + "strategy", ACTOR + "use_dynamic_bsz"
SP = ACTOR + "ulysses_sequence_parallel_size"
SP_ENGINE = ACTOR + "fsdp_config.ulysses_sequence_parallel_size"  # since 0.7.1
PROMPT, RESPONSE = "data.max_prompt_length", "data.max_response_length"
KL_LOSS, KL_REWARD = ACTOR + "use_kl_loss", "algorithm.use_kl_in_reward"
ESTIMATOR = "algorithm.adv_estimator"
LEGACY, USE_V1 = "trainer.use_legacy_worker_impl", "trainer.use_v1"
MEGATRON = (
    ACTOR + "megatron.tensor_model_parallel_size",
    ACTOR + "megatron.pipeline_model_parallel_size",
    ACTOR + "megatron.context_parallel_size",
)


def devices(view: View) -> int | None:
    """Devices that train: nodes x devices of a node; None when either is unknown."""
    nodes, per_node = view.number(NODES), view.number(PER_NODE)
    return nodes * per_node if nodes and per_node else None


def megatron(view: View) -> bool:
    """Whether Megatron trains the actor."""
    return view.value(STRATEGY) == "megatron"


def fsdp(view: View) -> bool:
    """Whether FSDP trains the actor."""
    return view.value(STRATEGY) in ("fsdp", "fsdp2")


def sequence_parallel(view: View) -> int:
    """Devices that share one sequence of the actor."""
    return max(view.number(SP) or 1, view.number(SP_ENGINE) or 1)


def model_parallel(view: View) -> int | None:
    """Devices of one copy of the model that Megatron trains; None when a part of it is no number."""
    product = 1
    for key in MEGATRON:
        size = view.number(key)
        if size is None:
            return None
        product *= size
    return product


def data_parallel(view: View) -> int | None:
    """Copies of the actor that train on different samples; None when the devices can't be shared out evenly."""
    total = devices(view)
    shared = model_parallel(view) if megatron(view) else sequence_parallel(view) if fsdp(view) else None
    if not total or not shared or total % shared:
        return None
    return total // shared


def engine_workers(view: View) -> bool:
    """Whether the engine workers run, which split batches strictly (always since 0.8, in 0.7 when asked for)."""
    if version_holds(">=0.8", view.version):
        return True
    return version_holds(">=0.7", view.version) and view.value(LEGACY) == "disable"


def v1_trainer(view: View) -> bool:
    """Whether the trainer of 0.9 runs, which pads its batches."""
    return version_holds(">=0.9", view.version) and view.value(USE_V1, True) is True


def uses_reference(view: View) -> bool:
    """Whether a reference policy is needed."""
    return view.true(KL_LOSS) or view.true(KL_REWARD)


def uses_critic(view: View) -> bool:
    """Whether a critic is trained; an estimator that nobody has chosen says nothing."""
    enable = view.value("critic.enable")
    if isinstance(enable, bool) and version_holds(">=0.6", view.version):
        return enable
    return view.given(ESTIMATOR) and view.value(ESTIMATOR) == "gae"


def whole_run(view: View) -> bool:
    """Whether the file describes a whole run, so that what it lacks is lacking; a part of one may get it elsewhere."""
    return view.launcher == "agentsdk" or (view.given(MODEL + "path") and view.given("data.train_files"))
