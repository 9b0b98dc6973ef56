"""verl on several machines."""

from __future__ import annotations

from typing import Any

from ..overrides import Overrides
from ..ray import cluster_note
from ..request import Request
from ..source import value_of


def nodes_of(overrides: Overrides) -> int:
    """Machines that the settings ask for; a rollout on machines of its own counts too."""
    return max(_whole(value_of(overrides, "trainer.nnodes")), _whole(overrides.values.get("rollout.nnodes")))


def note_cluster(overrides: Overrides, request: Request) -> None:
    """For more than one machine: what is joined, and what has to be done before."""
    nodes = nodes_of(overrides)
    if nodes > 1:
        key = "trainer.nnodes" if overrides.own_names else "verl.nnodes"
        overrides.note("info", key, cluster_note(nodes, request))


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 1
