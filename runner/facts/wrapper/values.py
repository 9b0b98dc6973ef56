"""What an expression gives, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from .model import Value

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
Scope: TypeAlias = "ast.Module | ast.FunctionDef | ast.AsyncFunctionDef"

_CONSTANTS: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes", type(None): "none"}
_TENSORS = frozenset(("tensor", "as_tensor", "LongTensor", "from_numpy", "cat", "stack", "ones", "ones_like", "arange"))
_ZEROS = frozenset(("zeros", "zeros_like"))
_ARRAYS = frozenset(("array", "asarray", "zeros", "ones", "arange", "concatenate", "full"))
_CASTS = {name: name for name in ("bool", "str", "float", "int", "list", "tuple", "dict", "set")}
_CASTS.update(repr="str", len="int")
_LITERALS: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Tuple: "tuple", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.GeneratorExp: "generator", ast.JoinedStr: "str",
}  # fmt: skip
_COMPARES_OBJECTS = (ast.Is, ast.IsNot, ast.In, ast.NotIn)  # these give a bool, whatever is compared


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function or module but those of the functions, lambdas and classes inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting[:0] = ast.iter_child_nodes(node)


class Names:
    """The names of one function that are bound exactly once, by a plain assignment, and what became of them."""

    def __init__(self, scope: Scope) -> None:
        self.bound: dict[str, ast.expr] = {}
        self.touched: set[str] = set()  # changed in place: an item set, or a method called that changes it
        self.added: dict[str, list[ast.expr]] = {}  # what is appended to a list
        count: dict[str, int] = {}
        if not isinstance(scope, ast.Module):
            given = scope.args
            for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if one is not None:
                    count[one.arg] = 2
        for node in own_nodes(scope):
            self._read(node, count)
        for name, times in count.items():
            if times != 1:
                self.bound.pop(name, None)

    def _read(self, node: ast.AST, count: dict[str, int]) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.bound[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self.bound[node.target.id] = node.value
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if isinstance(node.value, ast.Name):
                self.touched.add(node.value.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            called = node.func.attr
            if called == "append" and len(node.args) == 1:
                self.added.setdefault(name, []).append(node.args[0])
            elif called in ("update", "setdefault", "pop", "clear", "extend", "insert", "popitem", "remove"):
                self.touched.add(name)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            count[node.id] = count.get(node.id, 0) + 1
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            count[node.target.id] = 2

    def resolve(self, node: ast.expr) -> tuple[ast.expr, bool]:
        """The expression behind a name, and whether nothing changed it afterwards."""
        sure, seen = True, 0
        while isinstance(node, ast.Name) and node.id in self.bound and seen < 8:
            sure = sure and node.id not in self.touched and node.id not in self.added
            node, seen = self.bound[node.id], seen + 1
        return node, sure


def value_of(node: ast.expr, names: Names, coroutines: frozenset[str] = frozenset()) -> Value:
    """What an expression gives; ``coroutines`` are the methods of the class that are ``async def``."""
    where = node.lineno
    node, sure = names.resolve(node)
    if isinstance(node, ast.IfExp):
        one, other = value_of(node.body, names, coroutines), value_of(node.orelse, names, coroutines)
        return one if one.kind == other.kind else Value("unknown", where)
    kind, number = _kind(node, names, coroutines)
    items: tuple[str, ...] = ()
    if isinstance(node, ast.List):
        items = tuple(value_of(item, names, coroutines).kind for item in node.elts[:50])
    elif isinstance(node, ast.ListComp):
        items = (_kind(node.elt, names, coroutines)[0],)
    return Value(kind, where, number, sure, items)


def _kind(node: ast.expr, names: Names, coroutines: frozenset[str]) -> tuple[str, float | None]:
    if isinstance(node, ast.Constant):
        kind = _CONSTANTS.get(type(node.value), "unknown")
        number = float(node.value) if isinstance(node.value, (int, float)) and abs(node.value) < 1e300 else None
        return kind, number
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            return "bool", None
        kind, number = _kind(node.operand, names, coroutines)
        if kind in ("int", "float", "nan"):
            return kind, -number if number is not None and isinstance(node.op, ast.USub) else number
        return "unknown", None
    if isinstance(node, ast.Compare):
        plain = all(isinstance(op, _COMPARES_OBJECTS) for op in node.ops) or _plain_comparison(node)
        return ("bool" if plain else "comparison"), None
    if isinstance(node, ast.Attribute):
        return ("nan" if node.attr in ("nan", "NaN") else "unknown"), None
    if isinstance(node, ast.Call):
        return _call(node, coroutines), None
    return _LITERALS.get(type(node), "unknown"), None


def _plain_comparison(node: ast.Compare) -> bool:
    """Whether a text that is written out is compared, which no array does."""
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (node.left, *node.comparators))


def _call(node: ast.Call, coroutines: frozenset[str]) -> str:
    function = node.func
    if isinstance(function, ast.Name):
        text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if function.id == "float" and isinstance(text, str):
            return "nan" if text.strip().lower().lstrip("+-") in ("nan", "inf", "infinity") else "float"
        return _CASTS.get(function.id, "unknown")
    if not isinstance(function, ast.Attribute):
        return "unknown"
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner == "self" and function.attr in coroutines:
        return "coroutine"
    if owner == "torch":
        return "tensor" if function.attr in _TENSORS else "zeros" if function.attr in _ZEROS else "unknown"
    if owner in ("np", "numpy"):
        return "array" if function.attr in _ARRAYS else "unknown"
    tensors = any(word.arg in ("return_tensors", None) for word in node.keywords)
    if function.attr == "encode" and _is_tokenizer(function.value) and not tensors:
        return "tokens"
    return "unknown"


def _is_tokenizer(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id == "tokenizer") or (
        isinstance(node, ast.Attribute) and node.attr == "tokenizer"
    )
