"""`agentic-rl backends`: what could start a training here."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...catalogue.wrap import width as columns_of
from ...catalogue.wrap import wrap
from ..locale_language import default_language
from ..show_columns import columns
from .texts_backends import say

if TYPE_CHECKING:
    from ...backends.backend import Installed
    from ...facts.training import TrainingFacts


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    backends = subparsers.add_parser("backends", help=say("desc", lang), description=say("desc", lang))
    backends.add_argument("--python", metavar="P", help=say("help.python", lang))
    backends.add_argument("--json", action="store_true", help=say("help.json", lang))
    backends.add_argument("--lang", choices=("en", "zh"), default=lang, help=say("help.lang", lang))
    backends.set_defaults(run=run_backends)


def run_backends(arguments: argparse.Namespace) -> int:
    """List the back ends; returns 0, or 3 where the training interpreter does not answer."""
    from ...backends.registry import backend, probe_all
    from ...facts.tools import look_at_tools
    from ...facts.training import default_python
    from ..gather.asking import ask_python
    from .mindspeed_request import find_tree, tool_of

    lang: str = arguments.lang
    training = ask_python(default_python(arguments.python))
    tree = find_tree(training, Path.cwd(), None)
    found = probe_all(training, {**look_at_tools(training.python), **tool_of(tree)})
    if arguments.json:
        listed = [
            {**asdict(one), "devices": list(backend(name).NEEDS), "files": say(f"files.{name}", lang)}
            for name, one in found.items()
        ]
        answer = {"python": training.python, "problem": training.problem, "backends": listed}
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        _show(training, found, lang)
    return 3 if training.problem else 0


def _show(training: TrainingFacts, found: dict[str, Installed], lang: str) -> None:
    if training.problem:
        print(say("python_problem", lang, python=training.python, error=training.problem) + "\n")
    width = max(map(len, found))
    room = columns() - width - 2
    for name, one in found.items():
        print(f"{name:{width}}  {say('yes' if one.present else 'no', lang)} {one.version}".rstrip())
        rows = [("files", say(f"files.{name}", lang)), ("start", one.start)]
        rows += [("why_not", one.why_not.get(lang, "")), ("remark", one.remark.get(lang, ""))]
        for label, text in rows:
            if text:
                _row(" " * (width + 2), say(label, lang) + ("：" if lang == "zh" else ": "), text, label, room)


def _row(margin: str, label: str, text: str, kind: str, room: int) -> None:
    """A label and its text; a command stays in one piece, so that it can be copied."""
    lines = [text] if kind == "start" else wrap(text, room - columns_of(label))
    for number, line in enumerate(lines):
        print(f"{margin}{label if number == 0 else ' ' * columns_of(label)}{line}")
