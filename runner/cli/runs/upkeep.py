"""The commands `bundle` and `clean`."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...process.index import RunNotFound, find_run
from ...process.record import LOG
from ...stream import clean_line
from ..locale_language import language
from .not_found import not_found_text
from .texts_upkeep import say, size_text


def add_parsers(subparsers: Any) -> None:
    """Add both; each sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    bundle = subparsers.add_parser("bundle", help=say("bundle.help", lang), description=say("bundle.help", lang))
    bundle.add_argument("reference", metavar="R", help=say("bundle.reference", lang))
    bundle.add_argument("--output", "-o", metavar="FILE", help=say("bundle.output", lang))
    bundle.add_argument("--rollouts", action="store_true", help=say("bundle.rollouts", lang))
    bundle.add_argument("--force", action="store_true", help=say("bundle.force", lang))
    bundle.add_argument("--json", action="store_true", help=say("bundle.json", lang))
    bundle.add_argument("--lang", choices=["zh", "en"])
    bundle.set_defaults(run=run_bundle)
    clean = subparsers.add_parser("clean", help=say("clean.help", lang), description=say("clean.help", lang))
    clean.add_argument("--yes", action="store_true", help=say("clean.yes", lang))
    clean.add_argument("--json", action="store_true", help=say("clean.json", lang))
    clean.add_argument("--lang", choices=["zh", "en"])
    clean.set_defaults(run=run_clean)


def run_bundle(args: argparse.Namespace) -> int:
    """`agentic-rl bundle R`: 0, or 2 where the run is unknown or the archive can't be written."""
    from ...process.bundle import bundle_run
    from .diagnose import as_json, diagnose

    lang = language(args.lang)
    try:
        record = find_run(args.reference)
    except RunNotFound as error:
        return _fail(not_found_text(error, lang))
    target = Path(args.output or f"{record.id}.tar.gz").expanduser().absolute()
    if target.exists() and not args.force:
        return _fail(say("bundle.exists", lang, path=target))
    extra: dict[str, str] = {}
    try:
        found = diagnose(Path(record.directory) / LOG, record)
        extra["diagnosis.json"] = json.dumps(as_json(found, lang), ensure_ascii=False, indent=1)
    except OSError:
        pass  # a run that never wrote a log has nothing to diagnose
    try:
        packed = bundle_run(record, target, rollouts=bool(args.rollouts), extra=extra)
    except OSError as error:
        return _fail(say("bundle.failed", lang, path=target, error=error.strerror or error))
    size = target.stat().st_size
    if args.json:
        print(json.dumps({"archive": str(target), "bytes": size, "files": [asdict(one) for one in packed]}))
        return 0
    print(say("bundle.done", lang, path=target, count=len(packed), size=size_text(size)))
    for one in packed:
        if one.left_out:
            print(say("bundle.left_out", lang, name=one.name, size=size_text(one.left_out)))
    print(say("bundle.checkpoints", lang))
    return 0


def run_clean(args: argparse.Namespace) -> int:
    """`agentic-rl clean`: 0, or 1 where something could not be removed."""
    from ...process.leftovers import Leftover, find_leftovers, remove_leftovers

    lang = language(args.lang)

    def line(one: Leftover) -> str:
        of = say("clean.of", lang, run=one.run) if one.run else ""
        name = clean_line(one.name)
        return say(f"clean.{one.kind}", lang, pid=one.pid, name=name, run=one.run, size=size_text(one.size), of=of)

    found = find_leftovers()
    left = remove_leftovers(found) if args.yes else []
    if args.json:
        print(
            json.dumps(
                {
                    "found": [asdict(one) for one in found],
                    "removed": bool(args.yes),
                    "left": [asdict(one) for one in left],
                }
            )
        )
        return 1 if left else 0
    if not found:
        print(say("clean.nothing", lang))
        return 0
    for one in found:
        print(line(one))
    if not args.yes:
        print(say("clean.how", lang))
        return 0
    print(say("clean.done", lang, count=len(found) - len(left)))
    for one in left:
        sys.stderr.write(say("clean.left", lang, what=line(one)) + "\n")
    return 1 if left else 0


def _fail(words: str) -> int:
    sys.stderr.write(words + "\n")
    return 2
