"""Versions of the software: order and ranges such as ``<=0.5``, ``>=0.6``, ``0.6-0.7.1``."""

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


def in_range(version: str, spec: str) -> bool:
    """Whether ``version`` lies in ``spec``: ``""`` always, ``>=a``, ``<=a``, ``<a``, ``a-b`` (both included), ``a``.

    ``<=0.5`` includes 0.5.x: a bound with two numbers stands for its whole series.
    """
    spec = spec.strip()
    if not spec:
        return True
    key = version_key(version)
    if spec.startswith((">=", "<=")):
        bound = spec[2:].strip()
        width = len(_NUMBERS.findall(bound)) or 3
        return key >= version_key(bound) if spec.startswith(">=") else key[:width] <= version_key(bound)[:width]
    if spec.startswith("<"):
        return key < version_key(spec[1:])
    if "-" in spec:
        low, _, high = spec.partition("-")
        return in_range(version, f">={low}") and in_range(version, f"<={high}")
    return key == version_key(spec)


def known_verl(version: str) -> str:
    """The known verl whose keys are taken for ``version``: itself, else the nearest older one, else the oldest."""
    key = version_key(version)
    older = [v for v in VERL_VERSIONS if version_key(v) <= key]
    return older[-1] if older else VERL_VERSIONS[0]
