"""From nodes to values, as ``yaml.safe_load`` makes them, and to the place of every key."""

from __future__ import annotations

from typing import Any

from yaml.constructor import ConstructorError, SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from ..catalogue.problem import Problem
from .compose import MAX_DEPTH, ComposeError
from .model import Place
from .nodes import Entry, Node
from .pitfalls import pitfall

MAX_NODES = 10_000  # after unfolding aliases; a full configuration has some 300

_PREFIX = "tag:yaml.org,2002:"
_SCALAR_TAGS = frozenset(_PREFIX + name for name in ("null", "bool", "int", "float", "str", "timestamp", "binary"))
_RESOLVER: Any = Resolver()
_CONSTRUCTOR: Any = SafeConstructor()


class Construction:
    """Values, places and problems of one tree.

    Raises (when made):
        ComposeError: what the safe loader refuses though the syntax is right.
    """

    def __init__(self, root: Node) -> None:
        self.places: dict[str, Place] = {}
        self.problems: list[Problem] = []
        self._bound(root)
        self.value = self._build(root, "")

    def _bound(self, root: Node) -> None:
        """Count what the tree unfolds to before anything walks through it."""
        sizes: dict[int, int] = {}
        depths: dict[int, int] = {}
        open_nodes: set[int] = set()
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, done = stack.pop()
            key = id(node)
            if done:
                open_nodes.discard(key)
                sizes[key] = 1 + sum(sizes[id(child.followed)] for child in node.children)
                depths[key] = 1 + max((depths[id(child.followed)] for child in node.children), default=0)
                if depths[key] > MAX_DEPTH:
                    raise _refuse("nested too deeply through aliases", node, kind="deep")
                if sizes[key] > MAX_NODES:
                    raise _refuse("alias explosion", node, str(sizes[key]), "explosion")
            elif key not in sizes:
                if key in open_nodes:
                    raise _refuse("an alias points to what contains it", node, kind="deep")
                open_nodes.add(key)
                stack.append((node, True))
                stack.extend((child.followed, False) for child in node.children)

    def _build(self, node: Node, key: str | None) -> Any:
        # Recursion is safe: _bound has seen every node. A key of None records neither places nor problems: what an
        # alias or a merge brings in stands at its anchor.
        if node.kind == "alias":
            return self._build(node.followed, None)
        if node.kind == "mapping":
            self._plain_tag(node, "map")
            return self._mapping(node, key)
        if node.kind == "sequence":
            self._plain_tag(node, "seq")
            return [self._item(item, f"{key}[{index}]" if key else None) for index, item in enumerate(node.items)]
        return self._scalar(node, key)

    def _item(self, node: Node, key: str | None) -> Any:
        if key is not None:
            self.places[key] = Place(node.line, node.column, node.line, node.column, node.start, node.end)
        return self._build(node, key)

    def _mapping(self, node: Node, key: str | None) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        first: dict[str, Entry] = {}
        for entry in node.entries:
            name = self._name(entry.key, key)
            if name is None:
                self._build(entry.value, None)  # dropped, but it may hold what the loader refuses
                continue
            if isinstance(name, _Merge):
                merged.update(self._merge(entry, key))
                continue
            dotted = _join(key, name)
            if dotted is not None:
                if name in first:
                    self._duplicate(dotted, first[name], entry, own[name])
                first.setdefault(name, entry)
                self.places[dotted] = _place(entry)
            value = self._build(entry.value, dotted)
            own.pop(name, None)  # the loader keeps the first position of a key; a report wants the one that counts
            own[name] = value
        return {**{name: value for name, value in merged.items() if name not in own}, **own}

    def _merge(self, entry: Entry, key: str | None) -> dict[str, Any]:
        value = entry.value.followed
        sources = value.items if value.kind == "sequence" else [entry.value]
        result: dict[str, Any] = {}
        for source in reversed(sources):  # of several, the first one wins
            if source.followed.kind != "mapping":
                raise _refuse("expected a mapping or list of mappings for merging", source)
            result.update(self._build(source.followed, None))
        for name in result:
            # What a merge brings in is reported at the merge; there is no value there that could be edited.
            if (dotted := _join(key, name)) is not None:
                self.places.setdefault(dotted, Place(entry.key.line, entry.key.column))
        return result

    def _name(self, node: Node, section: str | None) -> str | _Merge | None:
        """Name of a key; None (with a problem) when it is no text."""
        bare = node.followed
        if bare.kind != "scalar":
            raise _refuse("found unhashable key", node)
        if bare.tag in ("", "!") and not bare.style and bare.text in ("<<", "="):
            return _Merge() if bare.text == "<<" else bare.text
        value = self._scalar(bare, None)
        if isinstance(value, str):
            return value
        if section is None:
            return None
        from ..catalogue.guess import type_name

        params = {"name": bare.text, "got": type_name(value)}
        self.problems.append(Problem("error", "non-string-key", bare.text, node.line, node.column, params))
        return None

    def _scalar(self, node: Node, key: str | None) -> Any:
        if node.style and not node.tag:
            return node.text
        tag = node.tag
        if tag in ("", "!"):  # PyYAML takes a lone mark, even before quotes, for none
            tag = str(_RESOLVER.resolve(ScalarNode, node.text, (True, False)))
        if tag == _PREFIX + "str":
            value: Any = node.text
        elif tag not in _SCALAR_TAGS:
            if tag in (_PREFIX + "value", _PREFIX + "merge"):
                raise _refuse(f"a bare {node.text} is no value", node)
            raise _refuse(_short_tag(tag), node, kind="tag")
        else:
            try:
                value = _CONSTRUCTOR.construct_object(ScalarNode(tag, node.text))
            except (ValueError, ConstructorError, KeyError, OverflowError) as error:
                raise _refuse(f"{node.text!r} is no valid {tag.removeprefix(_PREFIX)}", node) from error
        if key and not node.tag:
            problem = pitfall(node, key, value)
            if problem is not None:
                self.problems.append(problem)
        return value

    def _plain_tag(self, node: Node, name: str) -> None:
        if node.tag not in ("", "!", _PREFIX + name):
            raise _refuse(_short_tag(node.tag), node, kind="tag")

    def _duplicate(self, dotted: str, first: Entry, again: Entry, first_value: Any) -> None:
        params = {"first_line": first.key.line, "first_value": first_value, "value": again.value.text}
        # The loader takes the last one without a word: what the file does is defined, what was meant is not.
        self.problems.append(
            Problem("warning", "duplicate-key", dotted, again.key.line, again.key.column, params, related=(dotted,))
        )


class _Merge:
    """The key ``<<``."""


def _place(entry: Entry) -> Place:
    key, value = entry.key, entry.value
    return Place(key.line, key.column, value.line, value.column, value.start, value.end)


def _join(section: str | None, name: str) -> str | None:
    return None if section is None else f"{section}.{name}" if section else name


def _short_tag(tag: str) -> str:
    return "!!" + tag.removeprefix(_PREFIX) if tag.startswith(_PREFIX) else tag


def _refuse(problem: str, node: Node, context: str = "", kind: str = "syntax") -> ComposeError:
    return ComposeError(problem, node.line, node.column, context, kind)
