"""`agentic-rl machines`: the machine profiles that `check --machine` knows by name."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick

if TYPE_CHECKING:
    from ...catalogue import Language


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    machines = subparsers.add_parser(
        "machines",
        help=pick(lang, "list the machine profiles", "列出机器描述"),
        epilog=pick(
            lang,
            "`agentic-rl check FILE --machine NAME` uses one of them; docs/en/machines.md tells how to write one.",
            "`agentic-rl check FILE --machine NAME` 按其中一种机器检查；编写方法见 docs/zh/machines.md。",
        ),
    )
    machines.add_argument("--json", action="store_true", help=pick(lang, "print JSON", "输出 JSON"))
    machines.add_argument("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))
    machines.set_defaults(run=run_machines)


def run_machines(arguments: argparse.Namespace) -> int:
    """List the profiles: name, title, and with ``--json`` every number and its source. Returns 0."""
    from ...catalogue.machines import builtin_profiles

    lang: Language = arguments.lang
    profiles = builtin_profiles()
    if arguments.json:
        listed = [
            {"name": p.name, "title": p.title[lang], "source": p.source, "file": str(p.path), **p.values}
            for p in profiles
        ]
        print(json.dumps({"machines": listed}, ensure_ascii=False, indent=2))
        return 0
    width = max(len(profile.name) for profile in profiles)
    for profile in profiles:
        print(f"{profile.name:{width}}  {profile.title[lang]}")
    return 0
