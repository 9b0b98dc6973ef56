"""Where a key and its value stand in a text, and how a dotted key finds its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, cast

Kind = Literal["scalar", "mapping", "list", "alias", "merged"]
Style = Literal["plain", "quoted", "literal", "folded", "flow", "block"]
Step = str | int
Path = tuple[Step, ...]

_INDEX = re.compile(r"\[(\d+)\]\.?")


class Place(NamedTuple):
    """Where a key and its value stand; lines and columns count from 1, indexes from 0 (characters).

    A key that only a merge (``<<``) brings in has the place of the merge and no indexes (-1).

    Attributes:
        value_start: first character of the value, behind an anchor or a tag.
        value_end: just behind its last character; for a block, behind the last character of its last entry.
        key_start: first character of the key; of the value for a list item.
        key_end: just behind the key, its closing quotation mark included.
        node_start: first character of the value with its anchor and tag.
        anchor: name of the anchor, or of the one that an alias stands for.
        children: places of what is below, by name or index, in the order of the text.
    """

    line: int
    column: int
    value_line: int = 0
    value_column: int = 0
    value_start: int = -1
    value_end: int = -1
    key_start: int = -1
    key_end: int = -1
    node_start: int = -1
    kind: Kind = "scalar"
    style: Style = "plain"
    anchor: str = ""
    children: Mapping[Step, Place] | None = None

    @property
    def written(self) -> bool:
        """Whether the value stands in the text itself, not only by way of a merge."""
        return self.value_start >= 0

    def at(self, path: Path) -> Place | None:
        """The place below this one; None when it is absent."""
        place: Place | None = self
        for step in path:
            place = place.children.get(step) if place is not None and place.children is not None else None
        return place


NOWHERE = Place(0, 0)


class Places(Mapping[str, Place]):
    """Dotted keys -> places, without a table of its own: a key is looked for in the tree."""

    __slots__ = ("_root",)

    def __init__(self, root: Place) -> None:
        self._root = root

    def __getitem__(self, key: str) -> Place:
        path = path_of(self._root, key)
        place = self._root.at(path) if path is not None else None
        if place is None:
            raise KeyError(key)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(_dotted(self._root, "")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def dotted(path: Path) -> str:
    """A path as people write it: ``verl.ckpt_content[0]``."""
    key = ""
    for step in path:
        key += f"[{step}]" if isinstance(step, int) else f".{step}" if key else step
    return key


def path_of(place: Place, key: str) -> Path | None:
    """The path of a dotted key below a place; names may hold dots and brackets themselves, None when it is absent.

    A name that is the whole key comes first, then the shortest name, as in ``model.value_at``.
    """
    children = place.children
    if children is None:
        return None
    return _search(children, key, place.kind == "list", path_of)


def value_path(values: Any, key: str) -> Path | None:
    """The path of a dotted key in loaded values: also what an alias or a merge brings in."""
    if isinstance(values, Mapping):
        return _search(cast("Mapping[Step, Any]", values), key, False, value_path)
    if isinstance(values, list):
        return _search(dict(enumerate(cast("list[Any]", values))), key, True, value_path)
    return None


def _search(
    children: Mapping[Step, Any], key: str, is_list: bool, deeper: Callable[[Any, str], Path | None]
) -> Path | None:
    if is_list:
        match = _INDEX.match(key)
        if match is None or int(match[1]) not in children:
            return None
        index = int(match[1])
        rest = key[match.end() :]
        below: Path | None = deeper(children[index], rest) if rest else ()
        return None if below is None else (index, *below)
    if key in children:
        return (key,)
    for at, character in enumerate(key):
        if character in ".[" and key[:at] in children:
            below = deeper(children[key[:at]], key[at + 1 :] if character == "." else key[at:])
            if below is not None:
                return (key[:at], *below)
    return None


def _dotted(place: Place, prefix: str) -> Iterator[str]:
    for step, child in (place.children or {}).items():
        key = f"{prefix}[{step}]" if isinstance(step, int) else f"{prefix}.{step}" if prefix else step
        yield key
        yield from _dotted(child, key)
