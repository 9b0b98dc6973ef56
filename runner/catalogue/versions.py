"""Versions and version ranges of the data files: ``""`` (every version), ``<0.6``, ``>=0.4.1``, ``>=0.6,<0.8``."""

from __future__ import annotations

import re
from functools import lru_cache

_CLAUSE = re.compile(r"(>=|<=|<|>|==)\s*(\d+(?:\.\d+)*)\Z")
_BRANCHES = ("main", "master", "head")


@lru_cache(maxsize=512)
def version_key(version: str) -> tuple[int, ...]:
    """Sortable form of a version, its first three numbers; ``main``, ``master`` and ``HEAD`` are newer than all.

    A text without any number (``""``, ``any``) sorts before every release.
    """
    text = version.strip().lower()
    if text.startswith(_BRANCHES):
        return (9999,)  # the development branch is newer than any release
    numbers = [int(part) for part in re.findall(r"\d+", text.partition("+")[0])[:3]]
    while numbers and numbers[-1] == 0:
        numbers.pop()  # 0.6 and 0.6.0 are one version
    return tuple(numbers)


def version_clauses(spec: str) -> list[tuple[str, str]]:
    """Split a version range into (operator, version) pairs.

    Raises:
        ValueError: the text is no version range.
    """
    clauses: list[tuple[str, str]] = []
    for part in filter(None, (piece.strip() for piece in spec.split(","))):
        match = _CLAUSE.match(part)
        if match is None:
            raise ValueError(f"not a version range: {spec!r}")
        clauses.append((match[1], match[2]))
    return clauses


def version_holds(spec: str, version: str) -> bool:
    """Tell whether ``version`` (``0.5.0``, ``main``) lies in the range ``spec``."""
    have = version_key(version)
    for operator, text in version_clauses(spec):
        bound = version_key(text)
        holds = {
            "<": have < bound,
            "<=": have <= bound,
            ">": have > bound,
            ">=": have >= bound,
            "==": have == bound,
        }[operator]
        if not holds:
            return False
    return True
