"""Ray's token: newer releases start a cluster with token authentication wherever a token exists, and whoever joins it
must say so. A driver that does not is told "Failed to connect" and nothing else (measured with Ray 2.60.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

MODE = "RAY_AUTH_MODE"


def token_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What to set so that a driver or node joins a cluster with the token that is there; nothing where the user chose.

    The token is in ``RAY_AUTH_TOKEN``, in the file that ``RAY_AUTH_TOKEN_PATH`` names, or in ``~/.ray/auth_token``; it
    is not read here. A cluster without authentication takes a driver with a token, and older releases know neither.
    """
    if MODE in environment:
        return {}
    if environment.get("RAY_AUTH_TOKEN"):
        return {MODE: "token"}
    path = environment.get("RAY_AUTH_TOKEN_PATH") or str(Path(environment.get("HOME", "/")) / ".ray" / "auth_token")
    try:
        return {MODE: "token"} if Path(path).is_file() else {}
    except (OSError, ValueError):
        return {}
