"""The command `quickstart` (`make demo`): a real training run on this CPU, and what it learned, honestly told."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...facts.training import default_python
from ...process.record import RunRecord
from ..launch.prepare import Wish
from ..launch.texts import say
from ..locale_language import language
from .data import make_example, make_quick_data

MORE = 12


@dataclass(frozen=True)
class Demo:
    """One of the two quick starts.

    Attributes:
        template: of the configuration.
        folder: where everything goes unless the person says.
        config: name of the configuration's file.
        data: folder of model and data below it.
        task: of `make_quick_data`.
        steps: of a first run.
        save: steps between checkpoints.
        wrapper: name of the agent wrapper's file, "" without one.
        words: text that tells the task.
    """

    template: str
    folder: str
    config: str
    data: str
    task: str
    steps: int
    save: int
    wrapper: str
    words: str


SUMS = Demo("local-quickstart", "quickstart", "quickstart.yaml", "tiny", "addition", 36, 12, "", "quick.task")
GAMES = Demo(
    "local-agent", "quickstart-agent", "agent.yaml", "game", "guess", 24, 12, "guess_the_number.py", "quick.game"
)


def add_parsers(subparsers: Any) -> None:
    """Add the command."""
    lang = language()
    parser = subparsers.add_parser(
        "quickstart", help=say("desc.quickstart", lang), description=say("desc.quickstart", lang)
    )
    parser.add_argument("--agent", action="store_true", help=say("help.agent", lang))
    parser.add_argument("--dir", metavar="DIR", help=say("help.dir", lang))
    parser.add_argument("--steps", type=_positive, metavar="N", help=say("help.steps", lang))
    parser.add_argument("--more", type=_positive, default=MORE, metavar="N", help=say("help.more", lang))
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=say("help.seed", lang))
    parser.add_argument("--python", metavar="P", help=say("help.python", lang))
    parser.add_argument("--plain", action="store_true", help=say("help.plain", lang))
    parser.add_argument("--lang", choices=["zh", "en"], help=say("help.lang", lang))
    parser.set_defaults(run=run_quickstart)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return number


def run_quickstart(args: argparse.Namespace) -> int:
    """Make or continue the quick start in a directory; exit codes as `run`."""
    from ..launch.launch import launch
    from .report import report_games, report_sums

    lang = language(args.lang)
    demo = GAMES if args.agent else SUMS
    folder = Path(args.dir or demo.folder).absolute()
    python = default_python(args.python)
    config = folder / demo.config
    if config.exists():
        _go_on(config, int(args.more), lang)
    else:
        code = _make(demo, folder, python, args, lang)
        if code:
            return code
    print(say(demo.words, lang))
    sys.stdout.flush()
    wish = Wish(config=config, python=python, workdir=folder, run_dir=folder / "runs" / "RUN_DIRECTORY", local=True)
    screen = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not args.plain
    report = report_games if args.agent else report_sums
    closing: Callable[[RunRecord], None] = lambda record: report(record, folder / demo.data, config, lang)  # noqa: E731
    return launch(wish, lang, tui=screen, closing=closing)


def _make(demo: Demo, folder: Path, python: str, args: argparse.Namespace, lang: str) -> int:
    """Model, data, wrapper, configuration; 0 or the exit code."""
    from ...catalogue import render_template
    from ...document import write_atomically

    os.umask(0o027)
    folder.mkdir(parents=True, exist_ok=True)
    code = make_quick_data(folder / demo.data, python, int(args.seed), lang, sys.stdout, demo.task)
    if not code and demo.wrapper:
        code = make_example(folder / demo.wrapper, lang, sys.stdout)
    if code:
        return code
    steps = int(args.steps or demo.steps)
    values = {
        "tokenizer_name_or_path": f"{demo.data}/model",
        "verl.train_files": f"{demo.data}/train.parquet",
        "verl.val_files": f"{demo.data}/heldout.parquet",
        "verl.total_training_steps": steps,
        "verl.save_freq": min(demo.save, steps),
    }
    write_atomically(folder / demo.config, render_template(demo.template, cast("Any", lang), values))
    return 0


def _go_on(config: Path, more: int, lang: str) -> None:
    """Raise the number of steps when the earlier ones are done; an unfinished run just goes on."""
    from ...backends.source import source_of
    from ...document import read_document, set_value, write_atomically
    from ...facts.checkpoints import look_at_checkpoints

    document = read_document(config)
    total = document.get("verl.total_training_steps")
    if not document.readable or not isinstance(total, int):
        return  # the person's own edit; the check that follows says what is wrong with it
    done = look_at_checkpoints(source_of(document).checkpoint_directory(config.parent, config.parent)).step
    goal = total if done < total else done + more
    print(say("quick.again", lang, config=config, done=done, total=total, goal=goal))
    if goal != total:
        write_atomically(config, set_value(document.text, "verl.total_training_steps", goal), document.text)
