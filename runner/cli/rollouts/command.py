"""The command `rollouts`: the trajectories of a run, or of any dump."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from ...process.index import RunNotFound, find_run
from ...process.record import RECORD, RunRecord
from ...process.rollout_places import rollout_places, why_none
from ...stream.rollout_summary import ONLY, SORTS, only_entries, sort_entries, summary_of
from ...stream.rollout_types import Entry, StepInfo
from ...stream.rollouts import Place, RolloutStore
from ..locale_language import language
from ..runs.not_found import not_found_text
from .output import as_json, head_line, print_steps, print_table, print_whole
from .texts import text

_LIMIT = 50


def add_parsers(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add `rollouts`; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()

    def words(key: str) -> str:
        return text(key, lang).replace("%", "%%")

    parser = subparsers.add_parser("rollouts", help=words("desc"), description=words("desc"))
    parser.add_argument("reference", metavar="R|DIR|FILE", help=words("help.reference"))
    parser.add_argument("--step", type=int, metavar="N", help=words("help.step"))
    parser.add_argument("--validation", action="store_true", help=words("help.validation"))
    parser.add_argument("--steps", action="store_true", help=words("help.steps"))
    parser.add_argument("--sort", choices=SORTS, default="order", help=words("help.sort"))
    parser.add_argument("--only", choices=ONLY, default="all", help=words("help.only"))
    parser.add_argument("--grep", metavar="TEXT", help=words("help.grep"))
    parser.add_argument("--limit", type=_limit, default=_LIMIT, metavar="K", help=words("help.limit"))
    parser.add_argument("--index", type=_limit, metavar="I", help=words("help.index"))
    parser.add_argument("--full", action="store_true", help=words("help.full"))
    parser.add_argument("--json", action="store_true", help=words("help.json"))
    parser.add_argument("--lang", choices=["zh", "en"], help=words("help.lang"))
    parser.set_defaults(run=run_rollouts)


def _limit(value: str) -> int:
    if value.isdecimal():
        return int(value[:12])
    raise argparse.ArgumentTypeError(text("bad_limit", language(), value=value))


def run_rollouts(args: argparse.Namespace) -> int:
    """`agentic-rl rollouts R`.

    Returns:
        0 when there was something to show, 1 when there are no such trajectories, 2 when there is no such run.
    """
    lang = language(args.lang)
    path = Path(args.reference).expanduser()
    record: RunRecord | None = None
    if _of_dumps(path):
        store = RolloutStore([[Place(path)]])
    else:
        try:
            record = find_run(args.reference)
        except RunNotFound as error:
            return _tell(not_found_text(error, lang), 2)
        store = RolloutStore(rollout_places(record))
    while store.look():
        pass
    steps = [info for info in store.steps() if info.validation or not args.validation]
    if not steps:
        return _tell(_why(record, path, lang), 1)
    if args.steps:
        print_steps(((info, summary_of(store.entries(info))) for info in steps), sys.stdout, lang)
        return 0
    info = _chosen(steps, args.step, args.validation)
    if info is None:
        kind = text(f"kind.{'validation' if args.validation else 'training'}", lang)
        known = _ranges([one.step for one in steps if one.validation == args.validation])
        return _tell(text("no_step", lang, kind=kind, step=args.step, steps=known), 1)
    return _show(store, info, args, lang)


def _chosen(steps: list[StepInfo], step: int | None, validation: bool) -> StepInfo | None:
    """The step asked for; else the newest, of training where there is any."""
    kind = [one for one in steps if one.validation == validation] or ([] if step is not None else steps)
    return next((one for one in reversed(kind) if step is None or one.step == step), None)


def _show(store: RolloutStore, info: StepInfo, args: argparse.Namespace, lang: str) -> int:
    entries = store.entries(info)
    if args.index is not None:
        chosen = entries[args.index : args.index + 1]
        if not chosen:
            return _tell(text("no_index", lang, step=info.step, last=len(entries) - 1), 1)
    else:
        chosen = sort_entries(only_entries(entries, args.only), args.sort)
        if args.grep:
            chosen = [one for one in chosen if _holds(store, one, args.grep)]
    shown = chosen[: args.limit] if args.limit else chosen
    full = args.full or args.index is not None
    if args.json:
        for one in shown:
            sys.stdout.write(as_json(one, store.read(one), full) + "\n")
    elif full:
        for one in shown:
            print_whole(one, store.read(one), store.raw(one), sys.stdout, lang)
    else:
        sys.stdout.write(head_line(info, summary_of(entries), lang) + "\n")
        if shown:
            print_table(shown, sys.stdout, lang, _columns())
    if not chosen:
        return _tell(text("none_match", lang, step=info.step), 1)
    if len(shown) < len(chosen):
        _tell(text("more", lang, n=len(chosen) - len(shown)), 0)
    return 0


def _holds(store: RolloutStore, entry: Entry, words: str) -> bool:
    """Whether the text of a trajectory holds some words; capitals matter only where they are asked for."""
    whole = store.words(entry)
    return words in (whole if words != words.lower() else whole.lower())


def _ranges(steps: list[int]) -> str:
    """``1–3, 5``: whole numbers, ascending, neighbours joined."""
    parts: list[list[int]] = []
    for step in steps:
        if parts and step == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], step]
        else:
            parts.append([step])
    return ", ".join("–".join(map(str, part)) for part in parts) or "-"


def _why(record: RunRecord | None, path: Path, lang: str) -> str:
    if record is None:
        return text("none.folder", lang, path=path)
    return text(f"none.{why_none(record)}", lang, backend=record.backend)


def _of_dumps(path: Path) -> bool:
    """Whether a path leads to somebody's dumps and not to a run of ours."""
    try:
        return path.is_file() or (path.is_dir() and not (path / RECORD).is_file())
    except (OSError, ValueError):  # too long for a path, or a NUL in it
        return False


def _columns() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else 160


def _tell(words: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(words + "\n")
    return code
