"""What a start of MindSpeed-RL asks beside others: its source tree, what was saved, the data; and the set it writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...backends.mindspeed import CONFIG, FOLDER, DataState, MindSpeedFacts, MindSpeedFile
from ...backends.mindspeed.facts import version_of_tree
from ...backends.plan import Plan
from ...backends.request import Request
from ...catalogue import Problem
from ...document import Document, parse_document
from ...facts.mindspeed_tree import MindSpeedTree, find_mindspeed
from ...facts.tools import Tool
from ...native.mindspeed_agentsdk import natives
from ...native.shape import native_backend

if TYPE_CHECKING:
    from ...check import World
    from ...facts.paths import PathFacts
    from ...facts.training import TrainingFacts

NAME = "mindspeed-rl"
OF_VERL = frozenset(("no-effect-backend",))  # remarks of a direct start that speak of verl alone


def find_tree(training: TrainingFacts, workdir: Path, config: Path | None) -> MindSpeedTree | None:
    """MindSpeed-RL's repository, where a person would expect it to be found."""
    return find_mindspeed(os.environ, workdir, config, training.places)


def tool_of(tree: MindSpeedTree | None) -> Mapping[str, Tool]:
    """The repository as a back end's program."""
    if tree is None:
        return {}
    return {NAME: Tool(NAME, tree.root, version=version_of_tree(tree))}


def with_mindspeed(request: Request, document: Document, tree: MindSpeedTree | None, fresh: bool) -> Request:
    """The request with the facts that only this back end asks for."""
    from ...facts.machine import look_at_machine
    from ...facts.megatron import look_at_megatron

    asked = MindSpeedFile(document)
    base = Path(tree.root) if asked.own and tree is not None else request.base
    experiment = ""
    if fresh:
        number = 2
        while asked.checkpoint_directory(request.workdir, base, f"{number}-{number}").exists():
            number += 1
        first = asked.checkpoint_directory(request.workdir, base)
        experiment = f"{asked.names()[1]}-{number}" if asked.save() and first.exists() else ""
    saved = asked.checkpoint_directory(request.workdir, base, experiment) if asked.save() else None
    facts = MindSpeedFacts(
        tree,
        request.environment,
        saved=look_at_megatron(saved) if saved is not None else None,
        data=data_state(base / Path(asked.train_file()).expanduser()) if asked.train_file() else "unknown",
        npus=look_at_machine().devices,
    )
    return replace(request, experiment=experiment, mindspeed=facts)


def data_state(path: Path) -> DataState:
    """Whether a path is the prefix of packed files, or a file of records that only AgentSDK reads."""
    try:
        if any(path.parent.glob(f"{path.name}_packed_*_document.idx")):
            return "packed"
        return "json" if path.is_file() and path.suffix in (".json", ".jsonl") else "unknown"
    except (OSError, ValueError):
        return "unknown"


def without_prefixes(paths: Mapping[str, PathFacts]) -> Mapping[str, PathFacts]:
    """The paths without those that are prefixes of packed files, which are no paths of their own."""
    return {
        key: facts
        for key, facts in paths.items()
        if not key.endswith("data_path") or facts.exists or data_state(Path(facts.path)) != "packed"
    }


def judge_written(plan: Plan, document: Document, world: World) -> tuple[Problem, ...]:
    """Errors of the set that is written for MindSpeed-RL from another software's file, under that file's names.

    Its own files are judged as they stand; what is written from them differs in paths and resume alone.
    """
    from ...check import check_document

    if plan.backend != NAME or native_backend(document.values):
        return ()
    models = [text for name, text in plan.files.items() if name.startswith(f"{FOLDER}/model/")]
    inner = "".join(f"  {line}\n" for text in models for line in text.splitlines())
    written = parse_document(f"{plan.files[f'{FOLDER}/{CONFIG}.yaml']}\nmodel:\n{inner}")
    judged = check_document(written, replace(world, backend_version=plan.backend_version), NAME)
    names = {native: key for key, native in natives().items()}
    found: list[Problem] = []
    for problem in judged:
        if problem.level == "error":
            key = names.get(problem.key, "")
            place = document.place(key)
            params = {name: names.get(str(value), value) for name, value in problem.params.items()}
            found.append(replace(problem, key=key, line=place.line, column=place.column, params=params, edits=()))
    return tuple(found)
