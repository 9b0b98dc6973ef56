"""The facts of the checkpoint that a run of a configuration would go on from."""

from __future__ import annotations

from pathlib import Path

from ...check.checkpoint_source import checkpoint_source
from ...document import Document
from ...facts.checkpoints import CheckpointFacts, look_at_checkpoints, look_at_step


def checkpoint_for(document: Document, target: str | None = None) -> CheckpointFacts | None:
    """What lies where the file says; None when it names no place, or no checkpoint is there. Never raises."""
    source = checkpoint_source(document, target)
    if source is None:
        return None
    found = look_at_step(Path(source.path)) if source.step else look_at_checkpoints(Path(source.path))
    return found if found.steps or found.tracker_problem else None
