"""The command `diagnose`: why a training failed, and which parameters cure it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ...catalogue.failures import load_failures
from ...catalogue.wrap import width, wrap
from ...process.index import RunNotFound, find_run, read_run
from ...process.masking import mask_text
from ...process.record import ENDED, LOG, RECORD, RunRecord
from ...stream import Cause, Diagnosis, clean_line, diagnose_log, read_signatures
from ..locale_language import language
from .not_found import not_found_text
from .texts_diagnose import say

_WIDTH = 100


def add_parsers(subparsers: Any) -> None:
    """Add the command; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    parser = subparsers.add_parser("diagnose", help=say("help", lang), description=say("help", lang))
    parser.add_argument("reference", metavar="R|LOGFILE", help=say("help.reference", lang))
    parser.add_argument("--json", action="store_true", help=say("help.json", lang))
    parser.add_argument("--lang", choices=["zh", "en"])
    parser.set_defaults(run=run_diagnose)


def run_diagnose(args: argparse.Namespace) -> int:
    """`agentic-rl diagnose R|LOGFILE`; 0 whatever was found, 2 when there is nothing to read."""
    lang = language(args.lang)
    path = Path(args.reference).expanduser()
    record: RunRecord | None = None
    try:
        if not path.is_file():
            record = find_run(args.reference)
        elif path.name == LOG and path.with_name(RECORD).is_file():
            record = read_run(path.parent)
        log = Path(record.directory) / LOG if record else path
        found = diagnose(log, record)
    except RunNotFound as error:
        sys.stderr.write(not_found_text(error, lang) + "\n")
        return 2
    except (OSError, ValueError) as error:
        sys.stderr.write(say("unreadable", lang, path=path, error=getattr(error, "strerror", None) or error) + "\n")
        return 2
    if args.json:
        sys.stdout.write(json.dumps(as_json(found, lang), ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(report(found, record, lang)) + "\n")
    return 0


def diagnose(log: Path, record: RunRecord | None = None) -> Diagnosis:
    """Read a log; what is known of its run decides whether it failed.

    Raises:
        OSError: the log can't be read.
    """
    signatures = read_signatures(load_failures())
    if record is None:
        return diagnose_log(log, signatures)
    # A run that was stopped on request, or still runs, has not failed, whatever its log says.
    return diagnose_log(log, signatures, record.state in ("failed", "lost"), record.exit_code, record.signal)


def as_json(found: Diagnosis, lang: str) -> dict[str, Any]:
    """What ``diagnose --json`` prints (design 9), and ``remarks`` of the same shape."""
    return {
        "failed": found.failed,
        "causes": [cause_json(one, lang) for one in found.causes],
        "remarks": [cause_json(one, lang) for one in found.remarks],
    }


def cause_json(one: Cause, lang: str) -> dict[str, Any]:
    """One cause in one language."""
    return {
        "id": one.id,
        "line": one.line,
        "excerpt": mask_text(one.excerpt),
        "cause": one.cause[lang],
        "remedy": one.remedy[lang],
        "parameters": list(one.parameters),
    }


def report(found: Diagnosis, record: RunRecord | None, lang: str) -> list[str]:
    """The same for people."""
    where = ""
    if found.last_step is not None:
        key = "step_of" if found.total else "step"
        where = say(key, lang, step=found.last_step, total=found.total)
    lines = [say(_headline(found, record), lang, where=where)]
    for place, one in enumerate(found.causes):
        if place == 1:
            lines += ["", say("then", lang)]
        lines += ["", *cause_lines(one, lang)]
    if found.remarks:
        lines += ["", say("remarks", lang)]
        for one in found.remarks:
            lines += ["", *cause_lines(one, lang)]
    return lines


def _headline(found: Diagnosis, record: RunRecord | None) -> str:
    if found.failed:
        return "failed"
    if record is not None and record.state not in ENDED:
        return "running"
    if record is not None and record.state == "stopped":
        return "stopped"
    return "finished" if found.finished or (record is not None and record.state == "finished") else "no_failure"


def cause_lines(one: Cause, lang: str) -> list[str]:
    """A cause in a few wrapped lines."""
    where = say("metric", lang) if one.line is None else say("log", lang, line=one.line)
    rows = [
        (say("cause", lang), one.cause[lang]),
        (where, clean_line(mask_text(one.excerpt))),
        (say("remedy", lang), one.remedy[lang]),
        (say("parameters", lang), ", ".join(one.parameters)),
    ]
    rows = [(title, words) for title, words in rows if words]
    widest = max(width(title) for title, _ in rows)
    lines = [f"[{one.id}]"]
    for title, words in rows:
        pad = " " * (widest - width(title))
        wrapped = wrap(words, _WIDTH - widest - 4) or [""]
        lines.append(f"  {title}{pad}  {wrapped[0]}")
        lines += [" " * (widest + 4) + more for more in wrapped[1:]]
    return lines
