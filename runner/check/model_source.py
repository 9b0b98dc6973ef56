"""Where a configuration says which model it trains; what it is like is a fact that somebody else looks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..catalogue.known_models import model_of_path
from ..document import Document
from .case import Case
from .target import shape_of, target_of
from .world import World

# Of a generation A file: the preset is part of the software (facts/agentsdk.md 2.2).
_PRESET_OF_GENERATION_A = "qwen25_7b"
_NATIVE = (
    ("path", "actor_rollout_ref.model.path"),
    ("path", "backend_config.actor_rollout_ref.model.path"),
    ("preset", "megatron_training.model"),
    ("preset", "backend_config.megatron_training.model"),
)


@dataclass(frozen=True, slots=True)
class ModelSource:
    """``path``: a directory or a hub name at ``key``; ``preset``: a name that MindSpeed-RL knows."""

    kind: Literal["path", "preset"]
    key: str
    name: str


def model_source(document: Document, target: str | None = None) -> ModelSource | None:
    """The model of a file; None when it names none.

    On MindSpeed-RL ``tokenizer_name_or_path`` holds a tokenizer; heads, layers and context come from the preset that
    ``model_name`` names (facts/corrections.md 1).
    """
    if not document.readable:
        return None
    if shape_of(document.values) != "agentsdk":
        return _native(document)
    case = Case(document, World(), target or target_of(document), validate=False)
    if case.generation == "A":
        return ModelSource("preset", "", _PRESET_OF_GENERATION_A)
    key = "model_name" if case.backend == "mindspeed_rl" else "tokenizer_name_or_path"
    found = case.found.get(key)
    if found is None or not isinstance(found.value, str) or not found.value:
        return None
    return ModelSource("preset" if case.backend == "mindspeed_rl" else "path", found.key, found.value)


def stands_in(document: Document, target: str) -> bool:
    """Whether a tiny model stands in for one that is not here: on this CPU, for a file written for elsewhere."""
    return target == "local" and target_of(document) != "local"


def family_of(path: str) -> str:
    """The architecture of the model that a path names, as far as its name tells; qwen2, the plugin's own, otherwise."""
    known = model_of_path(path)
    return str(known.values.get("model_type") or "qwen2") if known is not None else "qwen2"


def _native(document: Document) -> ModelSource | None:
    for kind, key in _NATIVE:
        for name in (document.values.get(key), document.get(key)):  # as one dotted key, or nested
            if isinstance(name, str) and name:
                return ModelSource("preset" if kind == "preset" else "path", key, name)
    return None
