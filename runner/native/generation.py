"""Which generation of AgentSDK a file was written for, and which one a version stands for (facts/agentsdk.md 0)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from ..catalogue.versions import version_key
from .shape import HYDRA_KEYS

Generation = Literal["A", "B", "B+", "C", "D", "E"]
GENERATIONS: tuple[Generation, ...] = ("A", "B", "B+", "C", "D", "E")

# AgentSDK 7.3.0 read exactly these, on the first level.
GENERATION_A = frozenset(
    (
        *("tokenizer_name_or_path", "data_path", "load_params_path", "save_params_path"),
        *("train_iters", "agent_name", "agent_engine_wrapper_path"),
    )
)
RELEASES: Mapping[Generation, str] = {
    "A": "7.3.0",
    "B": "7.3.0 - 26.0.0",
    "B+": "26.0.0 pre-release",
    "C": "26.0.0",
    "D": "26.0.0 (Hydra)",
    "E": "26.1.0 (aura)",
}
_BPLUS = ("test_before_train", "test_only")  # what B+ has more than B
_PRE_RELEASE = re.compile(r"(?:rc|pre|alpha|beta|dev)", re.IGNORECASE)
_JOBS_OF_E = frozenset(("verl_train", "msrl_train"))
_DEPTH = 8


def generation_of(values: Mapping[str, Any]) -> Generation:
    """The generation that a file of AgentSDK was written for, by its shape."""
    if HYDRA_KEYS & set(values):
        return "E" if _is_aura(values) else "D"
    if "train_backend" not in values and {"data_path", "train_iters"} <= set(values) <= GENERATION_A:
        return "A"
    section = values.get("mindspeed_rl")
    if isinstance(section, Mapping) and "actor_rollout_dispatch_size" in section:
        return "B+" if any(name in values for name in _BPLUS) else "B"
    return "C"


def generation_named(version: str) -> Generation | None:
    """The generation that a version of AgentSDK stands for; None for none, and for the development branch.

    Takes a generation's letter too: B, B+ and D share a version number with their neighbours.
    """
    letter = version.strip().upper()
    if letter in GENERATIONS:
        return letter
    key = version_key(version)
    if not key or key[0] == 9999:
        return None
    if key <= (7, 3):
        return "A"
    if key < (26,):
        return "B"
    if key == (26,) and _PRE_RELEASE.search(version):
        return "B+"
    return "C" if key < (26, 1) else "E"


def judged_generation(values: Mapping[str, Any], target: str, version: str) -> Generation:
    """The generation whose rules a file of the first shapes (A to C) is judged by."""
    named = generation_named(version) if target == "agentsdk" else None
    if named in ("A", "B", "B+", "C"):
        return named
    shown = generation_of(values)
    return "C" if shown in ("B", "B+") else shown  # what one has today refuses the keys of the pre-releases


def knows(generation: Generation, name: str, names: Mapping[str, str | None]) -> bool:
    """Whether a generation's schema has a parameter; ``names`` are its names in A, B and C."""
    if generation == "B+" and name in _BPLUS:
        return True
    return names.get(generation[0]) is not None


def _is_aura(values: Mapping[str, Any]) -> bool:
    found = list(_leaves(values, 0))
    if any(isinstance(value, str) and "aura" in re.split(r"[./\\]", value) for _, value in found):
        return True
    if any(name == "job_type" and value in _JOBS_OF_E for name, value in found if isinstance(value, str)):
        return True
    names = {name for name, _ in found}
    return "work_mode" in names and "cluster_mode" not in names


def _leaves(value: Any, depth: int, name: str = "") -> Iterator[tuple[str, Any]]:
    if depth > _DEPTH:
        return
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[Any, Any]", value).items():
            yield from _leaves(inner, depth + 1, str(key))
    elif isinstance(value, list):
        for inner in cast("list[Any]", value)[:100]:
            yield from _leaves(inner, depth + 1, name)
    else:
        yield name, value
