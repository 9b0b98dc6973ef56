"""The keys of a task that a wrapper reads without asking whether they are there."""

from __future__ import annotations

import ast

from .model import TaskRead
from .values import own_nodes

_METHOD = "generate_agent_trajectories_async"


def task_reads(tree: ast.Module) -> tuple[TaskRead, ...]:
    """``task["key"]`` where no ``in``, ``get``, ``try`` or assignment mentions the key elsewhere."""
    soft = _soft_keys(tree)
    guarded = {id(n) for t in ast.walk(tree) if isinstance(t, ast.Try) for b in t.body for n in ast.walk(b)}
    found: list[TaskRead] = []
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        certain = function.name == _METHOD
        names = _task_names(function) if certain else set[str]()
        likely = {a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg == "task"}
        for node in own_nodes(function):
            if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)) or id(node) in guarded:
                continue
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if not isinstance(key, str) or key in soft:
                continue
            owner = node.value
            of_list = certain and isinstance(owner, ast.Subscript) and _named(owner.value, {"tasks"})
            if of_list or _named(owner, names) or _named(owner, likely):
                found.append(TaskRead(key, node.lineno, of_list or _named(owner, names)))
    first: dict[str, TaskRead] = {}
    for one in found:
        if one.key not in first or (one.sure and not first[one.key].sure):
            first[one.key] = one
    return tuple(first.values())


def _named(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _soft_keys(tree: ast.Module) -> set[str]:
    """Keys that are asked for first, given a default, or set: ``in``, ``get``, ``task["k"] = ...``."""
    soft: set[str] = set()
    for node in ast.walk(tree):
        asked: ast.expr | None = None
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            asked = node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asked = node.args[0] if node.func.attr in ("get", "setdefault", "pop") and node.args else None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            asked = node.slice
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
            soft.add(asked.value)
    return soft


def _task_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names that run over ``tasks`` itself, and are bound to nothing else."""
    names: set[str] = set()
    other: dict[str, int] = {}
    for node in own_nodes(function):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            target, source = node.target, node.iter
            if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "enumerate":
                source = source.args[0] if source.args else source
                target = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
            if _named(source, {"tasks"}) and isinstance(target, ast.Name):
                names.add(target.id)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            other[node.id] = other.get(node.id, 0) + 1
    return set() if other.get("tasks") else {name for name in names if other.get(name, 0) <= 1}
