"""The verl versions whose keys are known, and which of them stands for any other version."""

from __future__ import annotations

import re

VERL_VERSIONS: tuple[str, ...] = (
    "0.4.0", "0.4.1", "0.5.0", "0.6.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1", "main",
)  # fmt: skip
NEWEST_VERL = "0.9.1"
AGENTSDK_VERL = "0.5.0"

_NUMBERS = re.compile(r"\d+")


def version_key(text: str) -> tuple[int, ...]:
    """Sortable form of a version; ``main`` is newer than all, three numbers are compared (suffixes ignored)."""
    if text.strip().lower() in {"main", "head", "master"}:
        return (1_000_000, 0, 0)
    release = re.split(r"[^0-9.]", text.strip().lstrip("vV"), maxsplit=1)[0]
    numbers = [int(n) for n in _NUMBERS.findall(release)][:3]
    return tuple(numbers + [0] * (3 - len(numbers)))


def known_verl(version: str) -> str:
    """The known verl whose keys are taken for ``version``: itself, else the nearest older one, else the oldest."""
    key = version_key(version)
    older = [v for v in VERL_VERSIONS if version_key(v) <= key]
    return older[-1] if older else VERL_VERSIONS[0]
