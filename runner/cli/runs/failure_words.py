"""The first cause of a failed run, as run.json holds it, in the words of one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...process.record import RunRecord


def first_cause(record: RunRecord, lang: str) -> list[tuple[str, str]]:
    """(``cause`` | ``remedy`` | ``parameters``, words) of a failed run; none where nothing is known."""
    first: Mapping[str, Any] = record.causes[0] if record.state == "failed" and record.causes else {}
    rows = [(name, _words(first.get(name), lang)) for name in ("cause", "remedy", "parameters")]
    return [(name, words) for name, words in rows if words]


def _words(value: Any, lang: str) -> str:
    if isinstance(value, Mapping):
        return str(cast("Mapping[str, Any]", value).get(lang, ""))
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[Any]", value)))
    return ""
