"""What the relations of MindSpeed-RL ask a view for: values of a role, devices, degrees of parallelism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...native import home_of, mindspeed_preset
from ..view import View
from ..view_mindspeed import DEVICES, NODES

SECTIONS = {"actor": "actor_config", "ref": "ref_config", "reward": "reward_config", "critic": "critic_config"}
RESOURCES = {
    "actor": "actor_resource",
    "ref": "reference_resource",
    "reward": "reward_resource",
    "critic": "critic_resource",
}
_PARALLEL = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")

# Megatron's names for what config.json and profiles call otherwise.
_MODEL = {
    "num_layers": "num_hidden_layers",
    "num_attention_heads": "num_attention_heads",
    "num_query_groups": "num_key_value_heads",
    "num_experts": "num_experts",
    "max_position_embeddings": "max_position_embeddings",
}


class Seen:
    """A view with MindSpeed-RL's own derived numbers; each is None where something of it is not known."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.n = view.number("rl_config.n_samples_per_prompt")
        self.integrated = view.value("rl_config.use_integrated_worker", True) is not False
        self.stage = str(self.value("actor", "stage") or "")

    # Values of a role: its own section, then megatron_training, then the preset, then the class's default.

    def key(self, role: str, name: str) -> str:
        """The native key that decides a training value of a role: the one that is set, else the usual place."""
        own, shared = f"{SECTIONS[role]}.{name}", f"megatron_training.{name}"
        if own in self.view.entries:
            return own
        if shared in self.view.entries or (role == "actor" and home_of(name) == "megatron_training"):
            return shared
        return own

    def value(self, role: str, name: str, default: Any = None) -> Any:
        """A training value of a role in force."""
        key = self.key(role, name)
        if key not in self.view.entries:
            preset = self.preset(role)
            if name in preset:
                return preset[name]
        return self.view.value(key, default)

    def number(self, role: str, name: str) -> int | None:
        """A positive integer of a role that is no error in itself."""
        key, value = self.key(role, name), self.value(role, name)
        if key in self.view.broken or not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            return None
        return value

    def preset(self, role: str) -> Mapping[str, Any]:
        """Megatron's numbers of the role's model: written into the file, told by a profile, or the known preset's."""
        name = self.view.text(f"{SECTIONS[role]}.model") or self.view.text("megatron_training.model")
        found = dict(mindspeed_preset(name))
        facts = getattr(self.view.world, "model", None)
        if facts is not None and (facts.source == "profile" or (not found and facts.source == "preset")):
            told = {mine: getattr(facts, theirs) for mine, theirs in _MODEL.items()}
            found |= {key: value for key, value in told.items() if value is not None}
            if told["num_query_groups"] is not None:
                found["group_query_attention"] = True
        prefix = f"model.{name}."
        found |= {k.removeprefix(prefix): e.value for k, e in self.view.entries.items() if k.startswith(prefix)}
        return found

    # Devices and degrees of parallelism.

    def resource(self, role: str) -> str:
        """The native key of a role's devices."""
        return f"rl_config.{RESOURCES[role]}.num_npus" if role != "actor" else DEVICES

    def devices(self, role: str) -> int | None:
        """Devices of a role; with the integrated worker every role has the actor's."""
        return self.view.number(self.resource("actor" if self.integrated and role == "ref" else role))

    def device_keys(self, role: str = "actor") -> tuple[str, ...]:
        """The keys whose product the devices are."""
        return (self.resource(role), *((NODES,) if NODES in self.view.entries else ()))

    def size_keys(self, role: str) -> tuple[str, ...]:
        """The keys whose product is one copy of a role's model; context parallelism only where it is set."""
        keys = [self.key(role, name) for name in _PARALLEL]
        return tuple(key for key in keys if key in self.view.entries or not key.endswith("context_parallel_size"))

    def copy_size(self, role: str) -> int | None:
        """Devices that train one copy of a role's model (TP x PP x CP)."""
        sizes = [self.number(role, name) for name in _PARALLEL]
        if any(size is None for size in sizes):
            return None
        tensor, pipeline, context = cast("list[int]", sizes)
        return tensor * pipeline * context

    def data_parallel(self, role: str) -> int | None:
        """Data-parallel groups of a role; None where the devices are no multiple of a copy (said elsewhere)."""
        devices, size = self.devices(role), self.copy_size(role)
        return devices // size if devices and size and devices % size == 0 else None

    def rollout_parallel(self) -> int | None:
        """Inference instances; None where the devices are no multiple of one."""
        devices = self.devices("actor")
        tensor = self.view.number("generate_config.infer_tensor_parallel_size")
        pipeline = self.view.number("generate_config.infer_pipeline_parallel_size")
        if not devices or not tensor or not pipeline or devices % (tensor * pipeline):
            return None
        return devices // (tensor * pipeline)

    def roles(self) -> tuple[str, ...]:
        """The roles with devices of their own that validate_rl_args looks at beside the critic."""
        if self.integrated:
            return ("actor",)
        others = [role for role in ("ref", "reward") if self.view.number(self.resource(role))]
        return ("actor", *others)

    def names(self, keys: tuple[str, ...]) -> str:
        """The names that the file has for a product of keys."""
        return " x ".join(self.view.file_key(key) for key in keys)
