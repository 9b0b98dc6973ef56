"""Several attempts of one experiment as one curve: a later attempt wins from its first step on (design 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Row = tuple[int, dict[str, float]]


def merge_steps(rows: Iterable[tuple[int, Mapping[str, float]]]) -> list[Row]:
    """One row a step, ascending; of several rows of a step (training, then validation) later keys win."""
    steps: dict[int, dict[str, float]] = {}
    for step, data in rows:
        steps.setdefault(step, {}).update(data)
    return sorted(steps.items())


def join_attempts(attempts: Iterable[Iterable[tuple[int, Mapping[str, float]]]]) -> list[Row]:
    """Join attempts, oldest first.

    A resumed attempt repeats the steps after its checkpoint: what the earlier attempt had from there on is what
    the model no longer is, so it goes.
    """
    joined: list[Row] = []
    for attempt in attempts:
        rows = merge_steps(attempt)
        if rows:
            joined = [row for row in joined if row[0] < rows[0][0]] + rows
    return joined
