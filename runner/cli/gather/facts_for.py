"""The facts that a check of a file needs, gathered from disk, machine and training interpreter."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...check import World, paths_of
from ...document import Document
from ...facts.dataset import DatasetFacts
from ...facts.paths import look_at_path
from .checkpoint_for import checkpoint_for
from .model_for import model_for
from .weights_for import weights_for

if TYPE_CHECKING:
    from ...facts.paths import PathFacts
    from ...facts.training import DataFacts, TrainingFacts
    from ...facts.wrapper import WrapperFacts

_MINDSPEED = ("mindspeed_rl", "mindspeed-rl")  # the distribution, as package managers spell it
WRAPPER_NAME = "agent_engine_wrapper_path"
# The keys whose files are looked into, by the last part of their names.
DATA_NAMES = frozenset(("train_files", "val_files", "data_path", "test_data_path"))


def facts_for(
    document: Document,
    base: Path,
    training: TrainingFacts | None = None,
    target: str | None = None,
    progress: Callable[[int], bool] | None = None,
    cache: bool = True,
) -> World:
    """Look at every path of a file, and at the file itself.

    Args:
        document: the file as read.
        base: its folder; relative paths in it count from there.
        training: answer of the training interpreter about the data files, asked for as `data_files` names them.
        target: what will start the file; None leaves it to the file.
        progress: see `look_at_path`.
        cache: see `look_at_path`.
    """
    paths = {
        key: look_at_path(path, base, progress=progress, cache=cache)
        for key, path in paths_of(document, target).items()
    }
    config: PathFacts | None = None
    if document.path is not None:
        # Handed to agentic_rl with its whole path: that it was typed as a relative one here is no fault of the file.
        config = look_at_path(os.path.abspath(document.path), tree=False)  # noqa: PTH100 - not through links
    data: dict[str, DataFacts] = {}
    if training is not None and not training.problem:
        for key, file in data_files(document, base, target).items():
            found = training.files.get(file)
            if found is None or not paths[key].exists:
                continue
            if found.error and found.format == "parquet" and "pyarrow" in training.missing:
                continue  # the reader is missing there, which says nothing about the file
            data[key] = found
    wrapper = wrapper_of(document, base, target)
    asked = training if training is not None and (training.modules or training.sources) else None
    model = model_for(document, base, target)
    weights = weights_for(document, base, target)
    return World(
        config=config,
        paths=paths,
        data=data,
        model=model,
        dataset=dataset_of(data),
        checkpoint=checkpoint_for(document, target),
        weights=weights,
        wrapper=wrapper,
        training=asked,
    )


def wrapper_of(document: Document, base: Path, target: str | None = None) -> WrapperFacts | None:
    """What the source of the agent wrapper says; None where the file names none, or nothing is there."""
    from ...facts.wrapper import look_at_wrapper

    paths = paths_of(document, target)
    named = next((path for key, path in paths.items() if key.rpartition(".")[2] == WRAPPER_NAME), "")
    facts = look_at_wrapper(named, base) if named else None
    return facts if facts is not None and facts.problem != "missing" else None


def dataset_of(data: Mapping[str, DataFacts]) -> DatasetFacts | None:
    """What the training files hold, from the facts of each data file; None when nothing is known of them."""
    for key, found in data.items():
        if key.rpartition(".")[2] in ("train_files", "data_path") and not found.error and not found.reader:
            return DatasetFacts(found.columns or None, found.rows)
    return None


def data_files(document: Document, base: Path, target: str | None = None) -> Mapping[str, str]:
    """The data files that a file names: dotted key -> path to ask the training interpreter about."""
    return {
        key: _full(base, path)
        for key, path in paths_of(document, target).items()
        if key.rpartition(".")[2].partition("[")[0] in DATA_NAMES
    }


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file; never raises."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _full(base: Path, path: str) -> str:
    try:
        return str(base / Path(path).expanduser())
    except (RuntimeError, ValueError):  # a user that does not exist; a NUL in the name
        return str(base / path)


def with_versions(
    world: World, training: TrainingFacts | None, backend: str = "", verl: str = "", *, target: str = "verl"
) -> World:
    """The versions that were named, else those that the training interpreter has.

    For ``agentsdk`` the verl that is installed counts only beside AgentSDK: alone it is another one than AgentSDK's.
    """
    installed: Mapping[str, str] = {}
    if training is not None and not training.problem:
        installed = training.versions
    if target == "mindspeed-rl":
        own = next((installed[name] for name in _MINDSPEED if installed.get(name)), "")
        return replace(world, backend_version=backend or own or "", verl_version=verl)
    agentsdk = installed.get("agentic_rl") or installed.get("agentic-rl") or ""
    if target in ("verl", "local"):
        verl, backend = verl or backend, ""  # the target's own software is verl
    if not verl and (agentsdk or target != "agentsdk"):
        verl = installed.get("verl", "")
    if target == "ascendfactory":
        agentsdk = ""  # which has no part in what AscendFactory starts
    # The keys of the installed verl count where it is the one that will run, not where another version was named.
    declared = training.verl_keys if training is not None and verl and verl == installed.get("verl") else None
    return replace(world, backend_version=backend or agentsdk, verl_version=verl, verl_declared=declared)
