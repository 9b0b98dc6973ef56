"""A file of any shape as verl sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from ..catalogue import load_catalogue
from ..document import Document
from ..native import (
    AGENTSDK_VERL,
    NEWEST_VERL,
    agentsdk_constants,
    agentsdk_parameters,
    converted,
    default_of,
    known_verl,
    leaves,
)
from .target import shape_of
from .view import Entry, Launcher, View
from .world import World

SECTION = "backend_config"  # of an AscendFactory file


def verl_view(document: Document, world: World, target: str, broken: frozenset[str] = frozenset()) -> View:
    """The view of a file whose training software is verl.

    Args:
        document: the file, of AgentSDK's, AscendFactory's or verl's own shape.
        world: facts; ``verl_version`` decides by which verl it is judged.
        target: ``agentsdk``, ``ascendfactory``, ``verl`` or ``local``.
        broken: keys of the file whose value is an error in itself.
    """
    shape = shape_of(document.values)
    version = known_verl(world.verl_version, AGENTSDK_VERL if target == "agentsdk" else NEWEST_VERL)
    if shape == "agentsdk":
        entries, names = _from_agentsdk(document, version), _agentsdk_names(version)
    elif shape == "ascendfactory":
        tree: Any = document.values.get(SECTION)
        entries, names = _from_tree(tree, f"{SECTION}."), _prefixed(f"{SECTION}.")
    else:
        entries, names = _from_tree(document.values, ""), _prefixed("")
    strategy = entries.get("actor_rollout_ref.actor.strategy")
    engine = "megatron" if strategy is not None and strategy.value == "megatron" else "fsdp"
    return View(
        document=document,
        world=world,
        system="verl",
        launcher=cast("Launcher", target),
        version=version,
        entries=entries,
        default_of=partial(default_of, version=version, engine=engine),
        broken=frozenset(key for key, entry in entries.items() if entry.key in broken),
        file_keys=names,
    )


def _from_agentsdk(document: Document, version: str) -> dict[str, Entry]:
    entries = {key: Entry(value, "", False) for key, value in agentsdk_constants(version)}
    for handed in agentsdk_parameters(document.values, load_catalogue(), version):
        parameter = handed.parameter
        names = (parameter.name, *parameter.aliases)
        name = next((n for n in names if _has(document.values, parameter.section, n)), "")
        key = f"{parameter.section}.{name}" if parameter.section and name else name
        for native in handed.keys:
            entries[native] = Entry(converted(parameter, handed.value), key or parameter.key, handed.given)
    return entries


def _has(values: Mapping[str, Any], section: str, name: str) -> bool:
    inside: Any = values.get(section) if section else values
    return isinstance(inside, Mapping) and name in inside


def _from_tree(values: Any, prefix: str) -> dict[str, Entry]:
    if not isinstance(values, Mapping):
        return {}
    return {key: Entry(value, f"{prefix}{key}") for key, value in leaves(cast("Mapping[Any, Any]", values))}


def _prefixed(prefix: str) -> Callable[[str], str]:
    return lambda key: f"{prefix}{key}"


def _agentsdk_names(version: str) -> Callable[[str], str]:
    """The parameter that becomes a verl key; the key itself where none does."""
    parameters = load_catalogue().parameters.values()
    names = {key: parameter.key for parameter in parameters for key in parameter.verl_keys(version)}
    return lambda key: names.get(key, key)
