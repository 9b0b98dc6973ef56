"""The result of a try for people: who said what, which tokens are trained, reward, metrics, problems.

Texts of wrappers and models are escaped, one line each: nothing in them reaches the terminal as a command.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, cast

from ...catalogue.show import printable
from ..check.report import wants_colour
from .texts import rule_name, say

_LONGEST = 400  # characters of one text
_LINES = 20  # of what the wrapper printed
_LEVELS = {"error": ("error", "错误", "31"), "warning": ("warning", "警告", "33")}


def write_result(result: Mapping[str, Any], lang: str, stream: TextIO) -> None:
    """Write all of it."""
    colour = wants_colour(stream)
    model = {"replies": say("model.replies", lang), "tiny model": say("model.tiny", lang)}
    seconds = result["seconds"].get("play", 0.0)
    name = model.get(result["model"], printable(str(result["model"])))
    counts = {"tasks": _tasks(result), "requests": result["requests"], "seconds": f"{seconds:.2f}"}
    stream.write(say("header", lang, file=printable(Path(result["file"]).name), model=name, **counts) + "\n")
    for trajectory in result["trajectories"]:
        _trajectory(trajectory, lang, stream, colour)
    if result["printed"].strip():
        stream.write("\n" + say("printed", lang, count=result["printed_bytes"]) + "\n")
        for line in [line for line in result["printed"].splitlines() if line.strip()][-_LINES:]:
            stream.write(f"  | {printable(line, 200)}\n")
    if result["problems"]:
        stream.write("\n")
    for problem in result["problems"]:
        _problem(problem, lang, stream, colour)
    if result["check"]:
        stream.write(say("check_says", lang) + "\n")
        for one in result["check"]:
            place = f"{printable(Path(result['file']).name)}:{one['line']}: " if one["line"] else ""
            stream.write(f"  {place}{one['code']}{'：' if lang == 'zh' else ': '}{one['message']}\n")
            if one["fix"]:
                stream.write(f"      {one['fix']}\n")
    errors = sum(problem["level"] == "error" for problem in result["problems"])
    stream.write(say("not_ok", lang, count=errors) if errors else say("ok", lang))
    stream.write("\n")


def _tasks(result: Mapping[str, Any]) -> int:
    failed = {p["task"] for p in result["problems"] if p["level"] == "error" and p["task"]}
    return len(result["trajectories"]) + len(failed)


def _trajectory(trajectory: Mapping[str, Any], lang: str, stream: TextIO, colour: bool) -> None:
    task = trajectory["task"]
    stream.write(f"\n{say('task', lang, id=printable(str(task.get('id', ''))))}  {_json(task)}\n")
    stream.write(f"  {say('chat', lang)}\n")
    for message in trajectory["chat"]:
        role, content = str(message.get("role", "?")), str(message.get("content", ""))
        stream.write(f"    {printable(role, 20):<10} {printable(content, _LONGEST)}\n")
    counts = {"prompt": trajectory["prompt"]["tokens"], "response": trajectory["response_tokens"]}
    stream.write(f"  {say('tokens', lang, trained=trajectory['trained_tokens'], **counts)}\n")
    stream.write(f"    - {counts['prompt']:>5}  {printable(trajectory['prompt']['text'], _LONGEST)}\n")
    for segment in trajectory["segments"]:
        sign, text = "+" if segment["trained"] else "-", printable(segment["text"], _LONGEST)
        line = f"    {sign} {segment['tokens']:>5}  {text}"
        stream.write(f"\x1b[32m{line}\x1b[0m\n" if colour and segment["trained"] else f"{line}\n")
    stream.write(f"  {say('reward', lang)}  {trajectory['reward']}\n")
    stream.write(f"  {say('metrics', lang)}  {_json(_short(trajectory['metrics']))}\n")


def _problem(problem: Mapping[str, Any], lang: str, stream: TextIO, colour: bool) -> None:
    english, chinese, code = _LEVELS.get(problem["level"], _LEVELS["error"])
    level = chinese if lang == "zh" else english
    level = f"\x1b[{code}m{level}\x1b[0m" if colour else level
    task = say("of_task", lang, task=printable(problem["task"])) if problem["task"] else ""
    place = place_text(problem)
    where = f"{printable(place)}: " if place else ""
    name = rule_name(problem["rule"], lang)
    then = "：" if lang == "zh" else ": "
    message = printable(problem["message"], _LONGEST)
    stream.write(f"{where}{level} {problem['rule']}{then}{task}{name}{then}{message}\n")
    for frame in problem["trace"]:
        frame_place = f"{Path(frame['file']).name}:{frame['line']}"
        stream.write(f"    {printable(frame_place)}  {printable(frame.get('code') or '', 200)}\n")
    if problem["level"] == "error" and problem["fix"]:
        stream.write(f"    {say('fix', lang)}{then}{problem['fix']}\n")


def _short(metrics: Any) -> Any:
    """Numbers with four digits: nobody reads the sixteenth of a time."""
    if not isinstance(metrics, Mapping):
        return metrics
    given = cast("Mapping[str, Any]", metrics)
    return {key: float(f"{one:.4g}") if isinstance(one, float) else one for key, one in given.items()}


def place_text(problem: Mapping[str, Any]) -> str:
    """``file:line`` of a problem; "" where it has none."""
    name = Path(str(problem.get("file") or "")).name
    return f"{name}:{problem['line']}" if name and problem.get("line") else name


def _json(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False), _LONGEST)
