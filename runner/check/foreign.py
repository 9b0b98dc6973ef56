"""Files that the one who starts them does not read, and files of other generations of AgentSDK."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue import Level, Problem
from ..document import Document
from ..native.generation import RELEASES, generation_named, generation_of
from .case import Case
from .mindspeed import check_native
from .target import hydra_keys, shape_of
from .world import World

_SHAPES = {"agentsdk": "AgentSDK", "ascendfactory": "AscendFactory", "verl": "verl", "mindspeed-rl": "MindSpeed-RL"}


def check_hydra(document: Document, world: World, target: str) -> Iterator[Problem]:
    """A file of generation D or E: named, and refused only where something older is known to read it."""
    keys = hydra_keys(document.values)
    place = document.place(keys[0])
    generation = generation_of(document.values)
    named = generation_named(world.backend_version) if target == "agentsdk" else None
    refused = target != "agentsdk" or named in ("A", "B", "B+", "C")
    level: Level = "error" if refused else "warning"
    params: dict[str, object] = {"keys": keys, "generation": generation, "release": RELEASES[generation]}
    if refused:
        params["reader"] = f"AgentSDK {RELEASES[named]}" if named else target
    yield Problem(level, "generation-hydra", keys[0], place.line, place.column, params)


def check_flat(case: Case) -> Iterator[Problem]:
    """A file of the generations A to C that is another one's than what reads it."""
    if case.target != "agentsdk":
        if case.generation == "A":
            yield Problem("warning", "generation-older", params={"generation": "A", "release": RELEASES["A"]})
        return
    named = generation_named(case.world.backend_version)
    shown = generation_of(case.document.values)
    if named in ("D", "E"):
        yield Problem("error", "generation-flat", params={"release": RELEASES[named], "generation": named})
    elif shown == "A" and case.generation == "A":
        level: Level = "hint" if named == "A" else "warning"
        yield Problem(level, "generation-older", params={"generation": shown, "release": RELEASES[shown]})
    elif shown in ("B", "B+") and named is None:
        yield Problem("hint", "generation-older", params={"generation": shown, "release": RELEASES[shown]})


def check_mindspeed_file(document: Document, world: World, target: str) -> Iterator[Problem]:
    """A file in MindSpeed-RL's own shape, or one that is meant for it and has another."""
    shape = shape_of(document.values)
    # OmegaConf reads 1e-6 as a number, where the loader of AgentSDK makes a text of it.
    yield from (problem for problem in document.problems if problem.code != "yaml-exponent")
    if shape != "mindspeed-rl" or target != "mindspeed-rl":
        yield Problem("error", "shape-not-for-target", params={"shape": _SHAPES[shape], "target": target})
    if shape == "mindspeed-rl":
        yield from check_native(document, world)
