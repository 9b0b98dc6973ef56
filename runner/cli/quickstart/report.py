"""What the quick start says at its end: what was learned, on what, measured how."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...check.quick_data import EXAMPLE_FILE
from ...process.record import RunRecord
from ..launch.launch import MEAN_OVER
from ..launch.texts import say

# Prefixes of verl's validation metrics of our data sources.
_SUMS = "val-core/agentic_rl/addition/"
_GAMES = "val-aux/agentic_rl/guess/traj_res_reward/mean"
_TURNS = ("traj/steps_mean", "traj/steps/mean")
_CALLS = ("traj/toolcall_reward_mean", "traj/toolcall_reward/mean")

Row = tuple[int, Mapping[str, float]]


def report_sums(record: RunRecord, data: Path, config: Path, lang: str) -> None:
    """Held-out accuracy before and after, as verl's own validation measured it, over all attempts."""
    rows = _rows(record)
    if (ends := _ends(rows, _SUMS)) is not None:
        print(say("quick.held_out", lang, **_told(ends, lang), rows=_held_out_rows(data)))
    print(say("quick.next", lang, program=_program(), config=config))


def report_games(record: RunRecord, data: Path, config: Path, lang: str) -> None:
    """Turns and tool calls over the first and the last steps; held-out games won before and after."""
    rows = _rows(record)
    turns, calls = _first_and_last(rows, _TURNS), _first_and_last(rows, _CALLS)
    if turns is not None and calls is not None:
        print(
            say("quick.turns", lang, first=turns[0], last=turns[1], n=turns[2], calls_first=calls[0],
                calls_last=calls[1])
        )  # fmt: skip
    if (ends := _ends(rows, _GAMES)) is not None:
        print(say("quick.games", lang, **_told(ends, lang), rows=_held_out_rows(data)))
    wrapper = config.parent / EXAMPLE_FILE
    print(say("quick.next_agent", lang, program=_program(), config=config, wrapper=wrapper))


def _rows(record: RunRecord) -> list[Row]:
    from ...process.follow import metrics_of

    return [(step, data) for step, data, *_ in metrics_of(record)]


def _ends(rows: Sequence[Row], prefix: str) -> tuple[int, float, int, float] | None:
    """Step and value of the first and the last validation; None with fewer than two."""
    found: dict[int, float] = {}
    for step, data in rows:
        values = [value for key, value in data.items() if key.startswith(prefix)]
        if values:
            found[step] = values[0]
    if len(found) < 2:
        return None
    first, last = min(found), max(found)
    return first, found[first], last, found[last]


def _told(ends: tuple[int, float, int, float], lang: str) -> dict[str, object]:
    first, before, last, after = ends
    start = say("quick.before", lang) if first == 0 else say("quick.after", lang, step=first)
    return {"before": before, "before_when": start, "after": after, "after_when": say("quick.after", lang, step=last)}


def _first_and_last(rows: Sequence[Row], names: Sequence[str]) -> tuple[float, float, int] | None:
    """Mean over the first and over the last few steps, and how few."""
    values = [data[name] for _, data in rows for name in names if name in data]
    count = max(1, min(MEAN_OVER, len(values) // 2))
    return (sum(values[:count]) / count, sum(values[-count:]) / count, count) if values else None


def _program() -> str:
    """How the person can call the command again: by its name where that finds it, else as it was called."""
    found = shutil.which("agentic-rl")
    own = Path(sys.argv[0])
    return "agentic-rl" if found and own.exists() and Path(found).samefile(own) else sys.argv[0]


def _held_out_rows(data: Path) -> str:
    try:
        made: dict[str, Any] = json.loads((data / "quickstart.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "?"
    return str(made.get("held_out_prompts", "?"))
