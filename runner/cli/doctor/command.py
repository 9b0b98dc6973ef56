"""`agentic-rl doctor`: examines the machine and names the cure of what is wrong."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

from ..locale_language import language
from .texts import say

if TYPE_CHECKING:
    from ...catalogue import Language


_WHOLE = 8.5  # seconds from the start of this process to the end of all looks; judging and printing take below one
_LEAST = 3.0


def add_parsers(subparsers: Any) -> None:
    """Add `doctor`; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    parser = subparsers.add_parser(
        "doctor", help=say("desc", lang), description=say("desc", lang), epilog=say("epilog", lang)
    )
    parser.add_argument("file", nargs="?", metavar="F", help=say("help.file", lang))
    parser.add_argument("--python", metavar="P", help=say("help.python", lang))
    parser.add_argument("--verl-version", metavar="V", default="", help=say("help.verl_version", lang))
    parser.add_argument("--quiet", "-q", action="store_true", help=say("help.quiet", lang))
    parser.add_argument("--json", action="store_true", help=say("help.json", lang))
    parser.add_argument("--lang", choices=("zh", "en"), help=say("help.lang", lang))
    parser.set_defaults(run=run_doctor)


def run_doctor(args: argparse.Namespace) -> int:
    """`agentic-rl doctor [F]`.

    Returns:
        0 no error; 1 errors; 2 the file can't be read; 3 the training interpreter can't be asked (what it would have
        told is missing then).
    """
    from ...doctor import judge
    from ...facts.training import default_python
    from .report import as_json, report
    from .scene import gather, wants_of

    lang: Language = "zh" if language(args.lang) == "zh" else "en"
    live = sys.stderr.isatty() and not args.json
    if live:
        sys.stderr.write(say("looking", lang) + "\r")
        sys.stderr.flush()
    wants = wants_of(args.file, args.verl_version) if args.file else None
    scene = gather(default_python(args.python), wants, deadline=max(_LEAST, _WHOLE - _age()))
    findings = judge(scene)
    if live:
        sys.stderr.write("\x1b[2K")
        sys.stderr.flush()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if args.json:
        print(json.dumps(as_json(scene, findings, lang), ensure_ascii=False, indent=2))
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
        print("\n".join(report(findings, lang, columns, colour=colour, quiet=args.quiet)))
    if wants is not None and not wants.readable:
        return 2
    if scene.software.problem or scene.software.too_old:
        return 3
    return 1 if any(finding.level == "error" for finding in findings) else 0


def _age() -> float:
    """Seconds since this process started: on a busy machine the imports alone take some."""
    import psutil

    try:
        return max(0.0, time.time() - psutil.Process().create_time())
    except psutil.Error:
        return 0.0
