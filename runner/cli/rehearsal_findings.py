"""What a rehearsal found, as problems of the person's own file, with line and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..backends.file_keys import FileKeys
from ..catalogue import Level, Problem
from ..process.masking import mask_text
from .rehearsal_traces import Traces

if TYPE_CHECKING:
    from ..document import Document
    from ..process.record import RunRecord
    from .prepare import Prepared


def findings(record: RunRecord, prepared: Prepared, traces: Traces) -> list[Problem]:
    """Why it failed, and what is doubtful where it did not; sorted by line."""
    return []
