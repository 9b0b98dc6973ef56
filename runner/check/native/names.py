"""Keys that verl does not declare: another version's, a slip of the pen, or one that needs Hydra's ``+``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...catalogue import Edit, Level, Problem
from ...catalogue.nearest import closest
from ...native import VERL_VERSIONS, is_older_than_known, is_open, moved, of_other_trainer, verl_keys, versions_with
from ..view import View
from ..view_verl import engine_of
from .given import Given, composed
from .rename import called

_MOST_GUESSES = 40  # of a file full of strangers, more guesses help nobody and take time


def declared_keys(view: View) -> Mapping[str, Any]:
    """The keys that the verl in question declares: the installed one's when they are known."""
    engine = "megatron" if engine_of(view.entries) == "megatron" else "fsdp"
    installed = view.world.verl_declared
    if installed is not None and engine in installed:
        return installed[engine]
    return verl_keys(view.version, engine)


def check_names(view: View, given: Iterable[Given]) -> Iterator[Problem]:
    """Every key of the file against those that are declared."""
    declared = declared_keys(view)
    sections = _sections(tuple(declared))
    guesses = 0
    lenient = composed(view.document.values) or is_older_than_known(view.world.verl_version)
    # Another engine, or another part chosen from Hydra's config groups: keys that are not known here.
    stranger = engine_of(view.entries) not in ("fsdp", "megatron") or any("@" in key for key in view.entries)
    for one in given:
        known = one.name in declared or one.name in sections or one.name == "model_engine"
        # Hydra appends to what is null so far, and merges mappings and lists.
        if one.sign == "+" and _taken(declared.get(one.name)) and not isinstance(one.value, (list, dict)):
            level: Level = "warning" if lenient else "error"
            yield _problem(view, level, "native-plus-unneeded", one, {"better": one.name}, called(view, one, one.name))
        if known or one.sign in ("+", "++") or of_other_trainer(one.name):
            continue
        if _open(one.name, declared) and not _moved_away(one.name, view.version, declared):
            continue
        if stranger:
            continue
        guesses += 1
        yield _undeclared(view, one, declared, "warning" if lenient else "error", guess=guesses <= _MOST_GUESSES)


def _taken(default: Any) -> bool:
    return default is not None and str(default) not in ("None", "'???'", "???")


@lru_cache(maxsize=8)
def _sections(keys: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    for key in keys:
        parts = key.split(".")
        found.update(".".join(parts[:length]) for length in range(1, len(parts)))
    return frozenset(found)


def _open(name: str, declared: Mapping[str, Any]) -> bool:
    """Whether the key stands in a mapping that takes anything: an empty one, or one that is null at first."""
    if is_open(name):
        return True
    parent = name.rpartition(".")[0]
    while parent:
        if parent in declared:
            default = declared[parent]
            return (
                default is None or default == {} or str(default).strip("'\"") in ("{}", "None") or "{}" in str(default)
            )
        parent = parent.rpartition(".")[0]
    return False


def _moved_away(name: str, version: str, declared: Mapping[str, Any]) -> bool:
    """Whether the whole section that takes anything stands elsewhere in this version (``ray_init`` since 0.6)."""
    move = moved(name, version)
    return move is not None and move.name != name and move.name in declared


def _undeclared(view: View, one: Given, declared: Mapping[str, Any], level: Level, *, guess: bool) -> Problem:
    move = moved(one.name, view.version)
    prefix = one.key.removesuffix(one.name)
    if move is not None and move.name != one.name and (move.name in declared or not declared):
        edits = called(view, one, move.name)
        params = {"name": prefix + move.name, "version": view.version, "since": move.since}
        return _problem(view, level, "native-key-moved", one, params, edits)
    versions = versions_with(one.name)
    if versions:
        params = {"versions": _span(versions), "version": view.version}
        return _problem(view, level, "native-key-of-other-version", one, params)
    near = nearest(one.name, declared) if guess else ""
    params: dict[str, Any] = {"version": view.version}
    edits: tuple[Edit, ...] = ()
    if near:
        params["nearest"] = prefix + near
        edits = called(view, one, near) if _sure(one.name, near, declared) else ()
    return _problem(view, level, "native-key-unknown", one, params, edits)


_GENERAL = ("data", "trainer", "algorithm")  # sections of the whole run; the others belong to a role each


def _sure(name: str, near: str, declared: Iterable[str]) -> bool:
    """Whether the nearest key is what was meant: one slip in one part, or the only key of that name for the run."""
    old, new = name.split("."), near.split(".")
    differing = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(old) == len(new) and len(differing) == 1 and closest(differing[0][0], [differing[0][1]], limit=1):
        return True
    if old[-1] != new[-1] or old[0] not in _GENERAL or new[0] not in _GENERAL:
        return False
    return [key.rpartition(".")[2] for key in declared].count(new[-1]) == 1


def nearest(name: str, declared: Iterable[str]) -> str:
    """The declared key that a person may have meant: a slip in the last part, or the right part elsewhere."""
    parent, _, last = name.rpartition(".")
    keys = list(declared)
    siblings = [key for key in keys if key.rpartition(".")[0] == parent]
    found = closest(last, [key.rpartition(".")[2] for key in siblings], limit=1)
    if found:
        return f"{parent}.{found[0]}" if parent else found[0]
    elsewhere = [key for key in keys if key.rpartition(".")[2] == last]
    if elsewhere:
        same = name.split(".")
        return max(elsewhere, key=lambda key: len(set(same) & set(key.split("."))))
    parts = name.split(".")
    for position, part in enumerate(parts[:-1]):  # a slip in a section's name
        level = ".".join(parts[:position])
        names = {key.split(".")[position] for key in keys if key.startswith(level) and key.count(".") > position}
        if part not in names:
            for candidate in closest(part, sorted(names), limit=1):
                fixed = ".".join([*parts[:position], candidate, *parts[position + 1 :]])
                return fixed if fixed in keys else ""
            break
    found = closest(last, [key.rpartition(".")[2] for key in keys if key.partition(".")[0] == parts[0]], limit=1)
    return next((key for key in keys if found and key.rpartition(".")[2] == found[0]), "")


def _span(versions: list[str]) -> str:
    """Versions in words, with the gaps between them."""
    runs: list[list[str]] = []
    for version in VERL_VERSIONS:
        if version not in versions:
            runs.append([])
        elif runs:
            runs[-1].append(version)
        else:
            runs.append([version])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} - {run[-1]}" for run in runs if run)


def _problem(
    view: View, level: Level, code: str, one: Given, params: Mapping[str, Any], edits: tuple[Edit, ...] = ()
) -> Problem:
    place = view.document.place(one.key)
    return Problem(level, code, one.key, place.line, place.column, dict(params), edits)
