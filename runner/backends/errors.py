"""Why a plan can't be made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class PlanError(Exception):
    """The configuration can't be started as asked.

    Attributes:
        code: problem code (templates/problems/), which holds the sentences in both languages.
        params: values for the placeholders of those sentences.
        key: the parameter it is about, or "".
        exit_code: 2 configuration or usage, 3 environment (design 8).
    """

    def __init__(self, code: str, params: Mapping[str, Any] | None = None, exit_code: int = 3, key: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, Any] = dict(params or {})
        self.exit_code = exit_code
        self.key = key
