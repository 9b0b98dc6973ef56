"""`agentic-rl agent try`: one call of a wrapper in a child of the training interpreter, and what came of it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ...catalogue.failures import load_failures
from ...catalogue.wrapper_messages import wrapper_message
from ...facts.training import default_python
from ...facts.wrapper import look_at_wrapper
from ...process.masking import mask_text, mask_value
from ..locale_language import language
from .child import Answer, run_child
from .request import BadRequest, request_of
from .texts import TEXTS, say

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...facts.wrapper import Method, WrapperFacts

_TOLD = re.compile(r"\[agentic-rl wrapper\] (?P<level>\w+)(?: task=(?P<task>\S+))? rule=(?P<rule>[\w-]+): (?P<text>.*)")
_SENTENCE_END = "; told once"


def run_try(arguments: argparse.Namespace) -> int:
    """Play the tasks and show the trajectories.

    Returns:
        0 every task gave a trajectory, 1 not so, 2 usage, 3 the interpreter can't do it.
    """
    lang: Language = "zh" if language(arguments.lang) == "zh" else "en"
    try:
        request = request_of(arguments)
    except BadRequest as error:
        print(f"agentic-rl agent try: {say(error.key, lang, **error.params)}", file=sys.stderr)
        return 2
    python = default_python(arguments.python)
    answer = run_child(python, request, float(arguments.timeout))
    refusal = _refusal(answer, python, lang)
    if refusal is not None:
        print(f"agentic-rl agent try: {refusal[1]}", file=sys.stderr)
        return refusal[0]
    result = result_of(answer, request, lang)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if arguments.json:
        from .check import safe_json

        print(safe_json(result))
    else:
        from .show import write_result

        write_result(result, lang, sys.stdout)
    return 0 if result["ok"] else 1


def _refusal(answer: Answer, python: str, lang: Language) -> tuple[int, str] | None:
    """Why nothing was tried: exit code and sentence."""
    if answer.error:
        return 3, say("not_started", lang, python=python, error=answer.error)
    if answer.end is not None and "refused" in answer.end:
        return 2, say("refused", lang, error=mask_text(wrapper_message(str(answer.end["refused"]), lang)))
    if answer.ready is None:
        lines = [line for line in answer.output.decode("utf-8", "replace").splitlines() if line.strip()]
        silent = say("no_answer", lang) if answer.killed else say("exit_code", lang, code=answer.code)
        error = lines[-1] if lines and not answer.killed else silent
        return 3, say("start_failed", lang, python=python, error=mask_text(error))
    return None


def result_of(answer: Answer, request: Mapping[str, Any], lang: Language) -> dict[str, Any]:
    """The result as JSON shows it: ``ok``, ``trajectories`` (``trajectory`` is the first), ``problems``, ..."""
    ready = answer.ready or {}
    end = answer.end or {}
    tasks = cast("list[dict[str, Any]]", ready.get("tasks") or [])
    facts = look_at_wrapper(str(request["file"]))
    problems = [dict(one) for one in cast("list[dict[str, Any]]", end.get("problems") or [])]
    if answer.end is None:
        problems.append(_ended(answer, request, tasks, facts, lang))
    if answer.left:
        names = ", ".join(answer.left[:5])
        problems.append(_problem("process-left", say("left", lang, names=names), "", facts, "process"))
    warnings, printed = split_output(answer.output)
    problems.extend(warnings)
    for problem in problems:
        _place(problem, facts, str(request["file"]))
        problem["message"] = wrapper_message(str(problem["message"]), lang)
        problem["fix"] = remedy(str(problem["rule"]), lang)
    failed = any(problem["level"] == "error" for problem in problems)
    trajectories = cast("list[dict[str, Any]]", end.get("trajectories") or [])
    result: dict[str, Any] = {
        "ok": not failed,
        "file": str(request["file"]),
        "model": ready.get("model", ""),
        "trajectory": next(iter(trajectories), None),
        "trajectories": trajectories,
        "problems": problems,
        "check": _check(facts, lang) if failed else [],
        "printed": printed.decode("utf-8", "replace"),
        "printed_bytes": answer.dropped + len(printed),
        "requests": end.get("requests", 0),
        "seconds": end.get("seconds") or {},
    }
    return cast("dict[str, Any]", mask_value(result))


def split_output(output: bytes) -> tuple[list[dict[str, Any]], bytes]:
    """The warnings that the training side told, and what the wrapper itself printed."""
    warnings: list[dict[str, Any]] = []
    kept: list[bytes] = []
    for line in output.splitlines(keepends=True):
        match = _TOLD.search(line.decode("utf-8", "replace"))
        kept.append(line if match is None else line[: line.find(b"[agentic-rl wrapper]")])
        if match is not None and match["level"] == "warning":
            text = match["text"].removesuffix(_SENTENCE_END)
            warnings.append({"level": "warning", "rule": match["rule"], "task": match["task"] or "", "message": text})
    return warnings, b"".join(kept)


def _ended(
    answer: Answer, request: Mapping[str, Any], tasks: list[dict[str, Any]], facts: WrapperFacts, lang: Language
) -> dict[str, Any]:
    """The process was ended: by its time, by the wrapper, or by a signal."""
    task = ", ".join(str(one.get("id", "")) for one in tasks[:5])
    if answer.killed:
        text = say("hangs", lang, seconds=f"{float(request['timeout']):g}")
        return _problem("wrapper-hangs", text, task, facts, "")
    code = answer.code or 0
    text = say("ended", lang, code=code) if code >= 0 else say("signal", lang, code=-code)
    return _problem("wrapper-ended", text, task, facts, "exit")


def _problem(rule: str, message: str, task: str, facts: WrapperFacts, habit: str) -> dict[str, Any]:
    found = next((one for one in facts.habits if one.kind == habit), None)
    place = {"file": facts.path, "line": found.line} if found is not None else {"file": "", "line": 0}
    return {"level": "error", "rule": rule, "task": task, "message": message, **place, "trace": []}


def _place(problem: dict[str, Any], facts: WrapperFacts, file: str) -> None:
    """Where the training side knew no line: the one where the trajectory is made, or the method."""
    problem.setdefault("file", "")
    problem.setdefault("line", 0)
    problem.setdefault("trace", [])
    if "the wrapper ended the process" in problem["message"]:  # SystemExit, which the training side survives
        problem["rule"] = "wrapper-ended"
        problem["line"] = problem["line"] or next((one.line for one in facts.habits if one.kind == "exit"), 0)
        problem["file"] = file if problem["line"] else ""
    if problem["line"]:
        return
    line = 0
    methods: Mapping[str, Method] = facts.members[0].cls.methods if facts.members else {}
    generate = methods.get("generate_agent_trajectories_async")
    if problem["rule"] == "wrapper-arguments" and "__init__" in methods:
        line = methods["__init__"].line
    elif problem["rule"] in _OF_TRAJECTORY and facts.calls:
        line = facts.calls[0].line
    elif generate is not None and not generate.file:
        line = generate.line
    if line and problem["rule"] not in ("wrapper-file", "wrapper-name", "wrapper-class", "wrapper-import"):
        problem.update(file=file, line=line)


_OF_TRAJECTORY = frozenset(
    (
        *("tokens", "token-range", "mask-length", "mask-values", "mask-empty", "idx", "reward", "reward-not-finite"),
        *("chat", "metrics", "metrics-five", "tokens-not-generated", "idx-unmatched"),
    )
)


def remedy(rule: str, lang: str) -> str:
    """What the failure catalogue advises where a rule of the wrapper is broken; "" where it knows nothing."""
    line = f"[agentic-rl wrapper] error rule={rule}: x"
    for entry in load_failures()["entries"]:
        if str(entry["id"]).startswith("agent-") and any(re.search(sign, line) for sign in entry["signs"]):
            return str(entry["remedy"][lang])
    own = f"fix.{rule}"
    return say(own, lang) if own in TEXTS else ""


def _check(facts: WrapperFacts, lang: Language) -> list[dict[str, Any]]:
    from .check import entry, verdict

    return [entry(one, lang) for one in verdict(facts) if one.level != "hint"]
