"""A row of a dump -> a trajectory: verl 0.4 to 0.9, the wrapper bridge's fields, and lists of messages.

verl writes ``input, output, score, step`` (and ``gts`` from 0.6 on), then every ``reward_extra_info`` that has a value
for each sample; its V1 trainer adds ``uid`` as ``prompt_rollout_output``. The bridge's fields are in docs/contracts.md.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .rollout_turns import calls_in, turns_of
from .rollout_types import Rollout, Times, Turn

Row = Mapping[str, Any]

_UID = re.compile(r"(?P<prompt>.+)_\d+_\d+$")
_TEXTS = frozenset({"input", "prompt", "output", "response", "completion", "gts", "ground_truth"})
_SCORES = frozenset(
    {"score", "reward", "step", "global_step", "index", "steps", "num_turns", "__num_turns__", "turns", "time"}
)
_COUNTS = frozenset({"prompt_tokens", "response_tokens", "trained_tokens"})
_NAMES = frozenset({"uid", "session", "request_id", "task", "task_id", "data_source"}) | _COUNTS
_REST = frozenset({"validate", "validation", "messages", "metrics", "trajectory", "conversations", "chat_completions",
                   "problem"})  # fmt: skip
_KNOWN = _TEXTS | _SCORES | _NAMES | _REST
_METRICS = ("steps", "llm_time", "env_time", "reward_time", "total_time", "toolcall_reward", "res_reward")
_LISTS = ("traj_messages", "messages", "conversations", "chat_completions", "trajectory")
_LONGEST_INFO = 4000


def rollout_of(row: Row, step: int = -1, validation: bool = False) -> Rollout:
    """The trajectory of a row; whatever is missing or of an odd type is left out, never refused.

    Args:
        row: a JSON object.
        step: of the file's name, for rows that don't say it.
        validation: what the file's folder says.
    """
    own = _messages(row)
    prompt, response = _text(row, "input", "prompt"), _text(row, "output", "response", "completion")
    turns = own or turns_of(prompt, response)
    if own and not (prompt or response):
        prompt = "\n".join(one.text for one in _before(own))
        response = "\n".join(one.text for one in own[len(_before(own)) :])
    metrics = _metrics(row)
    known = bool(own) or any(one.role and one.model for one in turns)
    steps = _whole(metrics.get("steps"))
    if steps is None and known:
        steps = sum(one.model for one in turns)
    reward = _number(row.get("score"))
    given: Any = row.get("validate", row.get("validation"))
    truth: Any = row.get("gts", row.get("ground_truth"))
    told = _whole(_number(row.get("step", row.get("global_step"))))
    return Rollout(
        step=step if told is None else told,
        group=_group(row, prompt),
        prompt=prompt,
        response=response,
        turns=turns,
        reward=_number(row.get("reward")) if reward is None else reward,
        parts=_parts(row, metrics),
        steps=steps,
        tool_calls=_calls_of(turns) if known else None,
        times=Times(*(_seconds(metrics.get(name)) for name in ("llm_time", "env_time", "reward_time", "total_time"))),
        validation=given if isinstance(given, bool) else validation,
        ground_truth="" if truth is None else _short(truth),
        info=_info(row),
        problem=_problem(row.get("problem")),
    )


def _problem(told: Any) -> str:
    """Why the bridge dropped a trajectory: the rule and what was wrong."""
    if not isinstance(told, Mapping):
        return told if isinstance(told, str) else ""
    parts = cast("Row", told)
    return ": ".join(str(parts[name]) for name in ("rule", "message") if parts.get(name))


def words_of(row: Row) -> str:
    """All text of a trajectory, to search in; much cheaper than its turns."""
    own = _messages(row)
    if own:
        return "\n".join(one.text for one in own)
    return f"{_text(row, 'input', 'prompt')}\n{_text(row, 'output', 'response', 'completion')}"


def _group(row: Row, prompt: str) -> str:
    uid: Any = row.get("uid")
    if isinstance(uid, str) and uid:
        found = _UID.match(uid)
        return found["prompt"] if found else uid
    return f"{len(prompt)}:{hash(prompt)}"


def _text(row: Row, *names: str) -> str:
    for name in names:
        value: Any = row.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return "\n".join(one.text for one in _turns(cast("list[Any]", value)))
    return ""


def _messages(row: Row) -> tuple[Turn, ...]:
    for name in _LISTS:
        value: Any = row.get(name)
        if isinstance(value, str) and value[:1] in "[{":
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                continue
        if isinstance(value, list) and (turns := _turns(cast("list[Any]", value))):
            return turns
    return ()


def _turns(messages: Sequence[Any]) -> tuple[Turn, ...]:
    """Messages as chat interfaces write them; those of the prompt are not the model's."""
    turns: list[Turn] = []
    for one in messages:
        if not isinstance(one, Mapping):
            continue
        message = cast("Row", one)
        role = str(message.get("role") or message.get("from") or "")
        role = {"human": "user", "gpt": "assistant", "observation": "tool"}.get(role, role)
        content = _content(message.get("content", message.get("value")))
        text = "\n".join(part for part in (content, *_calls(message.get("tool_calls"))) if part)
        mark: Any = message.get("model")
        turns.append(Turn(role, text, mark if isinstance(mark, bool) else role == "assistant"))
    return tuple(turns)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts of several kinds
        parts = [cast("Row", one) for one in cast("list[Any]", content) if isinstance(one, Mapping)]
        return "\n".join(str(one.get("text") or f"[{one.get('type', 'part')}]") for one in parts)
    return "" if content is None else _short(content)


def _calls_of(turns: Sequence[Turn]) -> int:
    """Calls that the model wrote in a known form, or the answers of tools where there are more of them."""
    return max(sum(calls_in(one.text) for one in turns if one.model), sum(one.role == "tool" for one in turns))


def _calls(calls: Any) -> list[str]:
    found: list[str] = []
    for one in cast("list[Any]", calls) if isinstance(calls, list) else []:
        call = cast("Row", one) if isinstance(one, Mapping) else {"function": one}
        found.append(f"<tool_call>\n{_short(call.get('function', call))}\n</tool_call>")
    return found


def _before(turns: Sequence[Turn]) -> Sequence[Turn]:
    first = next((place for place, one in enumerate(turns) if one.model), len(turns))
    return turns[:first]


def _metrics(row: Row) -> dict[str, float]:
    """The seven metrics of AgentSDK's trajectories, from ``metrics`` or from ``traj_*``."""
    inner: Any = row.get("metrics")
    nested: Row = cast("Row", inner) if isinstance(inner, Mapping) else {}
    found: dict[str, float] = {}
    for name in _METRICS:
        value = _number(row.get(f"traj_{name}"))
        value = _number(nested.get(name)) if value is None else value
        if value is not None:
            found[name] = value
    return found


def _parts(row: Row, metrics: Mapping[str, float]) -> dict[str, float]:
    parts = {name: metrics[name] for name in ("res_reward", "toolcall_reward") if name in metrics}
    for name, value in row.items():
        number = _number(value)
        if number is not None and name not in _KNOWN and not name.startswith("traj_"):
            parts[name] = number
    return parts


def _info(row: Row) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in row.items():
        other = name not in _KNOWN and not name.startswith("traj_") and _number(value) is None
        if (other or name in _NAMES) and value not in (None, "", [], {}):
            found[name] = _short(value)
    return found


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)[:_LONGEST_INFO]
    except (ValueError, RecursionError):
        return ""


def _number(value: Any) -> float | None:
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            return None
    return None


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None and math.isfinite(value) else None


def _seconds(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) and value >= 0 else None
