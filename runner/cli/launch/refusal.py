"""Why a start is refused: told, with its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from .prepare import Prepared

if TYPE_CHECKING:
    from ...catalogue import Language


def refuse(prepared: Prepared, lang: str) -> int:
    """Say what is wrong with the file or the environment; the exit code, 0 when nothing forbids a start."""
    from ...catalogue import Problem
    from ..check.report import FileReport, write_report

    def report(problems: Sequence[Problem]) -> None:
        found = FileReport(str(prepared.document.path), prepared.target, prepared.document, problems)
        write_report([found], cast("Language", lang), sys.stderr)

    if any(problem.level != "hint" for problem in prepared.problems):
        report(prepared.problems)
    if prepared.errors or not prepared.document.readable:
        # A file that is right, but for what can't be started here, is the environment's fault (design 8).
        return 3 if prepared.errors and all(p.code == "wrapper-needs-newer-verl" for p in prepared.errors) else 2
    if prepared.refusal is not None:
        refusal = prepared.refusal
        place = prepared.document.place(refusal.key)
        report([Problem("error", refusal.code, refusal.key, place.line, place.column, refusal.params)])
        return refusal.exit_code
    return 0
