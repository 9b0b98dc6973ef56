"""What lies in a checkpoint directory of verl or Megatron; nothing is unpickled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TRACKER = "latest_checkpointed_iteration.txt"
_STEP = re.compile(r"global_step_(\d{1,15})")
_WORLD = re.compile(r"model_world_size_(\d{1,9})_rank_\d+\.pt\Z")


@dataclass(frozen=True, slots=True)
class CheckpointFacts:
    """The newest checkpoint that the back end itself would pick.

    Attributes:
        directory: the directory looked at; "" when a profile tells of it.
        step: the step the tracker file names; 0 when there is none.
        world_size: ranks that wrote it, read from the file names (FSDP), None when they don't tell.
        complete: whether the folder of that step exists and holds model files.
        steps: all steps that have a folder, ascending.
        tracker_problem: text of a tracker file that names no step, else "".
    """

    directory: str = ""
    step: int = 0
    world_size: int | None = None
    complete: bool = True
    steps: tuple[int, ...] = ()
    tracker_problem: str = ""


def look_at_checkpoints(directory: Path) -> CheckpointFacts:
    """Read the tracker file and the names below ``global_step_N/actor``; a missing directory is no error."""
    try:
        names = [entry.name for entry in directory.iterdir() if entry.is_dir()]
    except (OSError, ValueError):
        return CheckpointFacts(str(directory))
    steps = tuple(sorted(int(m[1]) for name in names if (m := _STEP.fullmatch(name))))
    try:
        text = (directory / TRACKER).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return CheckpointFacts(str(directory), steps=steps)
    if not text.isdecimal():
        return CheckpointFacts(str(directory), steps=steps, tracker_problem=text[:80])
    step = int(text[:18])
    size = _world_size(directory / f"global_step_{step}")
    return CheckpointFacts(str(directory), step, size, complete=size is not None, steps=steps)


def look_at_step(folder: Path) -> CheckpointFacts:
    """The checkpoint in the folder of one step, ``.../global_step_N``; one that is missing is no error."""
    match = _STEP.fullmatch(folder.name)
    try:
        present = match is not None and folder.is_dir()
    except (OSError, ValueError):
        present = False
    if match is None or not present:
        return CheckpointFacts(str(folder.parent))
    step, size = int(match[1]), _world_size(folder)
    return CheckpointFacts(str(folder.parent), step, size, complete=size is not None, steps=(step,))


def _world_size(folder: Path) -> int | None:
    try:
        names = [entry.name for entry in (folder / "actor").iterdir()]
    except OSError:
        return None
    worlds = [int(m[1]) for name in names if (m := _WORLD.search(name))]
    return max(worlds, default=None)
