"""Where the trajectories of a run are: its own folder, and what the plan handed to the back end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ..native.hydra_read import OverrideError, read_override
from ..stream.rollouts import Place
from .record import PLAN, ROLLOUTS, RunRecord

# Keys of verl that name a folder of dumps -> whether it is that of validation.
_KEYS = {"trainer.rollout_data_dir": False, "trainer.validation_data_dir": True}


def rollout_places(record: RunRecord) -> list[list[Place]]:
    """The places of each attempt, the oldest first; those of attempts that can't be read are left out."""
    chain = [record]
    seen = {record.directory}
    while chain[-1].previous and chain[-1].previous not in seen:
        seen.add(chain[-1].previous)
        try:
            chain.append(RunRecord.read(chain[-1].previous))
        except (OSError, ValueError, TypeError):
            break
    return [places_of(Path(one.directory)) for one in reversed(chain)]


def places_of(directory: Path) -> list[Place]:
    """The places of one run directory: ``rollouts`` in it, and the folders that its plan names elsewhere."""
    own = directory / ROLLOUTS
    places = [Place(own)]
    for key, folder in _named(directory):
        if own != folder and own not in folder.parents:
            places.append(Place(folder, _KEYS[key]))
    return places


def writes_rollouts(directory: Path) -> bool:
    """Whether the plan told the back end to write trajectories."""
    return any(key == "trainer.rollout_data_dir" for key, _ in _named(directory))


def _named(directory: Path) -> Iterator[tuple[str, Path]]:
    try:
        plan: Any = json.loads((directory / PLAN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    argv: Any = cast("dict[str, Any]", plan).get("argv") if isinstance(plan, dict) else None
    for text in cast("list[Any]", argv) if isinstance(argv, list) else []:
        if isinstance(text, str) and text.lstrip("+").startswith(tuple(_KEYS)):
            try:
                one = read_override(text)
            except OverrideError:
                continue
            if one.key in _KEYS and isinstance(one.value, str) and one.value:
                yield one.key, directory / Path(one.value).expanduser()
