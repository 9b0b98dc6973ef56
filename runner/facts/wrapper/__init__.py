"""Reads the source of an agent wrapper and says what is in it; nothing is imported or executed."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from .classes import ModuleNames
from .habits import habits_of
from .imports import imports_of, stubs_of
from .methods import decorator_name
from .model import (
    ChatValue,
    Habit,
    Import,
    Member,
    Method,
    Parameter,
    Signature,
    TaskRead,
    TrajectoryCall,
    Value,
    WrapperClass,
    WrapperFacts,
)
from .source import PYTHON, read_source
from .tasks import task_reads
from .trajectories import trajectories_of


def look_at_wrapper(path: str, base: str | os.PathLike[str] = ".") -> WrapperFacts:
    """What the file at ``path`` holds (relative paths count from ``base``); never raises.

    What it says is exact where it is marked as sure. Modules beside the file are read too, as far as classes of them
    are used; no other file is.
    """
    try:
        place = Path(base, path).expanduser()
    except (RuntimeError, ValueError):
        place = Path(base, path)
    source = read_source(place)
    if source.tree is None:
        return WrapperFacts(path, source.problem, source.detail, source.line, PYTHON)
    try:
        return _facts(path, source.tree, place.parent)
    except RecursionError:
        return WrapperFacts(path, "too-deep", python=PYTHON)


def _facts(path: str, tree: ast.Module, folder: Path) -> WrapperFacts:
    names = ModuleNames(tree, folder)
    stubs, moves = stubs_of(tree)
    return WrapperFacts(
        path,
        python=PYTHON,
        members=names.members(),
        classes=tuple(names.classes),
        doubt=names.doubt or _doubt(tree, names),
        imports=imports_of(tree, folder),
        stubs=stubs,
        moves_path=moves,
        calls=tuple(trajectories_of(tree)),
        steps=any(isinstance(n, ast.Name) and n.id == "StepTrajectory" for n in ast.walk(tree)),
        task_keys=task_reads(tree),
        habits=tuple(sorted(habits_of(tree), key=lambda one: one.line)),
        lazy_dataclass=_lazy_dataclass(tree),
    )


def _doubt(tree: ast.Module, names: ModuleNames) -> str:
    """What may bring a subclass that reading does not show."""
    for name, bound in names.names.items():
        if bound.kind == "unknown":
            return name
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        name = node.func.id
        if name in ("exec", "eval", "globals", "setattr") or (name == "type" and len(node.args) == 3):
            return name
    return ""


def _lazy_dataclass(tree: ast.Module) -> int:
    """Line of a dataclass with fields in a file whose annotations are all texts (``from __future__``), else 0."""
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if not any(alias.name == "annotations" for node in future for alias in node.names):
        return 0
    for node in ast.walk(tree):
        if not (isinstance(node, ast.ClassDef) and any(isinstance(one, ast.AnnAssign) for one in node.body)):
            continue
        if any(decorator_name(decorator) == "dataclass" for decorator in node.decorator_list):
            return node.lineno
    return 0


__all__ = [
    "ChatValue",
    "Habit",
    "Import",
    "Member",
    "Method",
    "Parameter",
    "Signature",
    "TaskRead",
    "TrajectoryCall",
    "Value",
    "WrapperClass",
    "WrapperFacts",
    "look_at_wrapper",
]
