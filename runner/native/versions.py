"""The verl versions whose keys are known, and which of them stands for any other version."""

from __future__ import annotations

from ..catalogue.verl_table import NEWEST
from ..catalogue.versions import version_key

VERL_VERSIONS: tuple[str, ...] = (
    "0.4.0", "0.4.1", "0.5.0", "0.6.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1", "main",
)  # fmt: skip
NEWEST_VERL = NEWEST
AGENTSDK_VERL = "0.5.0"  # the verl whose keys AgentSDK 26.0.0 hands over


def known_verl(version: str, without: str = NEWEST_VERL) -> str:
    """The known verl that stands for ``version``: itself, else the nearest older one, else the oldest.

    Args:
        version: as installed or as a person gives it (``0.5.0``, ``v0.8``, ``0.4.x``, ``main``).
        without: the answer for a text that names no version (``""``, ``any``).
    """
    key = version_key(version)
    if not key:
        return without
    older = [v for v in VERL_VERSIONS if version_key(v) <= key]
    return older[-1] if older else VERL_VERSIONS[0]


def is_older_than_known(version: str) -> bool:
    """Whether a version is older than every known one, and judged as the oldest known."""
    key = version_key(version)
    return bool(key) and key < version_key(VERL_VERSIONS[0])
