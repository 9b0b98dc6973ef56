"""After every edit: does the text load, is the change the intended one, and has nothing else changed?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .errors import EditError
from .model import Document
from .nodes import Node
from .read import parse_document

ABSENT: Any = object()


def parsed(text: str) -> Document:
    """The document before an edit.

    Raises:
        EditError: the text doesn't load, so nothing in it can be addressed. An empty one is an empty document.
    """
    document = parse_document(text)
    if not document.readable and document.problems[0].code != "file-empty":
        raise EditError(f"the text can't be read: {document.problems[0].code}")
    return document


def verified(before: Document, after: str, changes: Mapping[str, Any]) -> str:
    """``after``, if it holds the values of ``before`` with ``changes`` (dotted key -> value or ABSENT) and no others.

    Raises:
        EditError: otherwise.
    """
    document = parsed(after)
    expected = _copy(before.values)
    for key, value in changes.items():
        _apply(expected, key.split("."), value)
    if not same(document.values, expected):
        raise EditError(f"the edit would change more than {', '.join(changes)}")
    return after


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from true and 1.0, and takes NaN for itself."""
    if type(left) is not type(right):
        return isinstance(left, Mapping) and isinstance(right, Mapping) and same(dict(left), dict(right))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(left, Mapping):
        one, other = cast("Mapping[Any, Any]", left), cast("Mapping[Any, Any]", right)
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(left, list):
        items, others = cast("list[Any]", left), cast("list[Any]", right)
        return len(items) == len(others) and all(map(same, items, others))
    return left == right or (left != left and right != right)


def uses_of(root: Node, node: Node, itself_only: bool = False) -> int:
    """How many aliases stand for this node, or (unless ``itself_only``) for something inside it."""
    inside: set[int] = {id(node)}
    below = [] if itself_only else list(node.children)
    while below:
        current = below.pop()
        inside.add(id(current))
        below.extend(current.children)
    count, stack = 0, [root]
    while stack:
        current = stack.pop()
        count += current.target is not None and id(current.target) in inside
        stack.extend(current.children)
    return count


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    return [_copy(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


def _apply(values: dict[str, Any], path: list[str], value: Any) -> None:
    node = values
    for part in path[:-1]:
        inner = node.get(part)
        if not isinstance(inner, dict):
            inner = node[part] = {}
        node = cast("dict[str, Any]", inner)
    if value is ABSENT:
        node.pop(path[-1], None)
        if not node and len(path) > 1:
            _apply(values, path[:-1], None)  # a block without lines is null
    else:
        node[path[-1]] = value
