"""What a rehearsal says: at the start what was changed, at the end what it proved and what it found in the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from ...facts.checkpoints import look_at_checkpoints
from ..check.report import write_problems
from ..launch.show_notes import note_lines
from ..show_columns import columns
from .findings import findings
from .texts import say
from .traces import Traces, traces_of

if TYPE_CHECKING:
    from ...backends.plan import Plan
    from ...process.record import RunRecord
    from ..launch.prepare import Prepared


def announce(plan: Plan, lang: str, words: TextIO) -> None:
    """Say that it is a rehearsal, and list what was changed for it."""
    print(say("title", lang), file=words)
    for kind in ("scaled", "ignored"):
        notes = [note for note in plan.notes if note.kind == kind and (note.before, note.after) != (None, None)]
        if notes:
            print(say(kind, lang), file=words)
            for line in note_lines(notes, lang, columns() - 2):
                print(f"  {line}", file=words)
    words.flush()


def conclude(record: RunRecord, prepared: Prepared, lang: str, words: TextIO) -> None:
    """Say what was proved, what can't be, and what is wrong in the file, with its lines."""
    traces = traces_of(record)
    if record.state == "finished":
        print("\n" + say("proved", lang), file=words)
        for line in _proved(record, prepared, traces, lang):
            print(f"  - {line}", file=words)
        print("\n" + say("unproved", lang), file=words)
        for name in ("unproved.devices", "unproved.engine", "unproved.learning"):
            print(f"  - {say(name, lang)}", file=words)
    found = findings(record, prepared, traces)
    print("\n" + say("findings" if found else "nothing_found", lang), file=words)
    write_problems(str(prepared.document.path), found, cast("Any", lang), words)
    words.flush()


def _proved(record: RunRecord, prepared: Prepared, traces: Traces, lang: str) -> list[str]:
    plan = prepared.plan
    estimator = plan.overrides.get("algorithm.adv_estimator", "gae") if plan is not None else "?"
    lines = [say("data", lang, prompts=traces.prompts, cut=traces.cut, left_out=traces.left_out)]
    if traces.rewards:
        distinct, least, most = len(set(traces.rewards)), min(traces.rewards), max(traces.rewards)
        lines.append(say("reward", lang, count=len(traces.rewards), distinct=distinct, least=least, most=most))
    validated = say("yes" if traces.validated else "no", lang)
    lines.append(say("steps", lang, steps=traces.steps, estimator=estimator, validated=validated))
    found = look_at_checkpoints(Path(record.checkpoint_dir))
    whole = found.step > 0 and found.complete
    lines.append(say("checkpoint", lang, step=found.step) if whole else say("no_checkpoint", lang))
    return lines
