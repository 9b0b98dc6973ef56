"""A file as MindSpeed-RL sees it: its own YAML (nested or flat dotted keys), or one of AgentSDK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, cast

from ..document import Document
from ..native import (
    AGENTSDK_MINDSPEED,
    NEWEST_MINDSPEED,
    agentsdk_mindspeed_constants,
    known_mindspeed,
    leaves,
    mindspeed_default,
    mindspeed_keys,
    mindspeed_table,
)
from ..native.mindspeed_agentsdk import DEVICES, native_of, natives
from ..native.tree import loaded_value
from .case import Case
from .view import Entry, View
from .world import World

NODES = "cluster.num_node"  # no key of MindSpeed-RL: AgentSDK's second factor of the devices

OWN = ("max_steps",)  # parameters that MindSpeed-RL does not get, and relations ask for; `agentsdk.NAME` in the view
_FORCED_BY_B = (
    ("rl_config.actor_rollout_dispatch_size", 2),
    ("megatron_training.dataset_additional_keys", ["labels"]),
)

# Older releases, then the development branch, which takes up keys that a release had dropped.
_OTHER_VERSIONS = ("2.2.0", "2.1.0", "master", "2.0.0")

_OWN_DEFAULTS = frozenset(("model", "_self_"))


def mindspeed_view(document: Document, world: World) -> View:
    """The view of a file in MindSpeed-RL's own shape; ``world.backend_version`` is the version of MindSpeed-RL."""
    entries: dict[str, Entry] = {}
    for key, value in leaves(cast("Mapping[Any, Any]", document.values)):
        entries[native_name(key)] = Entry(loaded_value(document, key, value), key)
    version = known_mindspeed(world.backend_version, "") or version_by_keys(entries)
    default_of: Callable[[str], Any] = partial(mindspeed_default, version=version)
    return View(
        document=document,
        world=world,
        system="mindspeed-rl",
        launcher="mindspeed-rl",
        version=version,
        entries=entries,
        default_of=_nothing if composed_elsewhere(document.values) else default_of,
    )


def version_by_keys(entries: Iterable[str]) -> str:
    """The version that a file which nobody gave one for is judged by: the newest release that knows all its keys."""
    wanted = {found for key in entries if (found := mindspeed_table(key)) is not None and "." not in found[1]}
    wanted -= {("megatron", "model"), ("generate", "sampling_config")}
    for version in (NEWEST_MINDSPEED, *_OTHER_VERSIONS):
        if wanted <= mindspeed_keys(version).keys():
            return version
    return NEWEST_MINDSPEED


def agentsdk_view(case: Case) -> View:
    """The view of an AgentSDK file whose back end is MindSpeed-RL: its constants, then every parameter."""
    entries = {key: Entry(value, "", False) for key, value in agentsdk_mindspeed_constants()}
    broken: set[str] = set()
    for key, native in natives().items():
        if native == DEVICES:
            continue
        value = case.value(key)
        if value is None and key not in case.found:
            continue
        entries[native] = Entry(value, case.file_key(key), key in case.found)
        if key in case.broken:
            broken.add(native)
    for name in OWN:
        entries[f"agentsdk.{name}"] = Entry(case.value(name), case.file_key(name), name in case.found)
        if name in case.broken:
            broken.add(f"agentsdk.{name}")
    entries |= _devices(case, broken)
    if case.generation in ("B", "B+"):  # which force these, whatever the file says
        entries |= {key: Entry(value, "", False) for key, value in _FORCED_BY_B}
    names = {native: key for key, native in natives().items()}
    names |= {DEVICES: "num_gpus_per_node", NODES: "num_node"} | {f"agentsdk.{name}": name for name in OWN}
    return View(
        document=case.document,
        world=case.world,
        system="mindspeed-rl",
        launcher="agentsdk",
        version=AGENTSDK_MINDSPEED,
        entries=entries,
        default_of=partial(mindspeed_default, version=AGENTSDK_MINDSPEED),
        broken=frozenset(broken),
        file_keys=lambda key: names.get(key, key),
    )


def native_name(key: str) -> str:
    """A key as MindSpeed-RL's config classes look it up: ``-`` in the name of an argument is ``_``."""
    if mindspeed_table(key) is None:
        return key
    section, _, name = key.rpartition(".")
    return f"{section}.{name.replace('-', '_')}"


def composed_elsewhere(values: Mapping[str, Any]) -> bool:
    """Whether the file takes values from other files (Hydra's ``defaults``) beside the model presets."""
    found: Any = values.get("defaults")
    items = cast("list[Any]", found) if isinstance(found, list) else [found] if found is not None else []
    for item in items:
        names = [str(name) for name in cast("Mapping[Any, Any]", item)] if isinstance(item, Mapping) else [str(item)]
        if any(name.partition("@")[0].removeprefix("override ").strip() not in _OWN_DEFAULTS for name in names):
            return True
    return False


def _devices(case: Case, broken: set[str]) -> dict[str, Entry]:
    per_node, nodes = case.number("num_gpus_per_node"), case.number("num_node")
    if case.generation in ("B", "B+"):
        nodes = 1  # the parameter came with C
    if per_node is None or nodes is None:
        broken.add(DEVICES)
    devices = Entry(
        (per_node or 0) * (nodes or 0), case.file_key("num_gpus_per_node"), "num_gpus_per_node" in case.found
    )
    return {DEVICES: devices, NODES: Entry(nodes, case.file_key("num_node"), "num_node" in case.found)}


def _nothing(key: str) -> Any:
    raise KeyError(key)


__all__ = [
    "DEVICES",
    "NODES",
    "agentsdk_view",
    "composed_elsewhere",
    "mindspeed_view",
    "native_name",
    "native_of",
    "version_by_keys",
]
