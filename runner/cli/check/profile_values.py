"""Strict reading of a profile's values: each mistake becomes a problem with its place, and its value unknown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ...catalogue import Problem
from ...catalogue.nearest import closest
from ...document import Document


class ProfileValues:
    """The values of a profile, read key by key; what is wrong gathers in ``problems``."""

    def __init__(self, document: Document) -> None:
        """Start with what reading the file has found."""
        self.document = document
        self.problems: list[Problem] = [p for p in document.problems if p.level != "hint"]

    def tell(self, level: str, code: str, key: str, **params: Any) -> None:
        """Note a problem at the value of a key."""
        place = self.document.place(key)
        line, column = place.line, place.column
        if code != "profile-unknown-key" and place.value_line:
            line, column = place.value_line, place.value_column
        if not any(p.key == key and p.line == line for p in self.problems if p.code.startswith("profile-")):
            self.problems.append(Problem("warning" if level == "warning" else "error", code, key, line, column, params))

    def section(self, name: str) -> Mapping[str, Any]:
        """A mapping; empty when absent or wrong."""
        value = self.document.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self._wrong_type(name, value, "mapping")
            return {}
        return cast("Mapping[str, Any]", value)

    def only(self, section: str, names: Iterable[str], known: Iterable[str]) -> None:
        """Warn of every name that is not known there."""
        choices = list(known)
        for name in names:
            if name not in choices:
                key = f"{section}.{name}" if section else name
                near = closest(name, choices, 1)
                params = {"known": choices, **({"nearest": near[0]} if near else {})}
                self.tell("warning", "profile-unknown-key", key, **params)

    def whole(self, key: str, least: int = 0, most: int = 10**12) -> int | None:
        """A whole number within bounds, else None."""
        value = self._value(key)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self._wrong_type(key, value, "int")
            return None
        return value if self._inside(key, value, least, most) else None

    def number(self, key: str, least: float = 0, most: float = 1e9) -> float | None:
        """A number within bounds, else None."""
        value = self._value(key)
        if value is None:
            return None
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
            self._wrong_type(key, value, "float")
            return None
        return float(value) if self._inside(key, value, least, most) else None

    def flag(self, key: str) -> bool | None:
        """True or false, else None."""
        value = self._value(key)
        if value is None or isinstance(value, bool):
            return value
        self._wrong_type(key, value, "bool")
        return None

    def text(self, key: str) -> str | None:
        """A text that is not empty, else None."""
        value = self._value(key)
        if value is None or (isinstance(value, str) and value):
            return value
        self._wrong_type(key, value, "str")
        return None

    def texts(self, key: str) -> tuple[str, ...] | None:
        """A list of texts, else None."""
        value = self._value(key)
        if value is None:
            return None
        if not isinstance(value, list):
            self._wrong_type(key, value, "list")
            return None
        items = cast("list[Any]", value)
        for number, item in enumerate(items):
            if not isinstance(item, str):
                self._wrong_type(f"{key}[{number}]", item, "str")
                return None
        return tuple(cast("list[str]", items))

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """One of a few words, else None."""
        value = self._value(key)
        if value is None or value in choices:
            return value
        near = closest(value, choices, 1) if isinstance(value, str) else []
        params = {"value": value, "choices": list(choices), **({"nearest": near[0]} if near else {})}
        self.tell("error", "profile-choice", key, **params)
        return None

    def environment(self, key: str) -> dict[str, str]:
        """Environment variables: names and texts; numbers are taken as they are written."""
        found: dict[str, str] = {}
        for name, value in self.section(key).items():
            if isinstance(value, (str, int, float)) and not isinstance(value, bool):
                found[name] = str(value)
            elif value is not None:
                self._wrong_type(f"{key}.{name}", value, "str")
        return found

    def _value(self, key: str) -> Any:
        return self.document.get(key)

    def _inside(self, key: str, value: float, least: float, most: float) -> bool:
        if least <= value <= most:
            return True
        bounds = {"least": least} if value < least else {"most": most}
        self.tell("error", "profile-range", key, value=value, **bounds)
        return False

    def _wrong_type(self, key: str, value: Any, expected: str) -> None:
        self.tell("error", "profile-type", key, expected=expected, got=_kind(value), value=value)


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "mapping"
    if isinstance(value, bytes):
        return "binary"
    if hasattr(value, "isoformat"):
        return "date"
    name: str = value.__class__.__name__
    return name if name in ("bool", "int", "float", "str", "list") else "other"
