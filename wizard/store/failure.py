"""Why a training failed, as the run view shows it: from the events of a run, or from a log that nobody watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...runner.process.masking import mask_text


@dataclass(slots=True)
class Failure:
    """The first cause.

    Attributes:
        causes: a text, or one in both languages; ``remedies`` likewise.
        line: number of its line in the log, None where it has none.
        excerpt: that line; ``parameters`` what to change.
    """

    causes: Any
    remedies: Any = ""
    line: int | None = None
    excerpt: str = ""
    parameters: tuple[str, ...] = ()

    @property
    def cause(self) -> str:
        """What went wrong, in the language in use where both are known."""
        return _text(self.causes)

    @property
    def remedy(self) -> str:
        """What to change, "" when that isn't known."""
        return _text(self.remedies)


def failure_of_event(event: Mapping[str, Any]) -> Failure | None:
    """The failure that an event of the kind ``failure`` tells."""
    cause = event.get("cause") or event.get("message") or event.get("excerpt") or event.get("id")
    if not cause:
        return None
    line, parameters = event.get("line"), event.get("parameters")
    return Failure(
        cause,
        event.get("remedy"),
        line if isinstance(line, int) else None,
        str(event.get("excerpt") or ""),
        tuple(map(str, cast("list[Any]", parameters))) if isinstance(parameters, list) else (),
    )


def failure_of_log(log: Path, failed: bool | None = None) -> Failure | None:
    """The first cause that a log tells, by the failure catalogue.

    Args:
        log: any training log.
        failed: True where the training is known to have failed.
    """
    from ...runner.catalogue.failures import load_failures
    from ...runner.stream import diagnose_log, read_signatures

    try:
        found = diagnose_log(log, read_signatures(load_failures()), failed)
    except OSError:
        return None
    if not found.causes:
        return None
    first = found.causes[0]
    return Failure(first.cause, first.remedy, first.line, mask_text(first.excerpt), first.parameters)


def _text(value: Any) -> str:
    """A text of an event, which may be one in both languages."""
    if isinstance(value, Mapping):
        from ..i18n import language

        texts = cast("Mapping[str, Any]", value)
        return str(texts.get(language()) or texts.get("en") or "")
    return "" if value is None else str(value)
