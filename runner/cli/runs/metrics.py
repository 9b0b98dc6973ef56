"""`agentic-rl metrics`: the metrics of a run or of any log, as a table, JSON lines or CSV."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ...stream import (
    JsonLines,
    LineSplitter,
    MetricReader,
    Row,
    finite_or_none,
    merge_steps,
    metric_row,
    reward_of,
)
from ..columns import table
from .texts import text

# The columns of the table: title, keys in order of preference over the software's generations.
_COLUMNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("length", ("response_length/mean",)),
    ("entropy", ("actor/entropy", "actor/entropy_loss")),
    ("kl", ("actor/ppo_kl", "actor/kl_loss")),
    ("loss", ("actor/pg_loss", "actor/loss", "train/loss")),
    ("seconds", ("timing_s/step", "perf/time_per_step", "timing/all")),
)


def rows_of_log(path: Path) -> list[Row]:
    """Metric rows of any training log, or of a JSON-lines file of verl's ``file`` logger or ours.

    Raises:
        OSError: it can't be read.
    """
    rows: list[Row] = []
    splitter, reader = LineSplitter(), MetricReader()
    with path.open("rb") as stream:
        if stream.read(1) == b"{":
            found = [row for row in map(metric_row, JsonLines(path).read()) if row]
            if found:
                return merge_steps(found)
        stream.seek(0)
        while data := stream.read(1 << 20):
            rows += filter(None, map(reader.read, splitter.feed(data)))
    rows += filter(None, map(reader.read, splitter.close()))
    return merge_steps(rows)


def print_json(rows: Sequence[Row], out: TextIO) -> None:
    """One ``{"step": n, "data": {...}}`` a line, nan and inf as null."""
    for step, data in rows:
        out.write(json.dumps({"step": step, "data": finite_or_none(data)}, ensure_ascii=False) + "\n")


def print_csv(rows: Sequence[Row], out: TextIO) -> None:
    """A column for each key that any step has; empty where a step has it not or its value is not finite."""
    keys = list(dict.fromkeys(key for _, data in rows for key in data))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", *keys])
    for step, data in rows:
        values = (data.get(key, math.nan) for key in keys)
        writer.writerow([step, *(value if math.isfinite(value) else "" for value in values)])


def print_table(rows: Sequence[Row], out: TextIO, lang: str) -> None:
    """The metrics that people look at first."""
    head = [text(f"field.{name}", lang) for name in ("step", "reward", *(name for name, _ in _COLUMNS))]
    cells: list[list[str]] = []
    for step, data in rows:
        values = [reward_of(data)]
        values += [next((data[key] for key in keys if key in data), None) for _, keys in _COLUMNS]
        cells.append([str(step), *("-" if value is None else f"{value:.4g}" for value in values)])
    out.write("\n".join(table(head, cells)) + "\n")
