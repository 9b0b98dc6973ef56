"""A file with MindSpeed-RL's own keys: its own YAML, or the tree of an AscendFactory file; every key as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...catalogue.known_models import model_of_preset
from ...document.model import Document
from ...native.tree import tree_entries
from ..plan import Text
from .natives import Natives
from .tables import model_values

_PATHS = ("tokenizer_name_or_path", "data_path", "load", "save")
_SECTIONS = ("megatron_training", "actor_config", "ref_config", "reward_config", "critic_config")


def fill_own(
    natives: Natives, document: Document, root: Path, models: tuple[str, ...]
) -> Mapping[str, Mapping[str, Any]]:
    """Put every key of the file; returns the files of the config group ``model`` that must be written beside it.

    A relative path counts from the repository's root, as for the software: its script is started there.
    """
    for entry in tree_entries(document):
        natives.values[entry.key] = entry.value
        if not natives.knows(entry.key):
            natives.note("differs", entry.file_key, _UNKNOWN)
    for section in _SECTIONS:
        for name in _PATHS:
            key = f"{section}.{name}"
            value = natives.values.get(key)
            if isinstance(value, str) and value.startswith("."):
                # A prefix of data files may end in a slash, which is part of it.
                natives.values[key] = str(root / value) + ("/" if value.endswith("/") else "")
    return _group(natives, models)


def _group(natives: Natives, models: tuple[str, ...]) -> Mapping[str, Mapping[str, Any]]:
    """A tree without ``defaults`` (AscendFactory's) gets the model that its sections name."""
    name = natives.training("model")
    if "defaults" in natives.values or not isinstance(name, str) or any(k.startswith("model.") for k in natives.values):
        return {}
    natives.values["defaults"] = [{"model": [name]}, "_self_"]
    if name in models:
        return {}
    known = model_of_preset(name)
    for preset in known.presets if known is not None else ():
        values = model_values(preset, natives.version, natives.knows("actor_config.moe_ffn_hidden_size"))
        if values is not None:
            natives.note("info", "defaults", _WRITTEN)
            return {name: {k: v for k, v in values.items() if natives.knows(f"actor_config.{k}")}}
    return {}


def composed_from(values: Mapping[str, Any]) -> bool:
    """Whether the file takes other files than model presets into itself (Hydra's ``defaults``)."""
    found: Any = values.get("defaults")
    items = cast("list[Any]", found) if isinstance(found, list) else []
    names = [str(n) for i in items for n in (cast("Mapping[Any, Any]", i) if isinstance(i, Mapping) else (i,))]
    return any(name.partition("@")[0].removeprefix("override ").strip() not in ("model", "_self_") for name in names)


_UNKNOWN: Text = {
    "en": "the config classes found in the tree have no such key and refuse it",
    "zh": "所找到的源码中配置类没有该键，会拒绝",
}
_WRITTEN: Text = {
    "en": "the file names no model file and the repository has none of that name; one is written beside it",
    "zh": "文件未引用模型文件，仓库中也没有同名文件；已在旁边生成一份",
}
