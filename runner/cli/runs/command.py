"""The commands `runs`, `status`, `logs`, `metrics` and `stop`."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...process.follow import metrics_of, progress_of
from ...process.index import RunNotFound, find_run, list_runs
from ...process.reasons import reason_text
from ...process.record import ENDED, LOG, RunRecord
from ...process.stop import StopFailed, left_processes, stop_run
from ..columns import table, width
from ..locale_language import language
from .failure_words import first_cause
from .logs import print_log
from .metrics import print_csv, print_json, print_table, rows_of_log
from .not_found import not_found_text
from .texts import duration, text
from .watch import describe, shown_exit

Command = Callable[[argparse.Namespace], int]


def add_parsers(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add the five commands; each sets ``run``, a function of the parsed arguments that returns the exit code."""
    runs = _add(subparsers, "runs", "help.runs", run_runs)
    runs.add_argument("--json", action="store_true", help=_help("help.json_runs"))
    status = _add(subparsers, "status", "help.status", run_status)
    status.add_argument("reference", metavar="R", help=_help("help.reference"))
    status.add_argument("--json", action="store_true")
    logs = _add(subparsers, "logs", "help.logs", run_logs)
    logs.add_argument("reference", metavar="R")
    logs.add_argument("-f", "--follow", action="store_true", help=_help("help.follow"))
    logs.add_argument("--grep", metavar="RE", help=_help("help.grep"))
    logs.add_argument("-n", "--lines", type=int, metavar="N", help=_help("help.lines"))
    metrics = _add(subparsers, "metrics", "help.metrics", run_metrics)
    metrics.add_argument("reference", metavar="R|LOGFILE")
    form = metrics.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=_help("help.json_steps"))
    form.add_argument("--csv", action="store_true")
    stop = _add(subparsers, "stop", "help.stop", run_stop)
    stop.add_argument("reference", metavar="R")
    stop.add_argument("--now", action="store_true", help=_help("help.now"))


def _add(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage]
    name: str,
    help_text: str,
    command: Command,
) -> argparse.ArgumentParser:
    words = _help(help_text)
    parser = subparsers.add_parser(name, help=words, description=words)
    parser.add_argument("--lang", choices=["zh", "en"], default=argparse.SUPPRESS)
    parser.set_defaults(run=_guarded(command))
    return parser


def _help(key: str) -> str:
    """A sentence of --help, in the language of the environment (argparse asks before --lang is read)."""
    return text(key, language())


def _guarded(command: Command) -> Command:
    """Unknown references and runs that can't be stopped are told in words; a closed pipe ends quietly."""

    def run(args: argparse.Namespace) -> int:
        lang = _lang(args)
        try:
            code = command(args)
            sys.stdout.flush()
            return code
        except RunNotFound as error:
            _tell_not_found(error, lang)
            return 2
        except StopFailed as error:
            sys.stderr.write(text(error.code, lang, **error.params) + "\n")
            return 1
        except KeyboardInterrupt:
            return 130
        except BrokenPipeError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0

    return run


def _lang(args: argparse.Namespace) -> str:
    return language(getattr(args, "lang", None))


def _tell_not_found(error: RunNotFound, lang: str) -> None:
    sys.stderr.write(not_found_text(error, lang) + "\n")


def _took(record: RunRecord) -> float:
    if record.state in ENDED and not record.ended:
        return 0.0  # lost: nobody knows when
    return (record.ended or time.time()) - (record.started or record.created)


def _clock(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds)) if seconds else "-"


def run_runs(args: argparse.Namespace) -> int:
    """`agentic-rl runs`."""
    lang = _lang(args)
    runs = list_runs()
    if args.json:
        for record in runs:
            sys.stdout.write(json.dumps(_as_json(record), ensure_ascii=False) + "\n")
        return 0
    if not runs:
        sys.stdout.write(text("no_runs", lang) + "\n")
        return 0
    head = [text(f"field.{name}", lang) for name in ("id", "state", "name", "step", "reward", "started", "time")]
    rows: list[list[str]] = []
    for record in runs:
        progress = progress_of(record)
        step = "-" if progress.step is None else str(progress.step)
        rows.append([
            record.id,
            text(f"state.{record.state}", lang),
            f"{record.project}/{record.experiment}",
            f"{step}/{progress.total}" if progress.total else step,
            "-" if progress.reward is None else f"{progress.reward:.4g}",
            _clock(record.created),
            duration(_took(record), lang),
        ])  # fmt: skip
    sys.stdout.write("\n".join(table(head, rows)) + "\n")
    return 0


