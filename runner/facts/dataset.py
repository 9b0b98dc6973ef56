"""What is known of the training data as a whole, whoever told it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """The training data.

    Attributes:
        columns: names of the columns, fields of a nested column dotted; None when nothing is known of them.
        rows: number of rows.
        longest_prompt: tokens of the longest prompt.
    """

    columns: tuple[str, ...] | None = None
    rows: int | None = None
    longest_prompt: int | None = None
