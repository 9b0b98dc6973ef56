"""The tables behind the plan: templates/backends/mindspeed_launch.yaml, mindspeed_models.yaml, env_mindspeed.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ...catalogue.versions import version_holds


@lru_cache(maxsize=4)
def table(name: str) -> Mapping[str, Any]:
    """One file of templates/backends, by its stem."""
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / f"{name}.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def entries(name: str, part: str, version: str = "") -> Iterator[Mapping[str, Any]]:
    """The entries of a list that hold for a version."""
    for entry in cast("list[Mapping[str, Any]]", table(name)[part]):
        if not version or version_holds(str(entry.get("versions", "")), version):
            yield entry


def model_values(name: str, version: str, renamed: bool) -> Mapping[str, Any] | None:
    """Megatron's description of a model that AgentSDK's model_name knows; None for another name.

    Args:
        name: ``qwen3-8b``.
        version: known MindSpeed-RL version.
        renamed: whether the names of Megatron core 0.12 count.
    """
    data = table("mindspeed_models")
    entry = cast("Mapping[str, Mapping[str, Any]]", data["models"]).get(name)
    if entry is None:
        return None
    found: dict[str, Any] = dict(data["common"])
    for family in cast("list[str]", entry["is"]):
        found |= data[family]
    found |= entry["values"]
    for change in cast("list[Mapping[str, Any]]", data["revalued"]):
        if found.get(change["key"]) == change["from"] and version_holds(str(change["versions"]), version):
            found[change["key"]] = change["to"]
    names = cast("Mapping[str, str]", data["renamed"])
    return {names.get(key, key) if renamed else key: value for key, value in found.items()}
