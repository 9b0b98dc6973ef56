"""Makes the quick start's tiny model and data, in the training interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO

from ..inside import INSIDE
from ..launch.prepare import Prepared, Wish
from ..launch.texts import say


def missing_quick_data(prepared: Prepared, wish: Wish) -> Path | None:
    """The folder that has to be made before a run of a file; None where the file needs none, or has it."""
    from ...check import QUICK_KEYS, quick_data_folder

    if not _made_at_start(prepared) & QUICK_KEYS:
        return None
    folder = quick_data_folder(prepared.document)
    return None if folder is None else wish.config.resolve().parent / Path(folder).expanduser()


def missing_example(prepared: Prepared, wish: Wish) -> Path | None:
    """Where the worked example's wrapper has to be written before a run; None where it is there, or not asked for."""
    from ...check import example_wrapper

    path = example_wrapper(prepared.document)
    if path is None or "agent_engine_wrapper_path" not in _made_at_start(prepared):
        return None
    return wish.config.resolve().parent / Path(path).expanduser()


def _made_at_start(prepared: Prepared) -> frozenset[str]:
    if prepared.target != "local":
        return frozenset()
    return frozenset(problem.key for problem in prepared.problems if problem.code == "path-made-at-start")


def make_example(path: Path, lang: str, words: TextIO) -> int:
    """Write the worked example's wrapper; 0, or exit code 2 when it can't be written."""
    from ...catalogue.agents import EXAMPLE, wrapper_source
    from ...document import write_atomically

    os.umask(0o027)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, wrapper_source(EXAMPLE, EXAMPLE, lang), new=True)
    except FileExistsError:
        return 0  # made by somebody else meanwhile
    except OSError as error:
        print(say("quick.no_wrapper", lang, path=path, error=error.strerror or error), file=sys.stderr)
        return 2
    print(say("quick.wrapper", lang, path=path), file=words, flush=True)
    return 0


def make_quick_data(out: Path, python: str, seed: int, lang: str, words: TextIO, task: str = "addition") -> int:
    """Make model and data and show the progress; takes some ten seconds.

    Args:
        out: the folder; it appears whole or not at all.
        python: the training interpreter.
        seed: of the split, the weights and the warm-up.
        lang: ``en`` or ``zh``.
        words: where the progress goes.
        task: ``addition``, or ``guess`` for the agent example.

    Returns:
        0, or the exit code of the command: 3 environment, 130 interrupted.
    """
    print(say("quick.prepare", lang, directory=out), file=words, flush=True)
    argv = [python, "-m", "agentic_rl_inside.quickstart", "--out", str(out), "--seed", str(seed), "--json"]
    argv += ["--task", task]
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
