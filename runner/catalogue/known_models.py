"""Models whose shape is known without their files, by hub name or MindSpeed-RL's preset name (templates/models)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .nearest import closest


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model: ``values`` are named as in config.json, ``parameters`` beside them counts the weights."""

    name: str
    hub: tuple[str, ...]
    presets: tuple[str, ...]
    values: Mapping[str, Any]


@lru_cache(maxsize=1)
def known_models() -> Mapping[str, KnownModel]:
    """All of them, by name.

    Raises:
        CatalogueError: a file breaks the format; names file and entry.
    """
    found: dict[str, KnownModel] = {}
    for path in sorted((templates_root() / "models").glob("*.yaml")):
        content = read_yaml(path)
        if not isinstance(content, Mapping):
            raise CatalogueError(f"{path.name}: expected a mapping of models")
        for name, value in cast("Mapping[Any, Any]", content).items():
            entry = Entry(f"{path.name}: {name}", value, ("hub", "presets", "like", "values"))
            like = entry.string("like", "")
            if like and like not in found:
                raise entry.fail("like", f"{like!r} does not stand above")
            values = {**(found[like].values if like else {}), **entry.mapping("values")}
            hub, presets = (tuple(map(str, entry.sequence(key))) for key in ("hub", "presets"))
            found[str(name)] = KnownModel(str(name), hub, presets, values)
    return found


def model_of_hub(name: str) -> KnownModel | None:
    """The model with that name on the hub, ``Qwen/Qwen2.5-7B``."""
    wanted = name.strip("/").lower()
    return next((model for model in known_models().values() if wanted in map(str.lower, model.hub)), None)


def model_of_preset(name: str) -> KnownModel | None:
    """The model that MindSpeed-RL (``qwen25_7b``) or AgentSDK's ``model_name`` (``qwen2.5-7b``) calls so."""
    return next((model for model in known_models().values() if name in model.presets), None)


def model_of_path(path: str) -> KnownModel | None:
    """The model that a folder is probably of, by its last part: ``/model/Qwen2.5-7B-Instruct``, ``qwen2.5-7b``."""
    wanted = path.rstrip("/").rpartition("/")[2].lower()
    for model in known_models().values():
        if wanted in {model.name.lower(), *model.presets, *(hub.rpartition("/")[2].lower() for hub in model.hub)}:
            return model
    return None


def nearest_models(name: str) -> list[str]:
    """Hub and preset names that ``name`` may be a slip of."""
    return closest(name, [known for model in known_models().values() for known in (*model.hub, *model.presets)])
