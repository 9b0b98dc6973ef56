"""Trees of keys: nested mappings and flat dotted keys (``trainer.nnodes: 2``) read as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast


def same_value(left: Any, right: Any) -> bool:
    """Whether two values are one: numbers by their value, and a boolean is no number."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def leaves(values: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted key and value of each leaf, in the order of the file; an empty mapping is a leaf.

    Keys that are no text (``1:``, ``null:``) are written as YAML shows them.
    """
    for name, value in values.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, Mapping) and value:
            yield from leaves(cast("Mapping[Any, Any]", value), key)
        else:
            yield key, value
