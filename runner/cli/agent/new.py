"""`agentic-rl agent new NAME`: a wrapper to begin with, and its test."""

from __future__ import annotations

import argparse
import keyword
import os
import re
import sys
from pathlib import Path
from typing import Any

from ...catalogue.agents import KINDS, scaffold_test, wrapper_source
from ..locale_language import language
from .texts_new import say

USAGE = 2
_TAKEN = frozenset(
    {"agentic_rl", "agentic_rl_inside", "torch", "verl", "ray", "vllm", "transformers", "numpy", "pytest"}
)


def add_new_parser(subparsers: Any, lang: str | None = None) -> None:
    """Add the subcommand to the group `agent`."""
    lang = lang or language()
    parser = subparsers.add_parser("new", help=say("help.new", lang), description=say("help.new", lang))
    parser.add_argument("name", metavar="NAME", help=say("help.name", lang))
    parser.add_argument("--kind", choices=KINDS, default="environment", help=say("help.kind", lang))
    parser.add_argument("-o", "--output", metavar="DIR", default=".", help=say("help.output", lang))
    parser.add_argument("--lang", choices=("en", "zh"), help=say("help.lang", lang))
    parser.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Write the two files; exit code 2 when the name can't be one, or something is in the way."""
    lang, name = language(arguments.lang), str(arguments.name)
    refusal = _refusal(name)
    if refusal:
        print(say(refusal, lang, name=name, better=_better(name)), file=sys.stderr)
        return USAGE
    folder = Path(arguments.output)
    wrapper, test = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in (wrapper, test):
        if path.exists() or path.is_symlink():
            print(say("new.exists", lang, path=path), file=sys.stderr)
            return USAGE
    sources = {wrapper: wrapper_source(arguments.kind, name, lang), test: scaffold_test(arguments.kind, name, lang)}
    try:
        _write(sources)
    except OSError as error:
        path, reason = error.filename or folder, error.strerror or error
        print(say("new.unwritable", lang, path=path, error=reason), file=sys.stderr)
        return USAGE
    print(say("new.done", lang, wrapper=wrapper, test=test, name=name, absolute=Path(os.path.realpath(wrapper))))
    return 0


def _write(sources: dict[Path, str]) -> None:
    """Mode 640 in folders of mode 750, as AgentSDK wants the wrapper."""
    from ...document import write_atomically

    for path, text in sources.items():
        if not path.parent.is_dir():
            mask = os.umask(0o027)
            try:
                path.parent.mkdir(mode=0o750, parents=True)
            finally:
                os.umask(mask)
        write_atomically(path, text, new=True)


def _refusal(name: str) -> str:
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
        return "new.bad_name"
    if name in _TAKEN or name in sys.stdlib_module_names or name.startswith("test_"):
        return "new.taken_name" if not name.startswith("test_") else "new.bad_name"
    return ""


def _better(name: str) -> str:
    """A name near the wished one that can be one."""
    made = re.sub(r"\W+", "_", name.removesuffix(".py"), flags=re.ASCII).strip("_")
    made = made.removeprefix("test_") if made.startswith("test_") else made
    if not made or made[0].isdigit():
        made = f"agent_{made}".rstrip("_")
    return f"{made}_agent" if made in _TAKEN or made in sys.stdlib_module_names or keyword.iskeyword(made) else made
