"""Methods of a class as values."""

from __future__ import annotations

import ast

from .model import Method, Parameter, Signature, SuperCall
from .values import Function, Names, own_nodes, value_of

# Decorators that leave the signature as it is.
_HARMLESS = frozenset(("abstractmethod", "override", "final", "no_grad", "inference_mode"))
_BINDING = frozenset(("staticmethod", "classmethod"))


def decorator_name(node: ast.expr) -> str:
    """Last part of a decorator's name: ``torch.no_grad()`` is ``no_grad``."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def method_of(node: Function, coroutines: frozenset[str], file: str = "") -> Method:
    """A method as it is defined."""
    decorators = {decorator_name(one) for one in node.decorator_list}
    known = decorators <= _HARMLESS | _BINDING
    names = Names(node)
    inner = list(own_nodes(node))
    body = [one for one in node.body if not _is_text(one)]
    return Method(
        name=node.name,
        line=node.lineno,
        signature=_signature(node.args, static="staticmethod" in decorators) if known else None,
        is_async=isinstance(node, ast.AsyncFunctionDef) and known,
        is_generator=known and any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inner),
        abstract="abstractmethod" in decorators,
        trivial=all(isinstance(one, ast.Pass) for one in body),
        always_raises=bool(body)
        and isinstance(body[-1], ast.Raise)
        and not any(isinstance(one, ast.Return) for one in inner),
        returns=tuple(
            value_of(one.value or ast.Constant(None, lineno=one.lineno), names, coroutines)
            for one in inner
            if isinstance(one, ast.Return)
        ),
        super_calls=tuple(_super_calls(inner)),
        sets=tuple(dict.fromkeys(one.attr for one in inner if isinstance(one, ast.Attribute) and _sets_self(one))),
        file=file,
    )


def async_names(nodes: list[ast.stmt]) -> frozenset[str]:
    """Methods that are ``async def`` without a decorator that may change it."""
    return frozenset(
        one.name
        for one in nodes
        if isinstance(one, ast.AsyncFunctionDef)
        and {decorator_name(d) for d in one.decorator_list} <= _HARMLESS | _BINDING
        and not any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in own_nodes(one))
    )


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _signature(arguments: ast.arguments, *, static: bool) -> Signature:
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    found = [
        Parameter(one.arg, "position" if i < len(arguments.posonlyargs) else "both", i < first_default)
        for i, one in enumerate(positional)
    ]
    bound = static or bool(positional) or arguments.vararg is not None
    if not static and found:
        found = found[1:]
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(one.arg, "keyword", default is None))
    return Signature(tuple(found), arguments.vararg is not None, arguments.kwarg is not None, bound)


def _super_calls(nodes: list[ast.AST]) -> list[SuperCall]:
    """Calls of the base's constructor: ``super().__init__(...)`` or ``Base.__init__(self, ...)``."""
    found: list[SuperCall] = []
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"):
            continue
        through_super = isinstance(node.func.value, ast.Call)
        stars = any(isinstance(one, ast.Starred) for one in node.args)
        open_ = stars or any(word.arg is None for word in node.keywords)
        keywords = tuple(word.arg for word in node.keywords if word.arg is not None)
        found.append(SuperCall(node.lineno, len(node.args) - (0 if through_super else 1), keywords, open_))
    return found


def _sets_self(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"
