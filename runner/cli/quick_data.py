"""Makes the quick start's tiny model and data, in the training interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO

from .prepare import INSIDE, Prepared, Wish
from .texts_run import say


def missing_quick_data(prepared: Prepared, wish: Wish) -> Path | None:
    """The folder that has to be made before a run of a file; None where the file needs none, or has it."""
    from ..check import quick_data_folder

    if prepared.target != "local" or not any(problem.code == "path-made-at-start" for problem in prepared.problems):
        return None
    folder = quick_data_folder(prepared.document)
    return None if folder is None else wish.config.resolve().parent / Path(folder).expanduser()


def make_quick_data(out: Path, python: str, seed: int, lang: str, words: TextIO) -> int:
    """Make model and data and show the progress; takes some ten seconds.

    Args:
        out: the folder; it appears whole or not at all.
        python: the training interpreter.
        seed: of the split, the weights and the warm-up.
        lang: ``en`` or ``zh``.
        words: where the progress goes.

    Returns:
        0, or the exit code of the command: 3 environment, 130 interrupted.
    """
    print(say("quick.prepare", lang, directory=out), file=words, flush=True)
    argv = [python, "-m", "agentic_rl_inside.quickstart", "--out", str(out), "--seed", str(seed), "--json"]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    # Threads that wait for each other on busy cores cost a tiny model ten times what they save.
    env["OMP_NUM_THREADS"] = "1"
    env["PYTHONPATH"] = os.pathsep.join(p for p in (str(INSIDE), os.environ.get("PYTHONPATH", "")) if p)
    try:
        child = subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        print(say("run.not_started", lang, program=python, error=error.strerror or error), file=sys.stderr)
        return 3
    with child:
        live = words.isatty()
        try:
            for line in child.stdout or ():
                _progress(line, lang, words)
            errors = child.stderr.read() if child.stderr else ""
        except KeyboardInterrupt:
            child.terminate()
            child.wait()
            return 130
    if live:
        print("\r\x1b[K", end="", file=words)
    if child.returncode:
        last = errors.strip().splitlines()[-1:] or ["?"]
        print(say("quick.no_prepare", lang, code=child.returncode, error=last[0]), file=sys.stderr)
        return 3
    return 0


def _progress(line: str, lang: str, words: TextIO) -> None:
    try:
        message: dict[str, Any] = json.loads(line)
    except ValueError:
        return
    if message.get("stage") == "warm-up":
        said = say("quick.warm_up", lang, **{k: message[k] for k in ("step", "of", "loss")})
        if words.isatty():
            print(f"\r  {said}\x1b[K", end="", file=words, flush=True)
        elif message["step"] == message["of"]:
            print(f"  {said}", file=words, flush=True)
