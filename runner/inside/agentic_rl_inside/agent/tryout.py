"""Plays tasks with a wrapper, once: ``python -m agentic_rl_inside.agent.tryout ANSWER`` with a JSON request on stdin.

What ``agentic-rl agent try`` runs in the training interpreter. The request: ``file`` (the wrapper), ``tasks`` or
``data`` (see `tryout_tasks`), ``model`` (see `tryout_model`), ``replies`` (texts instead of a model), ``agent_name``,
``steps``, ``prompt`` and ``response`` (tokens), ``sampling``, ``timeout`` (seconds). JSON lines are written to the
file ANSWER: ``{"event": "ready", ...}`` when the wrapper is about to be loaded, and ``{"event": "end",
"trajectories": [...], "problems": [...], "seconds": {...}}``. Standard output and error belong to the wrapper.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .rules import WrapperProblem

HANGS = 4  # exit code of a time-out that was told
_FRAME = re.compile(r'^\s*File "(?P<file>[^"\n]+)", line (?P<line>\d+), in (?P<name>.*)\n(?:    (?P<code>.*)\n)?', re.M)


def main(argv: list[str]) -> int:
    """Answer the request; whatever the wrapper does becomes a problem."""
    request = json.load(sys.stdin)
    answer = Path(argv[1])
    began = time.monotonic()
    try:
        from . import tryout_model, tryout_tasks

        tasks = tryout_tasks.tasks_of(request)
        engine = tryout_model.engine_of(request)
    except Exception as error:  # a broken model or data file is no fault of the wrapper
        _write(answer, {"event": "end", "refused": f"{type(error).__name__}: {error}"})
        return 2
    _write(answer, {"event": "ready", "tasks": tasks, "model": engine.name, "context": engine.context})
    seconds = {"start": time.monotonic() - began}
    done = threading.Event()
    threading.Thread(target=_watch, args=(request, answer, tasks, done), daemon=True).start()
    _play(request, answer, tasks, engine, seconds, done)
    os._exit(0)  # threads of the wrapper that never end must not keep the process


def _play(
    request: Mapping[str, Any],
    answer: Path,
    tasks: list[dict[str, Any]],
    engine: Any,
    seconds: dict[str, float],
    done: threading.Event,
) -> None:
    from .session import SAMPLING, Settings, WrapperSession

    settings = Settings(
        file=request["file"],
        agent_name=str(request.get("agent_name") or "agent"),
        sampling_params={**SAMPLING, "max_tokens": engine.longest, **(request.get("sampling") or {})},
        max_prompt_length=int(request.get("prompt") or engine.context // 2),
        max_response_length=int(request.get("response") or engine.context - engine.context // 2),
        n_parallel_agents=int(request.get("n") or 1),
        max_steps=int(request.get("steps") or 5),
        limit=0,
        model=engine.name,
    )
    began = time.monotonic()
    session = WrapperSession(settings, engine.tokenizer, engine.generate, engine.context)
    outcomes = session.run(tasks)
    done.set()
    seconds["play"] = time.monotonic() - began
    file = Path(request["file"]).resolve()
    problems = [problem_data(outcome.problem, file) for outcome in outcomes if outcome.problem is not None]
    shown = [shown_trajectory(outcome, engine.tokenizer) for outcome in outcomes if outcome.trajectory is not None]
    recorded = session.completions.recording
    end = {"event": "end", "trajectories": shown, "problems": problems, "requests": recorded.requests}
    _write(answer, {**end, "seconds": {name: round(value, 3) for name, value in seconds.items()}})
    sys.stdout.flush()
    sys.stderr.flush()


def _watch(request: Mapping[str, Any], answer: Path, tasks: list[dict[str, Any]], done: threading.Event) -> None:
    """Say where the wrapper stands when its time is up, and end the process: a thread can't be ended."""
    limit = float(request.get("timeout") or 60)
    if done.wait(limit):
        return
    file = Path(request["file"]).resolve()
    frames = standing(file)
    where = f"; it stands in {frames[-1]['name']}" if frames else ""
    text = f"the wrapper has not returned within {limit:g} s{where}"
    problem = problem_data(WrapperProblem("wrapper-hangs", text), file)
    problem.update(task=", ".join(str(task.get("id", "")) for task in tasks[:5]), trace=frames[-6:])
    if frames:
        problem.update(file=frames[-1]["file"], line=frames[-1]["line"])
    if not done.is_set():
        _write(answer, {"event": "end", "trajectories": [], "problems": [problem], "seconds": {"play": limit}})
        os._exit(HANGS)


def standing(file: Path) -> list[dict[str, Any]]:
    """The frames of the wrapper's own file in the thread that is deepest in it."""
    best: list[dict[str, Any]] = []
    for frame in sys._current_frames().values():
        text = "".join(traceback.format_list(traceback.extract_stack(frame)))
        best = max(best, own_frames(text, file), key=len)
    return best


def own_frames(text: str, file: Path) -> list[dict[str, Any]]:
    """The lines of a traceback that are in the wrapper, or in modules beside it."""
    found = [match.groupdict() for match in _FRAME.finditer(text)]
    # "<string>" and the like are no files, though they would resolve to some in the current folder.
    real = [one for one in found if not (one["file"] or "<").startswith("<")]
    own = [one for one in real if Path(one["file"] or "").resolve().parent == file.parent]
    return [{**one, "line": int(one["line"] or 0), "code": (one["code"] or "").strip()[:200]} for one in own]


def problem_data(problem: WrapperProblem, file: Path) -> dict[str, Any]:
    """A problem with its place in the wrapper, and the wrapper's own lines of the traceback."""
    frames = own_frames(problem.detail, file)
    place = frames[-1] if frames else {"file": "", "line": 0}
    if not frames and (match := re.search(r"\((?P<name>[^()\s]+\.py), line (?P<line>\d+)\)", problem.message)):
        place = {"file": str(file), "line": int(match["line"])}  # a mistake of syntax
    return {
        "level": "error",
        "rule": problem.rule,
        "task": problem.task,
        "message": problem.message,
        "file": place["file"],
        "line": place["line"],
        "trace": frames[-6:],
    }


def shown_trajectory(outcome: Any, tokenizer: Any) -> dict[str, Any]:
    """A trajectory as texts and numbers."""
    trajectory, aligned = outcome.trajectory, outcome.aligned
    prompt = trajectory.prompt_tokens.tolist()
    return {
        "task": plain(outcome.task),
        "idx": trajectory.idx,
        "reward": plain(trajectory.trajectory_reward),
        "metrics": plain(trajectory.metrics),
        "chat": plain(trajectory.chat_completions),
        "prompt": {"tokens": len(prompt), "text": tokenizer.decode(prompt)},
        "segments": list(_segments(aligned.tokens, aligned.mask, tokenizer)),
        "response_tokens": len(aligned.tokens),
        "trained_tokens": sum(aligned.mask),
        "generated_tokens": aligned.generated,
    }


def _segments(tokens: list[int], mask: list[int], tokenizer: Any) -> Iterator[dict[str, Any]]:
    for trained, group in itertools.groupby(zip(tokens, mask, strict=True), key=lambda pair: bool(pair[1])):
        ids = [token for token, _ in group]
        yield {"trained": trained, "tokens": len(ids), "text": tokenizer.decode(ids)}


def plain(value: Any) -> Any:
    """A value as JSON takes it; what is no number, text, list or mapping becomes a text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)[:1000]
    return number if math.isfinite(number) else str(number)


def _write(answer: Path, line: Mapping[str, Any]) -> None:
    with answer.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")
        stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv))
