"""The modules that a file imports, and where: always, in a function, or where a failure does no harm."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from .model import Import, Place

_FORGIVING = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException", "OSError"))


def walk(tree: ast.Module) -> Iterator[tuple[ast.AST, Place]]:
    """Every node with the place it stands at; what only type checkers or a direct start see is left out."""

    def visit(node: ast.AST, place: Place) -> Iterator[tuple[ast.AST, Place]]:
        yield node, place
        if isinstance(node, ast.Try):
            inner = "guarded" if any(_forgives(handler) for handler in node.handlers) else place
            for child in node.body:
                yield from visit(child, inner)
            for child in (*node.handlers, *node.orelse, *node.finalbody):
                yield from visit(child, "guarded" if isinstance(child, ast.ExceptHandler) else place)
            return
        if isinstance(node, ast.If):
            if _never_run(node.test):
                for child in node.orelse:
                    yield from visit(child, place)
                return
            for child in (node.test, *node.body, *node.orelse):
                yield from visit(child, "conditional" if place == "top" else place)
            return
        if isinstance(node, (ast.With, ast.AsyncWith)) and any("suppress" in ast.dump(one) for one in node.items):
            place = "guarded"
        for child in ast.iter_child_nodes(node):
            in_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from visit(child, "function" if in_function and place != "guarded" else place)

    for statement in tree.body:
        yield from visit(statement, "top")


def imports_of(tree: ast.Module, folder: Path) -> tuple[Import, ...]:
    """All imports, in the order of the file."""
    found: list[Import] = []
    for node, place in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.append(Import(alias.name, node.lineno, place, beside=_beside(folder, alias.name)))
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            module = node.module or ""
            found.append(Import(module, node.lineno, place, node.level, names, _beside(folder, module or names[0])))
    return tuple(found)


def stubs_of(tree: ast.Module) -> tuple[frozenset[str], bool]:
    """Modules that the file puts into ``sys.modules`` itself; whether it changes how modules are found."""
    stubs: set[str] = set()
    moves = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is(node.value, "sys", "modules"):
            name = node.slice.value if isinstance(node.slice, ast.Constant) else None
            moves = moves or not isinstance(name, str)
            if isinstance(name, str):
                stubs.add(name.partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            moves = moves or _moves(node.func)
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            moves = moves or any(_is(one, "sys", "path") for target in targets for one in ast.walk(target))
    return frozenset(stubs), moves


def _moves(called: ast.Attribute) -> bool:
    owner, name = called.value, called.attr
    if _is(owner, "sys", "modules"):
        return name in ("setdefault", "update")
    return _is(owner, "sys", "path") or _is(owner, "sys", "meta_path") or name == "addsitedir"


def _is(node: ast.AST, owner: str, name: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and (node.value.id == owner)
    )


def _beside(folder: Path, module: str) -> bool:
    top = module.partition(".")[0]
    try:
        return bool(top) and ((folder / f"{top}.py").is_file() or (folder / top).is_dir())
    except OSError:
        return False


def _forgives(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(one, ast.Name) and one.id in _FORGIVING for one in types)


def _never_run(test: ast.expr) -> bool:
    """``if TYPE_CHECKING`` and ``if __name__ == "__main__"``: AgentSDK runs neither."""
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__":
        return True
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"
