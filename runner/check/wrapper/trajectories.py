"""What is handed to ``Trajectory``: AgentSDK checks it when it is made and again when it is returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...catalogue import Level
from .setting import Mistake, Setting, mistake
from .words import kind_word

if TYPE_CHECKING:
    from ...facts.wrapper import TrajectoryCall, Value

FIELDS = (
    *("prompt_tokens", "response_tokens", "response_masks", "idx", "trajectory_reward", "chat_completions"),
    "metrics",
)
FIVE = frozenset(("steps", "reward_time", "env_time", "llm_time", "total_time"))
SEVEN = FIVE | {"toolcall_reward", "res_reward"}
_TIMES = FIVE - {"steps"}

_SCALARS = frozenset(("none", "bool", "comparison", "int", "float", "nan", "str", "bytes"))
_BOXES = frozenset(("list", "tuple", "dict", "set", "generator", "tokens"))
_TENSORS = frozenset(("tensor", "zeros"))
_NO_TENSOR = _SCALARS | _BOXES | {"array", "coroutine"}
_NO_NUMBER = frozenset(("none", "bool", "comparison", "str", "bytes", "array", "coroutine")) | _BOXES | _TENSORS
_REFUSED: Mapping[str, frozenset[str]] = {
    "prompt_tokens": _NO_TENSOR,
    "response_tokens": _NO_TENSOR,
    "response_masks": _NO_TENSOR,
    # A bool passes as an integer there.
    "idx": (_NO_NUMBER | {"float", "nan"}) - {"bool", "comparison"},
    "trajectory_reward": _NO_NUMBER,
    "chat_completions": _SCALARS | (_BOXES - {"list"}) | _TENSORS | {"array", "coroutine"},
    "metrics": _SCALARS | (_BOXES - {"dict"}) | _TENSORS | {"array", "coroutine"},
}
_TRUTHS = frozenset(("bool", "comparison"))


def judge_trajectories(setting: Setting) -> Iterator[Mistake]:
    """Every construction whose arguments are written out; nothing is said of what is computed."""
    for call in setting.facts.calls:
        if call.name == "Trajectory":
            yield from _fields(setting, call)
            for name, value in call.given.items():
                yield from _value(setting, name, value)
            yield from _chat(setting, call)
        yield from _metrics(setting, call)


def _fields(setting: Setting, call: TrajectoryCall) -> Iterator[Mistake]:
    unknown = [name for name in call.given if name not in FIELDS]
    lacking = [] if call.open else [name for name in FIELDS[:3] if name not in call.given]
    if unknown or lacking:
        yield mistake(setting, "error", "wrapper-trajectory-fields", call.line, names=lacking, more=unknown)


def _value(setting: Setting, name: str, value: Value) -> Iterator[Mistake]:
    level: Level = "error" if value.sure else "warning"
    refused = _REFUSED.get(name, frozenset[str]())
    negative = name == "idx" and value.number is not None and value.number < 0
    if value.kind in refused or negative:
        truth = name == "trajectory_reward" and value.kind in _TRUTHS
        reason = "truth" if truth else "tensor" if refused is _NO_TENSOR else ""
        params: dict[str, Any] = {"field": name, "got": "negative" if negative else kind_word(value.kind)}
        yield mistake(setting, level, "wrapper-trajectory-value", value.line, reason=reason, **params)
    elif name == "trajectory_reward" and value.kind == "nan":
        yield mistake(setting, "warning", "wrapper-reward-not-finite", value.line)
    elif name == "response_masks" and value.kind == "zeros" and value.sure:
        yield mistake(setting, "warning", "wrapper-mask-empty", value.line)


def _chat(setting: Setting, call: TrajectoryCall) -> Iterator[Mistake]:
    for one in call.chat:
        if one.value.kind in _SCALARS - {"str"} or one.value.kind in _BOXES:
            level: Level = "error" if one.value.sure else "warning"
            reason = "tools" if one.key == "tool_calls" else ""
            params: dict[str, Any] = {"field": one.key, "got": kind_word(one.value.kind), "reason": reason}
            yield mistake(setting, level, "wrapper-chat-value", one.value.line, **params)
            return


def _metrics(setting: Setting, call: TrajectoryCall) -> Iterator[Mistake]:
    metrics = call.metrics
    if metrics is None or not call.metrics_sure:
        return  # more may be put in later
    line = call.given["metrics"].line
    keys = frozenset(metrics)
    old = setting.generation == "A"
    wanted = FIVE if old else SEVEN
    lacking, more = sorted(wanted - keys), sorted(keys - wanted)
    reason = "five" if keys == FIVE else "seven" if keys == SEVEN else ""
    if lacking or more:
        # 26.0.0 refuses the five of 7.3.0; what stands in for AgentSDK under verl takes them.
        accepted = reason == "five" and not (setting.sdk and setting.generation == "C")
        level: Level = "warning" if accepted else "error"
        yield mistake(setting, level, "wrapper-metrics", line, names=lacking, more=more, reason=reason)
    for name, value in metrics.items():
        if not _fits(name, value):
            level = "error" if value.sure else "warning"
            got = "negative" if value.number is not None and value.number < 0 else kind_word(value.kind)
            yield mistake(setting, level, "wrapper-metric-value", value.line, field=name, got=got)


def _fits(name: str, value: Value) -> bool:
    """Whether the check of a metric lets a value pass (agentic_rl.base.utils.checker, 26.0.0)."""
    if name == "steps":
        refused = _NO_NUMBER | {"float", "nan"}
        return value.kind not in refused - _TRUTHS and not (value.number is not None and value.number < 0)
    if name in _TIMES:
        refused = _NO_NUMBER - {"none", "bool", "comparison"}
        return value.kind not in refused and not (value.number is not None and value.number < 0)
    return value.kind not in _NO_NUMBER if name in SEVEN else True
