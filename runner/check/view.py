"""What the training software will see: each native key with its value and where that value came from.

One relation, written once over the back end's own keys, judges every shape of file: an AgentSDK file, an AscendFactory
tree, a native tree, flat dotted keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..catalogue import Edit, Level, Problem
from ..document import Document
from .world import World

System = Literal["verl", "mindspeed-rl"]
Launcher = Literal["agentsdk", "ascendfactory", "verl", "local", "mindspeed-rl"]

_WHOLE = re.compile(r"\$\{([^${}]*)\}\Z")
_DEPTH = 8  # interpolations that lead to interpolations; deeper ones are taken for a loop


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that somebody sets.

    Attributes:
        value: as the training software gets it.
        key: the key of the file it comes from, as `Document.place` knows it; "" when the launcher sets it itself.
        given: whether the file says so; False for the launcher's constants and its defaults of absent parameters.
    """

    value: Any
    key: str = ""
    given: bool = True


@dataclass(frozen=True, slots=True)
class View:
    """A file through the eyes of one training software.

    Attributes:
        document: the file.
        world: the facts, each of which may be missing.
        system: whose keys these are.
        launcher: what starts it.
        version: the known version of the software it is judged by.
        entries: native key -> what sets it.
        default_of: the default that this version declares for a key; raises KeyError for a key it does not declare.
        broken: native keys whose value is an error in itself; relations leave them alone.
        file_keys: native key -> the key one would write in this file; for keys that nobody sets.
        own_keys: whether the file holds the software's own keys; else some of them have no name in it.
    """

    document: Document
    world: World
    system: System
    launcher: Launcher
    version: str
    entries: Mapping[str, Entry]
    default_of: Callable[[str], Any]
    broken: frozenset[str] = frozenset()
    file_keys: Callable[[str], str] = str
    own_keys: bool = True

    def given(self, key: str) -> bool:
        """Whether the file itself sets the key."""
        entry = self.entries.get(key)
        return entry is not None and entry.given

    def declared(self, key: str) -> bool:
        """Whether this version declares the key."""
        try:
            self.default_of(key)
        except KeyError:
            return False
        return True

    def default_known(self, key: str) -> bool:
        """Whether this version declares a default for the key that tells its type."""
        try:
            return self.default_of(key) not in (None, "None")
        except KeyError:
            return False

    def value(self, key: str, default: Any = None) -> Any:
        """The value in force: the file's, else the launcher's, else the declared default; interpolations resolved.

        ``default`` is the answer for a key that nobody sets and this version does not declare, and for an interpolation
        that can't be resolved.
        """
        return self._value(key, default, 0)

    def _value(self, key: str, default: Any, depth: int) -> Any:
        entry = self.entries.get(key)
        if entry is not None:
            value = entry.value
        else:
            try:
                value = self.default_of(key)
            except KeyError:
                return default
        if isinstance(value, str) and "${" in value:
            return self._interpolated(key, value, default, depth)
        return value

    def _interpolated(self, key: str, text: str, default: Any, depth: int) -> Any:
        match = _WHOLE.match(text.strip())
        if match is None or depth > _DEPTH:
            return default
        name, fallback = match[1].strip(), default
        if name.startswith("oc.select:"):
            name, _, other = name.removeprefix("oc.select:").partition(",")
            fallback = _scalar(other.strip())
        elif ":" in name:
            return default  # oc.env and other resolvers: known only where it runs
        name = name.strip()
        if name.startswith("."):
            ups = len(name) - len(name.lstrip("."))
            parents = key.split(".")[:-ups]
            name = ".".join([*parents, name.lstrip(".")])
        found = self._value(name, _NOTHING, depth + 1)
        return fallback if found is _NOTHING else found

    def number(self, key: str) -> int | None:
        """A positive integer that is no error in itself; None otherwise, and then no relation is judged with it."""
        value = self.value(key)
        if key in self.broken or not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            return None
        return value

    def real(self, key: str) -> float | None:
        """A finite number that is no error in itself; None otherwise."""
        value = self.value(key)
        if key in self.broken or isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            return None
        return number if abs(number) < float("inf") else None

    def true(self, key: str) -> bool:
        """Whether the key is in force and true."""
        return self.value(key) is True

    def text(self, key: str) -> str:
        """The value of a key when it is a text, else ""."""
        value = self.value(key)
        return value if isinstance(value, str) else ""

    def file_key(self, key: str) -> str:
        """The name under which the file sets the key; the one it would have there when it does not."""
        entry = self.entries.get(key)
        return entry.key if entry is not None and entry.key else self.file_keys(key)

    def nameable(self, key: str) -> bool:
        """Whether the key has a name in this file that a person could change."""
        return self.given(key) or (self.own_keys and self.declared(key)) or self.file_keys(key) != key

    def problem(
        self,
        level: Level,
        code: str,
        keys: Iterable[str],
        params: Mapping[str, Any] | None = None,
        edits: Iterable[tuple[str, Any]] = (),
    ) -> Problem:
        """A problem of native keys, at the first of them that stands in the file (else at the first).

        Args:
            level: of the problem.
            code: its code.
            keys: native keys involved, the one to change first; all but the reported one become ``related``.
            params: of its text; ``first``, ``second``, ... are filled with the keys as the file has them.
            edits: (native key, value) that would satisfy it; those whose key is not in the file are left out.
        """
        names = list(keys)
        at = next((key for key in names if self.given(key)), names[0])
        shown = dict(params or {})
        for word, key in zip(("first", "second", "third", "fourth", "fifth"), names, strict=False):
            shown.setdefault(word, self.file_key(key))
        repairs = tuple(Edit("set", self.file_key(key), value) for key, value in edits if self.given(key))
        file_key = self.file_key(at)
        place = self.document.place(file_key)
        line, column = place.line, place.column
        if file_key in self.document.places and place.value_line:
            line, column = place.value_line, place.value_column
        related = tuple(dict.fromkeys(self.file_key(key) for key in names if key != at and self.nameable(key)))
        return Problem(level, code, file_key, line, column, shown, repairs, related)


_NOTHING = object()


def _scalar(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text) if text else None
    except yaml.YAMLError:
        return text
