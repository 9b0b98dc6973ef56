"""Which variables agentic_rl throws away: it keeps a whitelist before anything else happens (facts/agentsdk.md 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from ..catalogue.data import read_yaml, templates_root
from .plan import Note
from .said import said

_LISTED = 40  # names in a note


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", read_yaml(templates_root() / "backends" / "agentsdk_environment.yaml"))


def kept_variables() -> frozenset[str]:
    """The names that survive."""
    return frozenset(map(str, _data()["kept"]))


def lost_variables(names: Iterable[str]) -> tuple[list[str], int]:
    """Of the variables that are set: those which matter to a training and are lost, and how many others are."""
    data, kept = _data(), kept_variables()
    gone = sorted(name for name in names if name not in kept)
    starts, ends = tuple(data["matter"]), tuple(data["matter_endings"])
    exactly = frozenset(data["matter_exactly"])
    told = [name for name in gone if name in exactly or name.startswith(starts) or name.upper().endswith(ends)]
    return told, len(gone) - len(told)


def wiping_note(environment: Mapping[str, str]) -> Note:
    """What is told before a start."""
    told, others = lost_variables(environment)
    shown = ", ".join(told[:_LISTED]) + (" ..." if len(told) > _LISTED else "")
    name = "agentsdk-lost" if told else "agentsdk-none-lost"
    return Note("warning" if told else "info", "environment", said(name, names=shown, count=others))
