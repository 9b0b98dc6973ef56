"""The constructions of ``Trajectory``: what is passed, as far as it is written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from .classes import PACKAGES
from .model import ChatValue, TrajectoryCall, Value
from .values import Names, Scope, own_nodes, value_of

FIELDS: Mapping[str, tuple[str, ...]] = {
    "Trajectory": (
        *("prompt_tokens", "response_tokens", "response_masks", "idx", "trajectory_reward", "chat_completions"),
        "metrics",
    ),
    "StepTrajectory": (),
}


def trajectories_of(tree: ast.Module) -> Iterator[TrajectoryCall]:
    """Every construction in the file, in its order."""
    known = _imported(tree)
    if not known:
        return
    for scope in (tree, *(n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))):
        yield from _of_scope(scope, known)


def _imported(tree: ast.Module) -> dict[str, str]:
    """Name (or ``module.name``) in the file -> ``Trajectory`` or ``StepTrajectory`` of agentic_rl."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            if (node.module or "").partition(".")[0] != PACKAGES[0]:
                continue
            for alias in node.names:
                if alias.name in FIELDS:
                    found[alias.asname or alias.name] = alias.name
                elif alias.name == "*":
                    found.setdefault("Trajectory", "Trajectory")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == PACKAGES[0]:
                    found.update({f"{alias.asname or alias.name}.{name}": name for name in FIELDS})
    for node in ast.walk(tree):  # a class of that name in the file itself is another one
        if isinstance(node, ast.ClassDef):
            found.pop(node.name, None)
    return found


def _of_scope(scope: Scope, known: Mapping[str, str]) -> Iterator[TrajectoryCall]:
    names: Names | None = None
    for node in own_nodes(scope):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        name = known.get(ast.unparse(node.func))
        if name is None:
            continue
        names = names or Names(scope)
        yield _call(node, name, names)


def _call(node: ast.Call, name: str, names: Names) -> TrajectoryCall:
    fields = FIELDS[name]
    given: dict[str, tuple[ast.expr, bool]] = {}
    is_open = False
    for i, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            is_open = True
            break
        given[fields[i] if i < len(fields) else f"#{i + 1}"] = (argument, True)
    for word in node.keywords:
        if word.arg is not None:
            given[word.arg] = (word.value, True)
            continue
        pairs, sure = _written(word.value, names)
        if pairs is None:
            is_open = True
        else:
            is_open = is_open or not sure
            given.update({key: (value, sure) for key, value in pairs.items()})
    values = {key: _value(expression, sure, names) for key, (expression, sure) in given.items()}
    metrics, metrics_sure = None, True
    if "metrics" in given:
        pairs, metrics_sure = _written(given["metrics"][0], names)
        metrics_sure = metrics_sure and given["metrics"][1]
        metrics = {key: value_of(value, names) for key, value in pairs.items()} if pairs is not None else None
    chat = tuple(_chat(given["chat_completions"][0], names)) if "chat_completions" in given else ()
    return TrajectoryCall(name, node.lineno, values, is_open, metrics, metrics_sure, chat)


def _value(expression: ast.expr, sure: bool, names: Names) -> Value:
    value = value_of(expression, names)
    return value if sure else Value(value.kind, value.line, value.number, False, value.items)


def _written(node: ast.expr, names: Names) -> tuple[dict[str, ast.expr] | None, bool]:
    """Keys and values of a dictionary that is written out; None where it is not."""
    node, sure = names.resolve(node)
    if isinstance(node, ast.Dict):
        pairs: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return None, False
            pairs[key.value] = value
        return pairs, sure
    is_dict = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    if isinstance(node, ast.Call) and is_dict and not node.args and all(word.arg is not None for word in node.keywords):
        return {str(word.arg): word.value for word in node.keywords}, sure
    return None, False


def _chat(node: ast.expr, names: Names) -> Iterator[ChatValue]:
    """Values of the messages that are written out, in the list itself or appended to its name."""
    added = names.added.get(node.id, []) if isinstance(node, ast.Name) else []
    listed, sure = names.resolve(node)
    messages = listed.elts if isinstance(listed, ast.List) else []
    plain = not isinstance(node, ast.Name)
    for message in (*messages, *added):
        message, fixed = names.resolve(message)
        if isinstance(message, ast.Dict):
            for key, value in zip(message.keys, message.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    found = value_of(value, names)
                    certain = found.sure and fixed and plain and sure
                    yield ChatValue(key.value, Value(found.kind, found.line, found.number, certain))
