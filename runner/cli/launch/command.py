"""The commands `plan`, `run`, `attach` and `view`."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...facts.training import default_python
from ..locale_language import language
from ..usage import UsageError
from .device_list import device_list
from .prepare import Wish, prepare
from .refusal import refuse
from .screen import open_screen
from .texts import say
from .texts_backends import BACKENDS
from .texts_backends import say as words
from .texts_environment import HELP as SCRIPT_HELP

if TYPE_CHECKING:
    pass

PREVIEW = "RUN_DIRECTORY"


def add_parsers(subparsers: Any) -> None:
    """Add the commands; each sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    plan = subparsers.add_parser("plan", help=say("desc.plan", lang), description=say("desc.plan", lang))
    _config_options(plan, lang)
    plan.add_argument("--json", action="store_true", help=say("help.json", lang))
    plan.set_defaults(run=run_plan)
    run = subparsers.add_parser("run", help=say("desc.run", lang), description=say("desc.run", lang))
    _config_options(run, lang)
    run.add_argument("--detach", "-d", action="store_true", help=say("help.detach", lang))
    run.add_argument("--tui", action="store_true", help=say("help.tui", lang))
    run.add_argument("--json", action="store_true", help=say("help.json", lang))
    run.set_defaults(run=run_run)
    for name in ("attach", "view"):
        viewer = subparsers.add_parser(name)
        viewer.add_argument("reference", metavar="R" if name == "attach" else "LOGFILE")
        viewer.add_argument("--lang", choices=["zh", "en"])
        viewer.set_defaults(run=run_viewer, command=name)


def _config_options(parser: argparse.ArgumentParser, lang: str) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("config", nargs="?", metavar="F", help=say("help.config", lang))
    which.add_argument("--config-path", metavar="F", help=say("help.config_path", lang))
    parser.add_argument("--local", action="store_true", help=say("help.local", lang))
    parser.add_argument("--fresh", action="store_true", help=say("help.fresh", lang))
    parser.add_argument("--backend", choices=BACKENDS, default=BACKENDS[0], help=words("help.backend", lang))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=say("help.set", lang))
    parser.add_argument("--python", metavar="P", help=say("help.python", lang))
    parser.add_argument("--devices", metavar="L", default="", type=device_list, help=say("help.devices", lang))
    parser.add_argument("--ray-address", metavar="A", default="", help=say("help.ray", lang))
    parser.add_argument("--env-script", metavar="FILE", action="append", default=[], help=SCRIPT_HELP[lang])
    parser.add_argument("--workdir", metavar="DIR", help=say("help.workdir", lang))
    parser.add_argument("--lang", choices=["zh", "en"], help=say("help.lang", lang))


def _wish(args: argparse.Namespace) -> Wish:
    workdir = Path(args.workdir or ".").absolute()
    return Wish(
        config=Path(args.config or args.config_path),
        python=default_python(args.python),
        workdir=workdir,
        run_dir=workdir / "runs" / PREVIEW,
        local=bool(args.local),
        fresh=bool(args.fresh),
        devices=str(args.devices),
        ray_address=str(args.ray_address),
        settings=tuple(args.set),
        lang=language(args.lang),
        env_scripts=tuple(args.env_script),
        backend=str(args.backend),
    )


def run_plan(args: argparse.Namespace) -> int:
    """`agentic-rl plan F`: print the launch plan; starts nothing."""
    lang = language(args.lang)
    try:
        prepared = prepare(_wish(args))
    except UsageError as error:
        return _usage("plan", error)
    code = refuse(prepared, lang)
    if code or prepared.plan is None:
        return code
    if args.json:
        from ...process.masking import mask_value

        print(json.dumps(mask_value(asdict(prepared.plan)), ensure_ascii=False, indent=1))
    else:
        from .show_plan import show_plan

        show_plan(prepared.plan, lang)
    return 0


def run_run(args: argparse.Namespace) -> int:
    """`agentic-rl run F`: check, plan, start, watch."""
    from .launch import launch

    try:
        return launch(
            _wish(args), language(args.lang), detach=bool(args.detach), tui=bool(args.tui), json_lines=bool(args.json)
        )
    except UsageError as error:
        return _usage("run", error)


def _usage(command: str, error: UsageError) -> int:
    print(f"agentic-rl {command}: {error}", file=sys.stderr)
    return 2


def run_viewer(args: argparse.Namespace) -> int:
    """`attach R` and `view LOGFILE` open the screen by executing `agentic-rl-wizard`."""
    language_option = ["--lang", args.lang] if args.lang else []
    open_screen([args.command, args.reference, *language_option])
    return 0
