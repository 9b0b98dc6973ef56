"""FSDP engines for the device "cpu", and the rollout that goes with them.

Extension points: ``verl.workers.engine.EngineRegistry``, ``RolloutReplicaRegistry`` and the adapter table of
``verl.workers.rollout.base``. verl imports this module because of
``actor_rollout_ref.model.external_lib=agentic_rl_inside.engines``.
"""

from __future__ import annotations

from typing import Any

from verl.utils import model as model_utils
from verl.workers.engine import EngineRegistry
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead, FSDPEngineWithValueHead
from verl.workers.rollout import base as rollout_base
from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry

ROLLOUT_NAME = "transformers_cpu"
"""What ``actor_rollout_ref.rollout.name`` must say."""


class _ParametersStay:
    """Parameters already live in the CPU's memory: nothing is offloaded.

    verl gives a forward-only engine (the reference model) a CPU offload policy with pinned memory, and
    pinning needs an accelerator. The policy is chosen from ``engine_config.forward_only`` while the module is
    wrapped.
    """

    engine_config: Any  # pyright: ignore[reportUninitializedInstanceVariable]

    def _build_fsdp_module(self, module: Any) -> Any:
        config = self.engine_config
        wanted = {"forward_only": config.forward_only, "offload_policy": config.offload_policy}
        _set(config, forward_only=False, offload_policy=False)
        try:
            return super()._build_fsdp_module(module)  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            _set(config, **wanted)


def _set(config: Any, **values: Any) -> None:
    """Set fields of one of verl's configs, which are frozen dataclasses."""
    for name, value in values.items():
        object.__setattr__(config, name, value)


class CPUEngineWithLMHead(_ParametersStay, FSDPEngineWithLMHead):
    """Actor and reference model."""


class CPUEngineWithValueHead(_ParametersStay, FSDPEngineWithValueHead):
    """Critic. verl loads value models with flash attention whatever the configuration says."""

    def _build_module(self) -> Any:
        verls_loader = model_utils.load_valuehead_model
        model_utils.load_valuehead_model = load_value_model
        try:
            return super()._build_module()  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            model_utils.load_valuehead_model = verls_loader


def load_value_model(local_path: str, torch_dtype: Any, model_config: Any, trust_remote_code: bool) -> Any:
    """``verl.utils.model.load_valuehead_model`` with the attention that a CPU has."""
    from transformers import AutoModelForTokenClassification

    return AutoModelForTokenClassification.from_pretrained(
        local_path,
        dtype=torch_dtype,
        config=model_config,
        attn_implementation="sdpa",
        trust_remote_code=trust_remote_code,
    )


def _load_replica() -> type[RolloutReplica]:
    from .rollout import TransformersReplica

    return TransformersReplica


def register() -> None:
    """Make engines and rollout known to verl in this process."""
    for model_type, engine in (
        ("language_model", CPUEngineWithLMHead),
        ("value_model", CPUEngineWithValueHead),
    ):
        EngineRegistry.register(model_type=model_type, backend=["fsdp", "fsdp2"], device="cpu")(engine)
    RolloutReplicaRegistry.register(ROLLOUT_NAME, _load_replica)
    rollout_base._ROLLOUT_REGISTRY[(ROLLOUT_NAME, "async")] = f"{__package__}.rollout.ServerAdapter"


register()
