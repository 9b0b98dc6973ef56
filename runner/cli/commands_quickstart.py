"""The command `quickstart` (`make demo`): a real training run on this CPU, and what it learned, honestly told."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any, cast

from ..facts.training import default_python
from ..process.record import RunRecord
from .prepare import Wish
from .quick_data import make_quick_data
from .texts_run import say
from .texts_runs import language

TEMPLATE = "local-quickstart"
STEPS = 36
MORE = 12
HELD_OUT = "val-core/agentic_rl/addition/"  # verl's validation metric of our data source


def add_parsers(subparsers: Any) -> None:
    """Add the command."""
    lang = language()
    parser = subparsers.add_parser(
        "quickstart", help=say("desc.quickstart", lang), description=say("desc.quickstart", lang)
    )
    parser.add_argument("--dir", default="quickstart", metavar="DIR", help=say("help.dir", lang))
    parser.add_argument("--steps", type=_positive, default=STEPS, metavar="N", help=say("help.steps", lang))
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
    from .launch import launch

    lang = language(args.lang)
    folder = Path(args.dir).absolute()
    python = default_python(args.python)
    config = folder / "quickstart.yaml"
    if config.exists():
        _go_on(config, int(args.more), lang)
    else:
        code = _make(folder, config, python, args, lang)
        if code:
            return code
    print(say("quick.task", lang))
    sys.stdout.flush()
    wish = Wish(config=config, python=python, workdir=folder, run_dir=folder / "runs" / "RUN_DIRECTORY", local=True)
    screen = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not args.plain
    return launch(wish, lang, tui=screen, closing=lambda record: _report(record, folder, config, lang))


def _make(folder: Path, config: Path, python: str, args: argparse.Namespace, lang: str) -> int:
    """Model, data, configuration; 0 or the exit code."""
    from ..catalogue import render_template
    from ..document import write_atomically

    os.umask(0o027)
    folder.mkdir(parents=True, exist_ok=True)
    code = make_quick_data(folder / "tiny", python, int(args.seed), lang, sys.stdout)
    if code:
        return code
    values = {
        "tokenizer_name_or_path": "tiny/model",
        "verl.train_files": "tiny/train.parquet",
        "verl.val_files": "tiny/heldout.parquet",
        "verl.total_training_steps": int(args.steps),
        "verl.save_freq": min(12, int(args.steps)),
    }
    write_atomically(config, render_template(TEMPLATE, cast("Any", lang), values))
    return 0


def _go_on(config: Path, more: int, lang: str) -> None:
    """Raise the number of steps when the earlier ones are done; an unfinished run just goes on."""
    from ..backends.source import source_of
    from ..document import read_document, set_value, write_atomically
    from ..facts.checkpoints import look_at_checkpoints

    document = read_document(config)
    total = document.get("verl.total_training_steps")
    if not document.readable or not isinstance(total, int):
        return  # the person's own edit; the check that follows says what is wrong with it
    done = look_at_checkpoints(source_of(document).checkpoint_directory(config.parent, config.parent)).step
    goal = total if done < total else done + more
    print(say("quick.again", lang, config=config, done=done, total=total, goal=goal))
    if goal != total:
        write_atomically(config, set_value(document.text, "verl.total_training_steps", goal), document.text)


def _report(record: RunRecord, folder: Path, config: Path, lang: str) -> None:
    """Held-out accuracy before and after, as verl's own validation measured it, over all attempts."""
    from ..process.follow import metrics_of

    found: dict[int, float] = {}
    for step, data in metrics_of(record):
        values = [v for k, v in data.items() if k.startswith(HELD_OUT)]
        if values:
            found[step] = values[0]
    if len(found) >= 2:
        first, last = min(found), max(found)
        start = say("quick.before", lang) if first == 0 else say("quick.after", lang, step=first)
        rows = _held_out_rows(folder)
        print(
            say("quick.held_out", lang, before=found[first], before_when=start, after=found[last],
                after_when=say("quick.after", lang, step=last), rows=rows)
        )  # fmt: skip
    print(say("quick.next", lang, program=_program(), config=config))


def _program() -> str:
    """How the person can call the command again: by its name where that finds it, else as it was called."""
    found = shutil.which("agentic-rl")
    own = Path(sys.argv[0])
    return "agentic-rl" if found and own.exists() and Path(found).samefile(own) else sys.argv[0]


def _held_out_rows(folder: Path) -> str:
    try:
        made: dict[str, Any] = json.loads((folder / "tiny" / "quickstart.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "?"
    return str(made.get("held_out_prompts", "?"))
