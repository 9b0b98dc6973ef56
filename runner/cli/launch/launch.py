"""Starts a prepared run and watches it: what `run`, `quickstart` and the wizard's "save and run" share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ...catalogue.failures import load_failures
from ...check import quick_task
from ...process.directory import DirectoryRefused, next_run_directory
from ...process.record import ENDED, RunRecord
from ...process.start import StartFailed, start_run
from ..inside import INSIDE
from ..quickstart.data import make_example, make_quick_data, missing_example, missing_quick_data
from ..rehearsal.report import announce, conclude
from ..rehearsal.stand_in import make_stand_in
from .prepare import Prepared, Wish, prepare
from .refusal import refuse
from .screen import show_screen
from .texts import TEXTS, say

MEAN_OVER = 5  # steps: the first and the last so many are averaged for the closing line


def launch(
    wish: Wish,
    lang: str,
    *,
    detach: bool = False,
    tui: bool = False,
    json_lines: bool = False,
    closing: Callable[[RunRecord], None] | None = None,
) -> int:
    """Check, plan, start and, unless detached, watch.

    Args:
        wish: what to start and how.
        lang: language of the words.
        detach: return as soon as the training runs.
        tui: watch on the full screen.
        json_lines: one event a line.
        closing: prints further lines after a run that finished.

    Returns:
        Exit code: 0 finished, 1 training failed, 2 configuration or usage, 3 environment, 130 stopped.
    """
    words = sys.stderr if json_lines else sys.stdout
    prepared = prepare(wish)
    code = refuse(prepared, lang)
    wrapper, folder = (None, None) if code else (missing_example(prepared, wish), missing_quick_data(prepared, wish))
    if wrapper is not None:
        code = make_example(wrapper, lang, words)
    if folder is not None and not code:
        code = make_quick_data(folder, wish.python, 0, lang, words, quick_task(prepared.document))
    if (wrapper or folder) and not code:
        prepared = prepare(wish)  # with the facts about what is there now
        code = refuse(prepared, lang)
    rehearsal = prepared.request.rehearsal if prepared.request is not None else None
    if not code and rehearsal is not None:
        code = make_stand_in(rehearsal, wish.python, str(INSIDE), lang, words)
        prepared = prepared.with_stand_in(wish.run_dir)
    if code or prepared.plan is None:
        return code or 2
    if prepared.plan.rehearsal:
        announce(prepared.plan, lang, words)
    for note in prepared.plan.notes:
        if note.kind == "warning":
            print(f"{note.key}: {note.text[lang]}", file=sys.stderr)
    record = _start(prepared, wish, lang)
    if record is None:
        return 3
    print(say("run.started", lang, id=record.id, directory=record.directory), file=words)
    resume = prepared.plan.resume
    if resume is not None and resume.mode == "resume":
        print(say("run.resume", lang, step=resume.step, directory=resume.directory), file=words)
    words.flush()
    if detach:
        print(say("run.detached", lang, id=record.id), file=words)
        return 0
    if tui and show_screen(["attach", record.id, "--lang", lang]) == 0:
        record = RunRecord.read(record.directory)
        if record.state not in ENDED:
            return 0  # the screen has said how to come back
    code = watch_to_the_end(record, lang, json_lines, closing)
    if prepared.plan.rehearsal and code in (0, 1):
        conclude(RunRecord.read(record.directory), prepared, lang, words)
    return code


def watch_to_the_end(
    record: RunRecord, lang: str, json_lines: bool, closing: Callable[[RunRecord], None] | None
) -> int:
    """Watch a run; after its end say what the reward did and where everything lies."""
    from ..runs.watch import watch

    on_interrupt = "ask" if sys.stdin.isatty() and sys.stdout.isatty() else "stop"
    code = watch(record, json=json_lines, on_interrupt=on_interrupt, lang=lang)
    if not json_lines:
        if code == 0:
            _say_reward(record, lang)
            if closing is not None:
                closing(record)
        print(say("run.directory", lang, directory=record.directory))
    return code


def _start(prepared: Prepared, wish: Wish, lang: str) -> RunRecord | None:
    plan = prepared.plan
    if plan is None:
        return None
    try:
        directory = next_run_directory(run_root(wish.workdir), plan.project, plan.experiment, plain=plan.plain_paths)
        return start_run(
            prepared.plan_in(directory),
            prepared.document.text,
            run_root(wish.workdir),
            str(wish.config),
            directory=directory,
            versions=prepared.versions,
            failures=load_failures(),
        )
    except StartFailed as error:
        print(_failure(error, lang), file=sys.stderr)
    except DirectoryRefused as error:
        print(_failure(error, lang), file=sys.stderr)
    return None


def _failure(error: StartFailed | DirectoryRefused, lang: str) -> str:
    if error.code not in TEXTS:
        return str(error)
    wanted = {
        "directory": "",
        "run": "?",
        "pid": "?",
        "host": "?",
        "program": "",
        "error": "",
        "path": "",
        "owner": "?",
    }
    return say(error.code, lang, **{**wanted, **error.params})


def _say_reward(record: RunRecord, lang: str) -> None:
    from ...process.follow import progress_of

    progress = progress_of(record)
    steps = max(1, min(MEAN_OVER, len(progress.rewards) // 2))
    first, last = progress.mean_reward(steps, last=False), progress.mean_reward(steps)
    if first is not None and last is not None:
        print(say("run.reward", lang, first=first, last=last, n=steps))


def run_root(workdir: Path) -> Path:
    """Where the run directories of a working directory are."""
    return workdir / "runs"
