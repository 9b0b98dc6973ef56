"""A problem: what is wrong at which place, why, and what to do; its texts live in templates/problems/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "warning", "hint"]
Language = Literal["en", "zh"]

LEVEL_ORDER: dict[str, int] = {"error": 0, "warning": 1, "hint": 2}


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file that would remove a problem.

    Attributes:
        kind: ``set`` a scalar, ``rename`` a key, ``remove`` it, or ``move`` it under another section.
        key: the dotted key as it stands in the file.
        value: the new value (set), new name (rename) or new dotted key (move); unused by remove.
    """

    kind: Literal["set", "rename", "remove", "move"]
    key: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a file (design 5).

    ``code`` names an entry of templates/problems/, which holds the sentences in both languages; ``params`` fills
    their placeholders. ``line`` and ``column`` count from 1; 0 means the file as a whole.
    """

    level: Level
    code: str
    key: str = ""
    line: int = 0
    column: int = 0
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    edits: tuple[Edit, ...] = ()
    related: tuple[str, ...] = ()

    def sort_key(self) -> tuple[int, int, int, str]:
        """Order of a report: by line, then column, then severity."""
        return (self.line, self.column, LEVEL_ORDER[self.level], self.code)
