"""What became of verl's keys between versions (templates/backends/verl_renames.yaml), and where anything may stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ..catalogue.versions import version_key
from .verl_keys import verl_keys
from .versions import VERL_VERSIONS

_ENGINES = ("fsdp", "megatron")


@dataclass(frozen=True, slots=True)
class Move:
    """A key's other name: ``name`` is valid in the version asked about; it changed with ``since``."""

    name: str
    since: str


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "verl_renames.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def moved(key: str, version: str) -> Move | None:
    """The name that an undeclared key has in a version, when it is known under another one."""
    for entry in cast("list[Mapping[str, Any]]", _data()["renames"]):
        old, new, since = str(entry["old"]), str(entry["new"]), str(entry["since"])
        if version_key(version) < version_key(since):
            old, new = new, old
        if key == old:
            return Move(new, since)
        if old.endswith(".") and key.startswith(old):
            return Move(new + key.removeprefix(old), since)
    return None


def versions_with(key: str) -> list[str]:
    """The known versions that declare a key, under either engine."""
    return [v for v in VERL_VERSIONS if any(key in verl_keys(v, engine) for engine in _ENGINES)]


def changed_defaults() -> list[str]:
    """Keys whose default changed without a word."""
    return [str(key) for key in _data()["telling"]]


def is_open(key: str) -> bool:
    """Whether anything may stand at the key, because it is handed on to other software."""
    return not set(_data()["open"]).isdisjoint(key.split(".")[:-1])


def of_other_trainer(key: str) -> bool:
    """Whether another trainer of verl (a recipe) declares the key."""
    names = cast("list[str]", _data()["other_trainers"])
    return any(key.startswith(name) if name.endswith(".") else key == name for name in names)
