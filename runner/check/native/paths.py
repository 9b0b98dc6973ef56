"""Paths of a native file: only what verl itself needs to find, and only where it can be told from here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from ...catalogue import Level, Problem
from ..model_source import family_of, stands_in
from ..view import View

FILES = ("data.train_files", "data.val_files")
_MODELS = ("actor_rollout_ref.model.path", "critic.model.path", "reward.reward_model.model_path")


def paths_in(view: View) -> dict[str, str]:
    """Key as the file has it (``key[0]`` for an item of a list) -> path on this machine.

    Addresses (``hdfs://``), variables, ``~`` and repository names of models are left out: what they mean is decided
    elsewhere.
    """
    found: dict[str, str] = {}
    for key in (*FILES, *_MODELS):
        entry = view.entries.get(key)
        if entry is None or not entry.given:
            continue
        value: Any = entry.value
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            if isinstance(item, str) and _local(item, key in _MODELS):
                found[f"{entry.key}[{index}]" if isinstance(value, list) else entry.key] = item
    return found


def _local(path: str, model: bool) -> bool:
    if not path or "://" in path or "$" in path or path.startswith("~"):
        return False
    return path.startswith("/") if model else True


def check_paths(view: View) -> Iterator[Problem]:
    """Paths that lead nowhere; a relative one may exist where verl will be started."""
    for key, path in paths_in(view).items():
        facts = view.world.paths.get(key)
        if facts is None or facts.exists:
            continue
        level: Level = "error" if path.startswith("/") else "warning"
        place = view.document.place(key)
        if any(key == view.file_key(name) for name in _MODELS) and stands_in(view.document, view.launcher):
            params = {"path": path, "family": family_of(path)}
            yield Problem("hint", "model-stand-in", key, place.value_line or place.line, place.value_column, params)
            continue
        yield Problem(level, "path-missing", key, place.value_line or place.line, place.value_column, {"path": path})


def check_data(view: View) -> Iterator[Problem]:
    """The data files, where their content is known."""
    own = view.value("data.custom_cls.path") is not None
    needed = [
        view.text("data.prompt_key") or "prompt",
        view.text("data.reward_fn_key") or "data_source",
        "reward_model",
    ]
    for key in paths_in(view):
        facts = view.world.data.get(key)
        name = next((n for n in FILES if key.startswith(view.file_key(n))), "")
        if facts is None or not name:
            continue
        place = view.document.place(key)
        line, column = place.value_line or place.line, place.value_column
        if facts.error:
            params: dict[str, Any] = {"path": facts.path, "error": facts.error}
            yield Problem("error", "data-unreadable", key, line, column, params)
            continue
        names = {c.partition(".")[0] for c in facts.columns}
        for missing in [c for c in needed if names and c not in names and not own]:
            params = {"path": facts.path, "column": missing, "columns": list(facts.columns)}
            yield Problem("error", "data-column-missing", key, line, column, params)
        batch = (view.number("data.train_batch_size") or 1) if name == FILES[0] else 1
        if facts.rows is not None and facts.rows < batch and not isinstance(view.value(name), list):
            params = {"path": facts.path, "rows": facts.rows, "needed": batch}
            yield Problem("error", "data-empty", key, line, column, params)
