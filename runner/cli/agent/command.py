"""`agentic-rl agent`: check an agent wrapper, try it on a task; other subcommands come from modules of their own."""

from __future__ import annotations

import argparse
from typing import Any

from ..locale_language import language
from .new import add_new_parser
from .texts import say


def add_parsers(subparsers: Any) -> None:
    """Add the group; each subcommand sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    parser = subparsers.add_parser("agent", help=say("help.agent", lang), description=say("help.agent", lang))
    group = parser.add_subparsers(dest="agent_command", required=True)
    _add_check(group, lang)
    _add_try(group, lang)
    add_new_parser(group)


def _add_check(group: Any, lang: str) -> None:
    parser = group.add_parser("check", help=say("help.check", lang), epilog=say("codes.check", lang))
    parser.add_argument("file", metavar="FILE", help=say("help.file", lang))
    parser.add_argument("--python", metavar="P", help=say("help.python", lang))
    parser.add_argument("--json", action="store_true", help=say("help.json", lang))
    parser.add_argument("--lang", choices=("en", "zh"), help=say("help.lang", lang))
    parser.set_defaults(run=_check)


def _add_try(group: Any, lang: str) -> None:
    parser = group.add_parser("try", help=say("help.try", lang), epilog=say("codes.try", lang))
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help=say("help.file", lang))
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--task", action="append", metavar="JSON|@FILE", help=say("help.task", lang))
    source.add_argument("--config", metavar="F.yaml", help=say("help.config", lang))
    add("--row", type=_row, default=0, metavar="N", help=say("help.row", lang))
    add("--replies", metavar="JSON|@FILE", help=say("help.replies", lang))
    add("--steps", type=_positive, metavar="N", help=say("help.steps", lang))
    add("--timeout", type=_seconds, default=60.0, metavar="S", help=say("help.timeout", lang))
    add("--python", metavar="P", help=say("help.python", lang))
    add("--json", action="store_true", help=say("help.json", lang))
    add("--lang", choices=("en", "zh"), help=say("help.lang", lang))
    parser.set_defaults(run=_try)


def _check(arguments: argparse.Namespace) -> int:
    from .check import run_check

    return run_check(arguments)


def _try(arguments: argparse.Namespace) -> int:
    from .trial import run_try

    return run_try(arguments)


def _row(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text}: at least 0")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text}: more than 0, at most 86400")
    return number
