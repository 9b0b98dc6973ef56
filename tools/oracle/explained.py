"""The disagreements that are known: how many of each kind a release may have, and why (tests/oracle/explained.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from .records import DATA


@dataclass(frozen=True, slots=True)
class Explained:
    """A disagreement that is known.

    Attributes:
        kind: ``miss`` or ``false-alarm``.
        reason: as `compare.Outcome` has it.
        most: release -> how many there may be.
        why: the explanation in zh and en.
    """

    kind: str
    reason: str
    most: Mapping[str, int]
    why: Mapping[str, str]


@lru_cache(maxsize=1)
def explained() -> tuple[Explained, ...]:
    """All of them."""
    entries: list[Mapping[str, Any]] = yaml.safe_load((DATA / "explained.yaml").read_text(encoding="utf-8")) or []
    return tuple(Explained(e["kind"], e["reason"], e["most"], e["why"]) for e in entries)


def allowed(kind: str, release: str) -> dict[str, int]:
    """Reason -> how many outcomes of a kind are explained for a release."""
    return {e.reason: e.most[release] for e in explained() if e.kind == kind and release in e.most}
