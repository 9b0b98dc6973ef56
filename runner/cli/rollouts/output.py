"""Trajectories as a table, turn by turn, or as JSON. Text of models is shown, never obeyed: no escape code survives."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import TextIO

from ...process.masking import mask_text, mask_value
from ...stream import clean_line
from ...stream.rollout_summary import Summary
from ...stream.rollout_types import Entry, Rollout, StepInfo
from ..columns import cut, table, width
from .texts import text

_NARROWEST = 24
_RULE = "─"


def clean(words: str, tab: str = "    ") -> str:
    """Text of several lines without escape codes and controls, secrets masked."""
    return mask_text("\n".join(clean_line(line.replace("\r", "")).replace("\t", tab) for line in words.split("\n")))


def one_line(words: str) -> str:
    """Text of one line, clean."""
    return clean(" ".join(words.split()))


def number(value: float | None) -> str:
    """A number in four digits, ``-`` where there is none."""
    return "-" if value is None else f"{value:.4g}"


def head_line(info: StepInfo, summary: Summary, lang: str) -> str:
    """One sentence about a step."""
    parts = [text("head.validation", lang)] if info.validation else []
    for name, count in (("count", summary.count), ("groups", summary.groups)):
        parts.append(text(f"head.{name}{'.one' if count == 1 else ''}", lang, n=count))
    if summary.mean is not None:
        parts.append(text("head.reward", lang, mean=summary.mean, low=summary.low, high=summary.high))
    if summary.solved is not None:
        parts.append(text("head.solved", lang, share=summary.solved))
    if summary.turns is not None:
        parts.append(text("head.turns", lang, mean=summary.turns))
    if summary.tool_share is not None:
        parts.append(text("head.tools", lang, share=summary.tool_share))
    if summary.broken:
        parts.append(text("head.broken", lang, n=summary.broken))
    return text("head", lang, step=info.step, what=text("join", lang).join(parts))


def print_table(entries: Sequence[Entry], out: TextIO, lang: str, columns: int) -> None:
    """One line a trajectory, what was asked and answered in the room that is left."""
    names = ["index", "group", "reward", "solved", "turns", "tools", "time"]
    if all(one.times.total is None for one in entries):
        names.remove("time")
    head = [text(f"col.{name}", lang) for name in (*names, "text")]
    rows = [[*(_cell(one, name) for name in names), ""] for one in entries]
    fixed = len(table([*head[:-1], "|"], [[*row[:-1], "|"] for row in rows])[0]) - 1
    room = max(_NARROWEST, columns - fixed - 1)
    said = [[*row[:-1], _said(one, lang, room)] for row, one in zip(rows, entries, strict=True)]
    out.write("\n".join(table(head, said)) + "\n")


def _cell(one: Entry, name: str) -> str:
    if name == "index":
        return str(one.index)
    if one.broken:
        return "-"
    if name == "solved":
        return "-" if one.solved is None else "✓" if one.solved else "✗"
    if name == "time":
        return "-" if one.times.total is None else f"{one.times.total:.3g} s"
    return number({"group": one.group, "reward": one.reward, "turns": one.steps, "tools": one.tool_calls}[name])


def _said(one: Entry, lang: str, room: int) -> str:
    """What was asked and answered; the answer is what differs within a group, so the question gives way to it."""
    if one.broken:
        return cut(text("unreadable", lang), room)
    asked, answered = one_line(one.asked), one_line(one.answered)
    if not asked:
        return cut(answered, room)
    arrow = " → "
    asked = cut(asked, max(8, room // 3, room - width(arrow + answered)))
    return cut(asked + arrow + answered, room)


def print_steps(rows: Iterable[tuple[StepInfo, Summary]], out: TextIO, lang: str) -> None:
    """One line a step."""
    names = ("step", "count", "reward", "low", "high", "share", "uniform", "turns", "tools", "model_time", "tool_time")
    cells: list[list[str]] = []
    for info, one in rows:
        step = f"{info.step} {text('head.validation', lang)}" if info.validation else str(info.step)
        share = "-" if one.solved is None else f"{one.solved:.0%}"
        values = [number(value) for value in (one.mean, one.low, one.high)]
        rest = [
            "-" if value is None else f"{value:.3g}"
            for value in (one.turns, one.tool_calls, one.model_time, one.tool_time)
        ]
        uniform = f"{one.all_solved}/{one.none_solved}" if one.solved is not None else "-"
        cells.append([step, str(one.count), *values, share, uniform, *rest])
    out.write("\n".join(table([text(f"col.{name}", lang) for name in names], cells)) + "\n")


def print_whole(entry: Entry, rollout: Rollout | None, raw: bytes, out: TextIO, lang: str) -> None:
    """One trajectory, turn by turn; the raw line where it is none."""
    title = text("title", lang, step=entry.step, index=entry.index, group=entry.group)
    out.write(f"{_RULE * 3} {title} {_RULE * 3}\n")
    if rollout is None:
        out.write(f"{text('unreadable', lang)}\n{clean(raw.decode('utf-8', 'replace'))}\n\n")
        return
    for label, value in _fields(rollout, lang):
        out.write(text("field", lang, label=label, value=value) + "\n")
    for turn in rollout.turns:
        out.write(f"\n{role_name(turn.role, turn.model, lang)}\n")
        out.writelines(f"  {line}\n" if line else "\n" for line in clean(turn.text.strip("\n")).split("\n"))
    out.write("\n")


def role_name(role: str, model: bool, lang: str) -> str:
    """``[assistant · model]``: who spoke, and whether it was the model being trained."""
    known = f"role.{role or 'prompt'}"
    name = text(known, lang) if role in {"system", "user", "assistant", "tool", ""} else one_line(role)
    return f"[{name} · {text('role.model', lang)}]" if model else f"[{name}]"


def _fields(rollout: Rollout, lang: str) -> Iterable[tuple[str, str]]:
    parts = text("join", lang).join(f"{one_line(name)} {number(value)}" for name, value in rollout.parts.items())
    yield (
        text("field.reward", lang),
        (text("field.parts", lang, value=number(rollout.reward), parts=parts) if parts else number(rollout.reward)),
    )
    if rollout.problem:
        yield text("field.problem", lang), one_line(rollout.problem)
    if rollout.steps is not None:
        yield text("field.turns", lang), str(rollout.steps)
    if rollout.tool_calls:
        yield text("field.calls", lang), str(rollout.tool_calls)
    times = rollout.times
    told = [("model", times.model), ("tool", times.tool), ("reward", times.reward), ("total", times.total)]
    if shown := [text(f"time.{name}", lang, s=value) for name, value in told if value is not None]:
        yield text("field.times", lang), text("join", lang).join(shown)
    if rollout.ground_truth:
        yield text("field.truth", lang), one_line(rollout.ground_truth)
    for name, value in mask_value(dict(rollout.info)).items():
        yield one_line(name), one_line(value)


def as_json(entry: Entry, rollout: Rollout | None, full: bool) -> str:
    """One line: what the table tells, and with ``full`` every message. What is not known or not finite is null."""
    times = entry.times
    data: dict[str, object] = {
        "step": entry.step, "index": entry.index, "group": entry.group, "validation": entry.validation,
        "reward": _finite(entry.reward), "solved": entry.solved, "turns": entry.steps, "tool_calls": entry.tool_calls,
        "model_time_s": times.model, "tool_time_s": times.tool, "reward_time_s": times.reward,
        "total_time_s": times.total, "readable": not entry.broken,
    }  # fmt: skip
    if rollout is not None:
        data["parts"] = {clean(name): _finite(value) for name, value in rollout.parts.items()}
        data["problem"] = clean(rollout.problem)
        data["ground_truth"] = clean(rollout.ground_truth, "\t")
    if rollout is not None and full:
        data["info"] = mask_value({clean(name): clean(value, "\t") for name, value in rollout.info.items()})
        data["messages"] = [
            {"role": clean(turn.role), "content": clean(turn.text, "\t"), "model": turn.model} for turn in rollout.turns
        ]
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
