"""The launch plan for people."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import TextIO

from ...backends.plan import Plan
from ...catalogue.wrap import wrap
from ...process.masking import mask_value
from ..show_columns import columns
from .show_notes import note_lines
from .texts import say
from .texts_backends import say as words


def show_plan(plan: Plan, lang: str, out: TextIO | None = None) -> None:
    """Print the plan: what, where, which checkpoint, the command and the environment; secrets are masked."""
    stream: TextIO = out or sys.stdout
    steps = str(plan.total_steps) if plan.total_steps else say("plan.unknown_steps", lang)
    resume = plan.resume.reason[lang] if plan.resume else ""
    rows = [
        (say("plan.directory", lang), plan.cwd),
        (say("plan.checkpoints", lang), "\n".join([plan.checkpoint_dir, *wrap(resume, columns() - 2)])),
        (say("plan.steps", lang), steps),
    ]
    backend = f"{plan.backend} {plan.backend_version}".rstrip()
    print(say("plan.title", lang, backend=backend, device=plan.device), file=stream)
    for label, value in rows:
        _block(label, value.splitlines(), stream)
    beside = [note for note in plan.notes if note.kind in ("info", "warning")]
    scaled = [note for note in plan.notes if note.kind == "scaled"]
    differing = [note for note in plan.notes if note not in beside and note not in scaled]
    groups = (("plan.scaled", scaled), ("plan.notes", differing), ("plan.info", beside))
    for title, notes in groups:
        if notes:
            label = words(title, lang) if title == "plan.info" else say(title, lang)
            _block(label, note_lines(notes, lang, columns() - 2), stream)
    _environment(plan, lang, stream)
    if plan.files:
        _block(
            words("plan.files", lang),
            [f"{name}  ({len(text.encode())} B)" for name, text in plan.files.items()],
            stream,
        )
    head, *tail = command_pieces(plan.argv)
    if len(tail) < 2:
        head, tail = " ".join([head, *tail]), []
    _block(say("plan.command", lang), [head + (" \\" if tail else ""), *_continued(tail)], stream)


def _environment(plan: Plan, lang: str, stream: TextIO) -> None:
    """Each variable with its reason below it; then what is taken away."""
    lines: list[str] = []
    for name, value in sorted(plan.env.items()):
        lines.append(f"{name}={mask_value(value, name)}")
        if reason := plan.env_reasons.get(name):
            lines += [f"    # {line}" for line in wrap(reason[lang], columns() - 8)]
    for name in plan.unset:
        if name in os.environ:
            lines += [f"-{name}", f"    # {say('plan.unset', lang)}"]
    _block(say("plan.environment", lang), lines, stream)


def command_pieces(argv: Sequence[str]) -> list[str]:
    """The program with what belongs to it, then each option with its value, each setting; quoted for a shell."""
    pieces: list[list[str]] = [[*argv[:1]]]
    for item in argv[1:]:
        before = pieces[-1]
        opens = item.startswith("-") or "=" in item
        program = len(pieces) == 1 and before[-1:] != ["-m"]
        value = not opens and ((len(before) == 1 and before[0].startswith("--")) or len(pieces) == 1)
        if value or (program and item == "-m"):
            before.append(item)
        else:
            pieces.append([item])
    return [shlex.join(piece) for piece in pieces]


def _continued(items: list[str]) -> list[str]:
    last = len(items) - 1
    return [f"  {item}" + (" \\" if index < last else "") for index, item in enumerate(items)]


def _block(label: str, lines: list[str], stream: TextIO) -> None:
    print(f"\n{label}", file=stream)
    for line in lines:
        print(f"  {line}", file=stream)
