"""What a plan for MindSpeed-RL may know of the machine; handed over by cli as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...native.mindspeed_keys import MINDSPEED_VERSIONS, NEWEST_MINDSPEED, mindspeed_keys

if TYPE_CHECKING:
    from ...facts.megatron import MegatronFacts
    from ...facts.mindspeed_tree import MindSpeedTree

DataState = Literal["packed", "json", "unknown"]


@dataclass(frozen=True, slots=True)
class MindSpeedFacts:
    """Facts for `make_plan`.

    Attributes:
        tree: MindSpeed-RL's repository; None when it was not found.
        environ: the environment of the person; only the names that a table mentions are looked at.
        saved: what lies where this run would save; None when nothing does.
        data: ``packed`` when the six files of a prefix are there, ``json`` when the path is a file of records.
        npus: devices of this machine, when known (for torchrun).
    """

    tree: MindSpeedTree | None
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    saved: MegatronFacts | None = None
    data: DataState = "unknown"
    npus: int | None = None


def version_of_tree(tree: MindSpeedTree) -> str:
    """The known MindSpeed-RL whose config classes have most nearly the keys of this tree."""
    have = {(table, name) for table, names in tree.keys.items() for name in names}
    if not have:
        return NEWEST_MINDSPEED

    def distance(version: str) -> int:
        return len(have ^ {key for key in mindspeed_keys(version) if key[0] in tree.keys})

    return min(reversed(MINDSPEED_VERSIONS), key=distance)
