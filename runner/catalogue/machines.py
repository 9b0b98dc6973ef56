"""The machine profiles that come with the product: names, titles and where their files lie (templates/machines)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .data import Entry, read_yaml, templates_root
from .nearest import closest
from .parameter import Text

# Every key of a profile (docs/en/machines.md); the reader of profiles knows their types.
PROFILE_KEYS = (
    *("title", "source", "accelerator", "nodes", "devices_per_node", "device_memory_gib", "free_device_memory_gib"),
    *("cpus_per_node", "memory_gib", "ray_devices", "env", "model", "dataset", "checkpoint"),
)


@dataclass(frozen=True, slots=True)
class BuiltinProfile:
    """A profile of templates/machines: ``values`` is what its file says, titles and source aside."""

    name: str
    path: Path
    title: Text
    source: str
    values: dict[str, Any]


@lru_cache(maxsize=1)
def builtin_profiles() -> tuple[BuiltinProfile, ...]:
    """All of them, by name.

    Raises:
        CatalogueError: a file breaks the format; names file and key.
    """
    return tuple(_read(path) for path in sorted((templates_root() / "machines").glob("*.yaml")))


def builtin_profile(name: str) -> BuiltinProfile | None:
    """The profile of that name, in any case of letters."""
    return next((profile for profile in builtin_profiles() if profile.name == name.lower()), None)


def nearest_profiles(name: str) -> list[str]:
    """Names that ``name`` may be a slip of."""
    return closest(name, [profile.name for profile in builtin_profiles()])


def _read(path: Path) -> BuiltinProfile:
    entry = Entry(path.name, read_yaml(path), PROFILE_KEYS)
    values = {str(key): value for key, value in entry.fields.items() if key not in ("title", "source")}
    return BuiltinProfile(path.stem, path, entry.text("title"), entry.string("source"), values)
