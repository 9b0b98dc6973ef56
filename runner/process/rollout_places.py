"""Where the trajectories of a run are: its own folder, and what the plan handed to the back end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast

from ..native.hydra_read import OverrideError, read_override
from ..stream.rollouts import Place
from .record import ENDED, PLAN, ROLLOUTS, RunRecord

Why = Literal["waiting", "ended", "not_asked", "back_end"]
"""Not yet; none came; verl was not told to write them; this back end writes none that are known."""

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


def why_none(record: RunRecord) -> Why:
    """Why a run has no trajectories."""
    if any(key == "trainer.rollout_data_dir" for key, _ in _named(Path(record.directory))):
        return "ended" if record.state in ENDED else "waiting"
    return "not_asked" if record.backend in {"verl", ""} else "back_end"


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
