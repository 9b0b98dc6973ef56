"""What agentic_rl does beside the file, told before the start (facts/agentsdk.md 1.1, 3.1, 5)."""

from __future__ import annotations

from ...document.model import Document
from ..plan import Note
from ..request import Request
from ..said import said
from ..wiping import wiping_note
from .source import trains_with


def hints_of(document: Document, request: Request) -> tuple[Note, ...]:
    """The notes for a file, the most surprising first."""
    notes = [wiping_note({**request.environment, **request.extra_env})]
    if not request.backend_version:
        notes.append(Note("info", "version", said("agentsdk-no-version")))
    nodes = document.get("num_node", 1)
    if isinstance(nodes, int) and nodes > 1:
        notes.append(Note("info", "num_node", said("agentsdk-cluster", nodes=nodes)))
    else:
        notes.append(Note("info", "ray", said("agentsdk-local-ray")))
    if trains_with(document) == "verl":
        notes += [
            Note("info", "verl.ppo_mini_batch_size", said("agentsdk-timeout")),
            Note("info", "rewards", said("agentsdk-zero")),
            Note("info", "verl.save_freq", said("agentsdk-metrics")),
        ]
    else:
        notes.append(Note("info", "mindspeed_rl.save_params_path", said("agentsdk-saved")))
    return tuple(notes)
