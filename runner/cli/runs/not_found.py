"""What is said of a reference that means no run, or several."""

from __future__ import annotations

from ...process.index import RunNotFound
from .texts import text


def not_found_text(error: RunNotFound, lang: str) -> str:
    """The sentence, and below it the runs it may mean, or the names that are nearest."""
    key = "run.ambiguous" if error.matches else "run.not_found"
    lines = [text(key, lang, reference=error.reference)]
    lines += [
        f"  {run.id}  {run.project}/{run.experiment}  {text(f'state.{run.state}', lang)}" for run in error.matches
    ]
    if error.nearest and not error.matches:
        lines.append(text("run.nearest", lang, nearest=", ".join(error.nearest)))
    return "\n".join(lines)
