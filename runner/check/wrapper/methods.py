"""The methods of the wrapper class: how AgentSDK calls them, and what they give back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .setting import CONSTRUCTOR, GENERATE, Mistake, Setting, mistake
from .source import only
from .words import kind_word

if TYPE_CHECKING:
    from ...facts.wrapper import Method, Signature

# Values that are certainly no list of trajectories.
_NO_LIST = frozenset(
    ("none", "bool", "int", "float", "str", "bytes", "tuple", "dict", "set", "generator", "array", "tensor", "zeros")
)
_NO_TRAJECTORY = _NO_LIST | {"list", "tokens"}
_BASE_NEEDS = CONSTRUCTOR[:3]


def judge_methods(setting: Setting) -> Iterator[Mistake]:
    """``initialize`` and ``generate_agent_trajectories_async``."""
    for member in only(setting):
        initialize = member.cls.methods.get("initialize")
        if initialize is not None:
            if initialize.is_async:
                level = "warning" if initialize.trivial else "error"
                yield _at(setting, level, "wrapper-initialize-async", initialize)
            yield from _call(setting, initialize, 0)
        generate = member.cls.methods.get(GENERATE)
        if generate is None:
            continue
        yield from _call(setting, generate, 1)
        if generate.is_async:
            yield _at(setting, "error", "wrapper-async", generate)
        elif generate.is_generator:
            yield _at(setting, "error", "wrapper-yields", generate)
        elif generate.signature is not None:
            yield from _returns(setting, generate)


def _call(setting: Setting, method: Method, count: int) -> Iterator[Mistake]:
    """It is called with its tasks as the one positional argument, or with none."""
    signature = method.signature
    if signature is None:
        return
    positional = [one for one in signature.parameters if one.by != "keyword"]
    needed = [one.name for one in positional if one.required][count:]
    needed += [one.name for one in signature.parameters if one.by == "keyword" and one.required]
    too_few = len(positional) < count and not signature.rest
    if not signature.bound or too_few:
        reason = "no-self" if not signature.bound or not _has_self(signature, count) else ""
        yield _at(setting, "error", "wrapper-signature", method, names=["tasks"] if count else [], reason=reason)
    elif needed:
        yield _at(setting, "error", "wrapper-signature", method, names=needed, reason="needs-more")


def _has_self(signature: Signature, count: int) -> bool:
    return bool(signature.parameters) or count == 0


def _returns(setting: Setting, method: Method) -> Iterator[Mistake]:
    if not method.returns:
        if not method.always_raises or method.trivial:
            yield _at(setting, "error", "wrapper-returns", method, got=kind_word("none"))
        return
    wrong = [value for value in method.returns if value.kind in _NO_LIST | {"coroutine", "comparison"}]
    for value in wrong[:1]:
        level = "error" if len(wrong) == len(method.returns) and value.sure else "warning"
        code = "wrapper-returns-coroutine" if value.kind == "coroutine" else "wrapper-returns"
        yield mistake(setting, level, code, value.line, method.file, method=method.name, got=kind_word(value.kind))
    for value in method.returns:
        bad = next((kind for kind in value.items if kind in _NO_TRAJECTORY), None)
        if bad is not None:
            level = "error" if len(method.returns) == 1 and value.sure else "warning"
            params: dict[str, Any] = {"method": method.name, "got": kind_word(bad)}
            yield mistake(setting, level, "wrapper-returns-items", value.line, method.file, **params)
            return


def judge_constructor(setting: Setting) -> Iterator[Mistake]:
    """An own constructor takes AgentSDK's keywords and hands them on."""
    for member in only(setting):
        method = member.cls.methods.get("__init__")
        if method is None:
            continue
        if method.is_async:
            yield _at(setting, "error", "wrapper-constructor-async", method)
            continue
        signature = method.signature
        if signature is not None:
            taken = {one.name for one in signature.parameters if one.by != "position"}
            lacking = [] if signature.keywords else [name for name in CONSTRUCTOR if name not in taken]
            more = [one.name for one in signature.parameters if one.required and one.name not in CONSTRUCTOR]
            early = setting.generation in ("A", "B")  # it is not known that these pass max_steps
            level = "warning" if early and lacking == ["max_steps"] and not more else "error"
            if lacking or more:
                yield _at(setting, level, "wrapper-constructor", method, names=lacking, more=more)
        if member.cls.direct:
            yield from _super(setting, method)


def _super(setting: Setting, method: Method) -> Iterator[Mistake]:
    if not method.super_calls and "tokenizer" not in method.sets:
        yield _at(setting, "warning", "wrapper-no-super", method)
    if len(method.super_calls) != 1:
        return  # of several one runs; which one, the source does not tell
    (call,) = method.super_calls
    unknown = [name for name in call.keywords if name not in CONSTRUCTOR]
    given = {*CONSTRUCTOR[: call.positional], *call.keywords}
    lacking = [] if call.open else [name for name in _BASE_NEEDS if name not in given]
    if unknown or lacking:
        params: dict[str, Any] = {"names": lacking, "more": unknown}
        yield mistake(setting, "error", "wrapper-super", call.line, method.file, **params)


def _at(setting: Setting, level: str, code: str, method: Method, **params: Any) -> Mistake:
    grave = "error" if level == "error" else "warning"
    return mistake(setting, grave, code, method.line, method.file, method=method.name, **params)
