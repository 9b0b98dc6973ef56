"""Values with one change made; what is not on the way to it is shared, so that nobody else sees the change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .place import Path, Step


def value_of(values: Any, path: Path) -> Any:
    """The value at a path.

    Raises:
        LookupError: there is none.
    """
    for step in path:
        values = values[step]
    return values


def with_value(values: Any, path: Path, value: Any) -> Any:
    """The values with another one at ``path``; missing mappings on the way are made."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(values, list) and isinstance(step, int):
        items = list(cast("list[Any]", values))
        items[step] = with_value(items[step], rest, value)
        return items
    mapping = dict(cast("Mapping[Step, Any]", values)) if isinstance(values, Mapping) else {}
    mapping[step] = with_value(mapping.get(step), rest, value)
    return mapping


def without(values: Any, path: Path) -> Any:
    """The values without what is at ``path``."""
    holder = value_of(values, path[:-1])
    if isinstance(holder, list):
        rest: Any = [v for i, v in enumerate(cast("list[Any]", holder)) if i != path[-1]]
    else:
        rest = {k: v for k, v in cast("Mapping[Step, Any]", holder).items() if k != path[-1]}
    return with_value(values, path[:-1], rest)


def with_item(values: Any, path: Path, index: int, value: Any) -> Any:
    """The values with an item inserted in the list at ``path``."""
    items = list(cast("list[Any]", value_of(values, path)))
    items.insert(index, value)
    return with_value(values, path, items)


def renamed(values: Any, path: Path, name: str) -> Any:
    """The values with the key at ``path`` under another name, in the same place of its section."""
    holder = cast("Mapping[Step, Any]", value_of(values, path[:-1]))
    return with_value(values, path[:-1], {name if k == path[-1] else k: v for k, v in holder.items()})
