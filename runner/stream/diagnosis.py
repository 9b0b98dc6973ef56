"""The result of reading a log for why the training failed, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, with the line it was read from.

    Attributes:
        id: of the failure catalogue; ``unknown`` (an error that it doesn't know), ``exit`` or ``killed`` (no error
            in the log, only the way it ended).
        line: number of the line in the file (from 1, as ``grep -n`` counts); None where no line tells it.
        excerpt: the line as plain text, cut.
        cause: what went wrong, by language; ``remedy`` what to do.
        parameters: parameters and environment variables to change.
    """

    id: str
    line: int | None
    excerpt: str
    cause: Texts
    remedy: Texts
    parameters: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """With the texts of every language, for run.json and events."""
        return {
            "id": self.id,
            "line": self.line,
            "excerpt": self.excerpt,
            "cause": dict(self.cause),
            "remedy": dict(self.remedy),
            "parameters": list(self.parameters),
        }


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a log tells about its end.

    Attributes:
        failed: whether the training failed (False while it may be going on).
        causes: the first cause first; empty unless it failed.
        remarks: what is worth knowing and no reason for a failure.
        last_step: the last step with metrics; ``total`` how many there would be.
        finished: the log shows the end of a whole training.
    """

    failed: bool
    causes: tuple[Cause, ...] = ()
    remarks: tuple[Cause, ...] = ()
    last_step: int | None = None
    total: int | None = None
    finished: bool = False
