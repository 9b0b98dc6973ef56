"""Which keys each MindSpeed-RL knows, with their defaults (templates/backends/mindspeed_keys.tsv).

An unknown key is fatal there: from 2.1 on its config classes refuse what they have no attribute for. Source:
MegatronConfig, RLConfig and GenerateConfig of the branches 2.0.0 to 2.3.0 and of master (2026-04).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ..catalogue.known_models import model_of_preset
from ..catalogue.versions import version_key

MINDSPEED_VERSIONS: tuple[str, ...] = ("2.0.0", "2.1.0", "2.2.0", "2.3.0", "master")
NEWEST_MINDSPEED = "2.3.0"
AGENTSDK_MINDSPEED = "2.2.0"  # the one whose keys AgentSDK 26.0.0 hands over

# Sections of a file and the class that reads them, the longest first: `generate_config.sampling_config.top_k`.
_TABLES: tuple[tuple[str, str], ...] = (
    ("generate_config.sampling_config.", "sampling"),
    ("rl_config.actor_resource.", "actor_resource"),
    ("generate_config.", "generate"),
    ("rl_config.", "rl"),
    ("megatron_training.", "megatron"),
    ("actor_config.", "megatron"),
    ("ref_config.", "megatron"),
    ("reward_config.", "megatron"),
    ("critic_config.", "megatron"),
    ("vit_config.", "megatron"),
)


def known_mindspeed(version: str, without: str = NEWEST_MINDSPEED) -> str:
    """The known MindSpeed-RL that stands for ``version``: itself, else the nearest older one, else the oldest."""
    key = version_key(version)
    if not key:
        return without
    older = [v for v in MINDSPEED_VERSIONS if version_key(v) <= key]
    return older[-1] if older else MINDSPEED_VERSIONS[0]


def mindspeed_table(key: str) -> tuple[str, str] | None:
    """The class that reads a native key and the name it has there; None outside the known sections."""
    for prefix, table in _TABLES:
        if key.startswith(prefix):
            return table, key.removeprefix(prefix)
    return None


@lru_cache(maxsize=8)
def mindspeed_keys(version: str) -> Mapping[tuple[str, str], str]:
    """(class, name) -> default as Python text, for one version."""
    wanted = version_key(known_mindspeed(version))
    return {
        (table, name): default
        for table, name, first, last, default in _rows()
        if version_key(first) <= wanted <= version_key(last)
    }


def versions_knowing(key: str) -> list[str]:
    """The versions that know a native key."""
    found = mindspeed_table(key)
    return [v for v in MINDSPEED_VERSIONS if found is not None and found in mindspeed_keys(v)]


def mindspeed_default(key: str, version: str) -> Any:
    """Default of a native key.

    Raises:
        KeyError: the version does not know it.
    """
    found = mindspeed_table(key)
    if found is None:
        raise KeyError(key)
    return ast.literal_eval(mindspeed_keys(version)[found])


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, str, str, str, str], ...]:
    text = (files("agentic_rl_wizard.templates") / "backends" / "mindspeed_keys.tsv").read_text(encoding="utf-8")
    return tuple(cast("tuple[str, str, str, str, str]", tuple(line.split("\t"))) for line in text.splitlines()[1:])


def agentsdk_mindspeed_constants() -> Iterator[tuple[str, Any]]:
    """What agentic_rl hands to MindSpeed-RL beside the user's parameters (native key, value)."""
    for entry in cast("list[Mapping[str, Any]]", _data()["constants"]):
        yield str(entry["key"]), entry["value"]


def home_of(name: str) -> str:
    """The section in which a file usually keeps a training key: ``actor_config`` or ``megatron_training``."""
    return "actor_config" if name in cast("list[str]", _data()["actor_config"]) else "megatron_training"


def mindspeed_preset(name: str) -> Mapping[str, Any]:
    """Megatron's numbers of a model preset, under Megatron's names; empty for a name nobody knows."""
    known = model_of_preset(name)
    if known is None:
        return {}
    heads, groups = known.values.get("num_attention_heads"), known.values.get("num_key_value_heads")
    return {
        "num_layers": known.values.get("num_hidden_layers"),
        "num_attention_heads": heads,
        "group_query_attention": groups != heads,
        "num_query_groups": groups,
        "num_experts": known.values.get("num_experts", 0),
    }


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "agentsdk_mindspeed.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))
