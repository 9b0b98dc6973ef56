"""`agentic-rl agent check`: the verdict of `check` on a wrapper, without a configuration."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...catalogue import Problem, problem_text
from ...check.wrapper import Setting, judge_wrapper
from ...facts.training import default_python
from ...facts.wrapper import look_at_wrapper
from ..gather.asking import ask_python
from ..locale_language import language
from .texts import say

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...facts.training import TrainingFacts
    from ...facts.wrapper import WrapperFacts


def run_check(arguments: argparse.Namespace) -> int:
    """Check one file and print what was found.

    Returns:
        0 no error, 1 an error, 2 the file can't be read.
    """
    from ..check.report import write_problems

    lang: Language = "zh" if language(arguments.lang) == "zh" else "en"
    facts = look_at_wrapper(arguments.file)
    training = ask(facts, arguments.python)
    problems = verdict(facts, training)
    if arguments.python and training is not None and training.problem:
        params = {"python": arguments.python, "error": training.problem}
        problems.insert(0, Problem("warning", "python-missing", params=params))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    errors = sum(problem.level == "error" for problem in problems)
    if arguments.json:
        entries = [entry(problem, lang) for problem in problems]
        print(safe_json({"file": arguments.file, "ok": not errors, "problems": entries}))
    else:
        write_problems(arguments.file, problems, lang, sys.stdout)
        print(say("check.bad" if errors else "check.notes" if problems else "check.good", lang, count=errors))
    if facts.problem in ("missing", "not-a-file", "unreadable"):
        return 2
    return 1 if errors else 0


def ask(facts: WrapperFacts, python: str | None) -> TrainingFacts | None:
    """Ask the interpreter that was named about the modules of the wrapper, and for its parser's opinion."""
    named = bool(python or os.environ.get("AGENTIC_RL_PYTHON"))
    if not named or (facts.problem and facts.problem != "syntax"):
        return None
    source = str(Path(facts.path).absolute())
    return ask_python(default_python(python), modules=facts.modules(), source=source, named=True)


def verdict(facts: WrapperFacts, training: TrainingFacts | None = None) -> list[Problem]:
    """The problems of a wrapper, each at its line; nothing is known of back end and generation."""
    if facts.problem == "missing":
        return [Problem("error", "wrapper-missing", params={"place": facts.path})]
    found = judge_wrapper(Setting(facts, training=training))
    name = Path(facts.path).name
    return [
        Problem(one.level, one.code, "", one.line, int(one.line > 0), _without_own_place(one.params, name, one.line))
        for one in found
    ]


def _without_own_place(params: Mapping[str, Any], name: str, line: int) -> Mapping[str, Any]:
    """Without ``place`` where the report's own ``file:line`` says it."""
    if not line or params.get("place") != f"{name}:{line}":
        return params
    return {key: value for key, value in params.items() if key != "place"}


def entry(problem: Problem, lang: Language) -> dict[str, Any]:
    """A problem as JSON (the fields of `check --json` that have a meaning here)."""
    text = problem_text(problem, lang)
    words = {"message": text.message, "because": text.because, "fix": text.fix or None}
    return {"level": problem.level, "code": problem.code, "line": problem.line, **words}


def safe_json(content: Any) -> str:
    """JSON in which whatever a terminal might obey is written as an escape."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