def _as_json(record: RunRecord) -> dict[str, Any]:
    progress = progress_of(record)
    return {
        **asdict(record),
        "shown_exit": shown_exit(record),
        "progress": {
            "stage": progress.stage,
            "step": progress.step,
            "total": progress.total,
            "reward": progress.reward,
            "seconds_per_step": progress.seconds_per_step,
            "seconds_left": progress.seconds_left if record.state not in ENDED else None,
            "checkpoint": progress.checkpoint,
        },
        "processes": [{"pid": one.pid, "name": one.name} for one in left_processes(record)],
    }


def run_status(args: argparse.Namespace) -> int:
    """`agentic-rl status R`."""
    lang = _lang(args)
    record = find_run(args.reference)
    if args.json:
        sys.stdout.write(json.dumps(_as_json(record), ensure_ascii=False, indent=1) + "\n")
        return 0
    left = left_processes(record)
    code = shown_exit(record)
    fields: list[tuple[str, str]] = [
        ("id", record.id),
        ("name", f"{record.project}/{record.experiment}"),
        ("state", text(f"state.{record.state}", lang)),
        ("progress", describe(progress_of(record), lang)),
        ("backend", f"{record.backend} {record.backend_version} ({record.device}, {record.host})"),
        ("started", _clock(record.started or record.created)),
        ("time", duration(_took(record), lang)),
        ("exit", "" if code is None else str(code)),
        ("reason", reason_text(record, lang)),
        *first_cause(record, lang),
        ("checkpoints", record.checkpoint_dir),
        ("lost", str(record.lost_bytes or "")),
        ("processes", ", ".join(f"{one.pid} {one.name}" for one in left)),
        ("directory", record.directory),
        ("log", str(Path(record.directory) / LOG)),
    ]
    titles = {name: text(f"field.{name}", lang) for name, _ in fields}
    widest = max(map(width, titles.values()))
    for name, value in fields:
        if value:
            sys.stdout.write(titles[name] + " " * (widest - width(titles[name]) + 2) + value + "\n")
    if record.state == "lost" and left:
        sys.stdout.write(text("lost.hint", lang, id=record.id) + "\n")
    return 0


def run_logs(args: argparse.Namespace) -> int:
    """`agentic-rl logs R`."""
    lang = _lang(args)
    record = find_run(args.reference)
    try:
        pattern = re.compile(args.grep) if args.grep else None
    except re.error as error:
        sys.stderr.write(text("run.bad_pattern", lang, pattern=args.grep, error=error) + "\n")
        return 2
    path = Path(record.directory) / LOG
    try:
        print_log(record, path, sys.stdout, args.lines, pattern, args.follow)
    except FileNotFoundError as error:
        sys.stderr.write(text("run.no_log", lang, path=path, error=error.strerror) + "\n")
        return 1
    return 0


def run_metrics(args: argparse.Namespace) -> int:
    """`agentic-rl metrics R|LOGFILE`; a file is read as a log, whoever wrote it."""
    lang = _lang(args)
    path = Path(args.reference).expanduser()
    if path.is_file():
        try:
            rows = rows_of_log(path)
        except OSError as error:
            sys.stderr.write(text("run.no_log", lang, path=path, error=error.strerror) + "\n")
            return 2
    else:
        record = find_run(args.reference)
        path = Path(record.directory)
        rows = metrics_of(record)
    if args.json:
        print_json(rows, sys.stdout)
    elif args.csv:
        print_csv(rows, sys.stdout)
    elif rows:
        print_table(rows, sys.stdout, lang)
    if not rows:
        sys.stderr.write(text("run.no_metrics", lang, path=path) + "\n")
        return 1
    return 0


def run_stop(args: argparse.Namespace) -> int:
    """`agentic-rl stop R`."""
    lang = _lang(args)
    record = find_run(args.reference)
    if record.state in ENDED and record.state != "lost":
        state = text(f"state.{record.state}", lang)
        sys.stdout.write(text("not_running", lang, id=record.id, state=state) + "\n")
        return 0
    record = stop_run(record, now=args.now)
    sys.stdout.write(text("stopped", lang, id=record.id) + "\n")
    return 0
