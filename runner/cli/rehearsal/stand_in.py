"""Makes the stand-in of a rehearsal, in the training interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, TextIO

from ...backends.rehearsal import Rehearsal
from .rehearsal_for import manifest_of
from .texts import say


def make_stand_in(rehearsal: Rehearsal, python: str, inside: str, lang: str, words: TextIO) -> int:
    """Make model and tokenizer, or find them made, and tell what they are; takes about ten seconds once.

    Returns:
        0, or the exit code of the command: 3 environment, 130 interrupted.
    """
    made = manifest_of(rehearsal)
    if made is None:
        print(say("making", lang, directory=rehearsal.folder), file=words, flush=True)
        code = _make(json.dumps(dict(rehearsal.settings or {})), python, inside, lang)
        if code:
            return code
        made = manifest_of(rehearsal)
    if made is not None:
        _tell(made, lang, words)
    return 0


def _make(request: str, python: str, inside: str, lang: str) -> int:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPATH"] = os.pathsep.join(p for p in (inside, os.environ.get("PYTHONPATH", "")) if p)
    argv = [python, "-m", "agentic_rl_inside.standin", request]
    try:
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(say("not_made", lang, code="-", error=error.strerror or error), file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["?"]
        print(say("not_made", lang, code=done.returncode, error=last[0]), file=sys.stderr)
        return 3
    return 0


def _tell(made: dict[str, Any], lang: str, words: TextIO) -> None:
    why = made.get("without_tokenizer")
    tokenizer = say("byte_tokenizer", lang, why=why) if why else say("own_tokenizer", lang)
    architecture, parameters = made.get("architecture"), int(made.get("parameters") or 0)
    print(say("made", lang, architecture=architecture, parameters=parameters, tokenizer=tokenizer), file=words)
    if made.get("without_family"):
        print(say("other_family", lang, why=made["without_family"]), file=words)
    words.flush()
