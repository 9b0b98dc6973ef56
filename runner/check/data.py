"""Data sets: the columns that the back end reads, and whether there is anything to train on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from ..catalogue import Level, Problem
from .case import Case

if TYPE_CHECKING:
    from ..facts.training import DataFacts

# verl's dataset and reward manager (its prompt_key and reward_fn_key keep their defaults under AgentSDK).
_VERL_COLUMNS = ("prompt", "data_source", "reward_model.ground_truth")
# What AgentSDK's verl adapter makes a task of, beside the ground truth (facts/agentsdk.md 4).
_AGENTSDK_COLUMNS = ("extra_info.question", "extra_info.index")


def check_data(case: Case) -> Iterator[Problem]:
    """The data files of the back end in use, where their content is known."""
    for key in ("verl.train_files", "verl.val_files", "mindspeed_rl.data_path", "mindspeed_rl.test_data_path"):
        found = case.found.get(key)
        facts = case.world.data.get(found.key) if found is not None else None
        if found is None or facts is None or not case.used(key):
            continue
        yield from _file(case, key, found.key, facts)


def _file(case: Case, key: str, file_key: str, facts: DataFacts) -> Iterator[Problem]:
    path = case.value(key)
    if facts.error:
        yield case.problem("error", "data-unreadable", file_key, {"path": path, "error": facts.error})
        return
    if facts.reader:
        yield case.problem("hint", "data-not-read", file_key, {"path": path, "module": facts.reader})
        return
    wanted = "parquet" if key.startswith("verl.") else "JSON"
    if facts.format and (facts.format == "parquet") != (wanted == "parquet"):
        # verl itself has learned to read JSON; the one inside AgentSDK has not.
        level: Level = "warning" if case.target != "agentsdk" else "error"
        params = {"path": path, "expected_format": wanted, "found_format": facts.format}
        yield case.problem(level, "data-format", file_key, params)
        if level == "error":
            return
    for column in _needed(case, key):
        if facts.columns and not _has(facts.columns, column):
            params = {"path": path, "column": column, "columns": list(facts.columns)}
            related = ("dataset_additional_keys",) if key.startswith("mindspeed_rl.") else ()
            yield case.problem("error", "data-column-missing", file_key, params, related=related)
    yield from _rows(case, key, file_key, facts)


def _has(columns: tuple[str, ...], column: str) -> bool:
    """Whether a column is there; inside one whose fields are not known (a map, a JSON text) it may be."""
    parent = column.partition(".")[0]
    opaque = parent != column and parent in columns and not any(name.startswith(f"{parent}.") for name in columns)
    return column in columns or opaque


def _needed(case: Case, key: str) -> list[str]:
    if key.startswith("verl."):
        return [*_VERL_COLUMNS, *(_AGENTSDK_COLUMNS if case.target == "agentsdk" else ())]
    extra = case.value("dataset_additional_keys")
    items = cast("list[Any]", extra) if isinstance(extra, list) else []
    return [item for item in items if isinstance(item, str)]


def _rows(case: Case, key: str, file_key: str, facts: DataFacts) -> Iterator[Problem]:
    if facts.rows is None:
        return
    needed = case.number("verl.train_batch_size") if key == "verl.train_files" else None
    if facts.rows < (needed or 1):
        params: dict[str, Any] = {"path": case.value(key), "rows": facts.rows, "needed": needed or 1}
        related = ("verl.train_batch_size",) if needed else ()
        yield case.problem("error", "data-empty", file_key, params, related=related)
