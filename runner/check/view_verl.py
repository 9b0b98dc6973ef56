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
)
from ..native.shape import shape_of
from ..native.tree import prefix_of, tree_entries
from .view import Entry, Launcher, View
from .world import World


def verl_view(
    document: Document,
    world: World,
    target: str,
    broken: frozenset[str] = frozenset(),
    found: Mapping[str, tuple[str, Any]] | None = None,
) -> View:
    """The view of a file whose training software is verl.

    Args:
        document: the file, of AgentSDK's, AscendFactory's or verl's own shape.
        world: facts; ``verl_version`` decides by which verl it is judged, ``verl_declared`` what that one declares.
        target: ``agentsdk``, ``ascendfactory``, ``verl`` or ``local``.
        broken: keys of the file whose value is an error in itself.
        found: of an AgentSDK file, parameter -> (key in the file, value), where it is known better than by its name
            (parameters that stand at the wrong level).
    """
    shape = shape_of(document.values)
    version = known_verl(world.verl_version, AGENTSDK_VERL if target == "agentsdk" else NEWEST_VERL)
    if shape == "agentsdk":
        entries, names = _from_agentsdk(document, version, found or {}), _agentsdk_names(version)
    else:
        entries, names = _from_tree(document), _prefixed(prefix_of(document))
    return View(
        document=document,
        world=world,
        system="verl",
        launcher=cast("Launcher", target),
        version=version,
        entries=entries,
        default_of=_defaults(world, version, engine_of(entries)),
        broken=frozenset(key for key, entry in entries.items() if entry.key in broken),
        file_keys=names,
        own_keys=shape != "agentsdk",
    )


def engine_of(entries: Mapping[str, Entry]) -> str:
    """Which of verl's configurations a file is for.

    ``megatron`` when it chooses that or sets a key of it, ``fsdp`` as the default, else the name of an engine whose
    keys are not known here (``veomni``, ``mindspeed``, ...).
    """
    for key in ("model_engine", "actor_rollout_ref.actor.strategy"):
        chosen = entries.get(key)
        if chosen is not None and isinstance(chosen.value, str):
            return {"dp": "fsdp", "fsdp2": "fsdp"}.get(chosen.value, chosen.value)
    return "megatron" if any(".megatron." in key for key in entries) else "fsdp"


def _defaults(world: World, version: str, engine: str) -> Callable[[str], Any]:
    engine = engine if engine == "megatron" else "fsdp"
    declared = world.verl_declared
    if declared is None or engine not in declared:
        return partial(default_of, version=version, engine=engine)
    return declared[engine].__getitem__


def _from_agentsdk(document: Document, version: str, found: Mapping[str, tuple[str, Any]]) -> dict[str, Entry]:
    entries = {key: Entry(value, "", False) for key, value in agentsdk_constants(version)}
    for handed in agentsdk_parameters(document.values, load_catalogue(), version):
        parameter = handed.parameter
        names = (parameter.name, *parameter.aliases)
        name = next((n for n in names if _has(document.values, parameter.section, n)), "")
        key = f"{parameter.section}.{name}" if parameter.section and name else name
        known = found.get(parameter.key)
        for native in handed.keys:
            if known is not None:
                entries[native] = Entry(converted(parameter, known[1]), known[0], True)
            else:
                entries[native] = Entry(converted(parameter, handed.value), key or parameter.key, handed.given)
    return entries


def _has(values: Mapping[str, Any], section: str, name: str) -> bool:
    inside: Any = values.get(section) if section else values
    return isinstance(inside, Mapping) and name in inside


def _from_tree(document: Document) -> dict[str, Entry]:
    # What is taken away (~) counts with its default, which the code then has.
    return {one.key: Entry(one.value, one.file_key) for one in tree_entries(document) if one.sign != "~"}


def _prefixed(prefix: str) -> Callable[[str], str]:
    return lambda key: f"{prefix}{key}"


def _agentsdk_names(version: str) -> Callable[[str], str]:
    """The parameter that becomes a verl key; the key itself where none does."""
    parameters = load_catalogue().parameters.values()
    names = {key: parameter.key for parameter in parameters for key in parameter.verl_keys(version)}
    return lambda key: names.get(key, key)
