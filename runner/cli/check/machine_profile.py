"""Reads a machine profile (design 9): a file, or one of those that come with the product.

A profile may also hold facts of model, data and checkpoint, which then replace what would be read from the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...catalogue import Problem
from ...catalogue.known_models import KnownModel, known_models, model_of_hub, model_of_preset, nearest_models
from ...catalogue.machines import PROFILE_KEYS, builtin_profile, builtin_profiles, nearest_profiles
from ...document import read_document
from ...facts.checkpoints import CheckpointFacts
from ...facts.dataset import DatasetFacts
from ...facts.machine import Accelerator, Machine
from ...facts.model import ALIASES, FACT_NAMES, IDLE_NAMES, WHOLE_NUMBERS, ModelFacts, model_facts
from .profile_values import ProfileValues

if TYPE_CHECKING:
    from ...check import World


@dataclass(frozen=True, slots=True)
class MachineProfile:
    """What a profile says; parts that it leaves out are None.

    Attributes:
        file: where it was read, as a person would write it.
        problems: what is wrong with it, by line; an error makes it unusable.
    """

    file: str
    machine: Machine | None = None
    model: ModelFacts | None = None
    dataset: DatasetFacts | None = None
    checkpoint: CheckpointFacts | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it can be used."""
        return not any(problem.level == "error" for problem in self.problems)

    def applied_to(self, world: World) -> World:
        """The world with the profile's facts in front of those that were gathered."""
        return replace(
            world,
            machine=self.machine or world.machine,
            model=self.model or world.model,
            dataset=self.dataset or world.dataset,
            checkpoint=self.checkpoint or world.checkpoint,
        )


def read_profile(reference: str) -> MachineProfile:
    """Read the profile that ``--machine`` names: a file when there is one, else a built-in name. Never raises."""
    path = Path(reference)
    if _exists(path) or not _is_name(reference):
        return read_profile_file(path)
    builtin = builtin_profile(reference)
    if builtin is not None:
        return replace(read_profile_file(builtin.path), file=builtin.name)
    near = nearest_profiles(reference)
    known = [profile.name for profile in builtin_profiles()]
    params = {"name": reference, "known": known, **({"nearest": near[0]} if near else {})}
    return MachineProfile(reference, problems=(Problem("error", "profile-unknown", params=params),))


def read_profile_file(path: Path) -> MachineProfile:
    """Read a profile from a file."""
    document = read_document(path)
    if not document.readable:
        return MachineProfile(str(path), problems=document.problems)
    values = ProfileValues(document)
    values.only("", document.values, PROFILE_KEYS)
    machine, model = _machine(values), _model(values)
    dataset, checkpoint = _dataset(values), _checkpoint(values)
    problems = tuple(sorted(values.problems, key=Problem.sort_key))
    return MachineProfile(str(path), machine, model, dataset, checkpoint, problems)


def _machine(values: ProfileValues) -> Machine:
    accelerator = cast("Accelerator | None", values.choice("accelerator", ("npu", "gpu", "cpu")))
    devices = values.whole("devices_per_node", most=4096)
    if devices is None and accelerator == "cpu":
        devices = 0
    memory = values.number("device_memory_gib", least=0.1, most=65536)
    return Machine(
        accelerator,
        devices,
        devices,
        cpus=values.whole("cpus_per_node", least=1, most=65536),
        memory_gib=values.number("memory_gib", least=0.1),
        nodes=values.whole("nodes", least=1, most=1_000_000),
        device_memory_gib=memory,
        free_device_memory_gib=values.number("free_device_memory_gib", most=65536 if memory is None else memory),
        ray_devices=values.whole("ray_devices", most=10**8),
        env=values.environment("env"),
        title=_title(values),
    )


def _title(values: ProfileValues) -> dict[str, str]:
    title = values.document.get("title")
    if isinstance(title, Mapping):
        texts = cast("Mapping[str, Any]", title)
        values.only("title", texts, ("en", "zh"))
        return {name: text for name in ("en", "zh") if (text := values.text(f"title.{name}")) is not None}
    text = values.text("title")
    return {} if text is None else {"en": text, "zh": text}


def _model(values: ProfileValues) -> ModelFacts | None:
    given = values.document.get("model")
    if isinstance(given, str):
        return _named_model(values, given)
    section = values.section("model")
    if not section:
        return None
    aliases = [alias for names in ALIASES.values() for alias in names]
    known = [*FACT_NAMES, "name", "rope_scaling", *aliases]
    values.only("model", [name for name in section if name not in IDLE_NAMES], known)
    for name in section:
        key = f"model.{name}"
        if name in WHOLE_NUMBERS or (name in aliases and name != "dtype"):
            values.whole(key)
        elif name == "rope_scaling_factor":
            values.number(key, least=1e-6, most=1e6)
        elif name in ("tie_word_embeddings", "chat_template", "vision", "quantized"):
            values.flag(key)
        elif name in ("model_type", "torch_dtype", "dtype", "name"):
            values.text(key)
        elif name == "rope_scaling":
            values.section(key)
    return model_facts(section, name=str(section.get("name") or ""), source="profile")


def _named_model(values: ProfileValues, name: str) -> ModelFacts | None:
    found = known_model(name)
    if found is not None:
        return model_facts(found.values, name=found.name, source="preset")
    params: dict[str, Any] = {"value": name, "choices": [m.hub[0] for m in known_models().values()]}
    near = nearest_models(name)
    if near:
        params["nearest"] = near[0]
    values.tell("error", "profile-choice", "model", **params)
    return None


def known_model(name: str) -> KnownModel | None:
    """A model by hub name or preset name."""
    return model_of_hub(name) or model_of_preset(name)


def _dataset(values: ProfileValues) -> DatasetFacts | None:
    section = values.section("dataset")
    if not section:
        return None
    values.only("dataset", section, ("columns", "rows", "longest_prompt"))
    rows, longest = (values.whole(f"dataset.{name}") for name in ("rows", "longest_prompt"))
    return DatasetFacts(values.texts("dataset.columns"), rows, longest)


def _checkpoint(values: ProfileValues) -> CheckpointFacts | None:
    section = values.section("checkpoint")
    if not section:
        return None
    values.only("checkpoint", section, ("world_size", "step"))
    step = values.whole("checkpoint.step")
    return CheckpointFacts(step=step or 0, world_size=values.whole("checkpoint.world_size", least=1, most=10**7))


def _exists(path: Path) -> bool:
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError):
        return False


def _is_name(reference: str) -> bool:
    return "/" not in reference and not reference.endswith((".yaml", ".yml"))
