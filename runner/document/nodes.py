"""The tree of a YAML text with the place of everything in it; what reading and editing share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

NodeKind = Literal["scalar", "mapping", "sequence", "alias"]


@dataclass(slots=True)
class Entry:
    """One ``key: value`` of a mapping."""

    key: Node
    value: Node


@dataclass(slots=True)
class Node:
    """A value as written. Indexes count characters of the text from 0, lines and columns from 1.

    Attributes:
        kind: ``alias`` is the use of an anchor; ``target`` is then the node that bears it.
        start, end: the span of the value itself, without anchor and tag; of a block collection ``end`` is the end of
            its last item.
        outer: where anchor and tag begin; equal to ``start`` where there are none.
        text: content of a scalar, or name of an alias.
        style: ``"`` and ``'`` for quotes, ``|`` and ``>`` for block scalars, "" for plain ones.
        tag: explicit tag, or "".
        flow: whether a collection is written in brackets.
    """

    kind: NodeKind
    start: int
    end: int
    line: int
    column: int
    outer: int = -1
    text: str = ""
    style: str = ""
    tag: str = ""
    anchor: str = ""
    flow: bool = False
    entries: list[Entry] = field(default_factory=list[Entry])
    items: list[Node] = field(default_factory=list["Node"])
    target: Node | None = None

    @property
    def children(self) -> list[Node]:
        """Every node directly inside, keys included."""
        if self.kind == "mapping":
            return [node for entry in self.entries for node in (entry.key, entry.value)]
        return self.items

    @property
    def followed(self) -> Node:
        """The node itself, or for an alias the node it stands for."""
        return self.target if self.target is not None else self


def entry_at(root: Node, key: str) -> tuple[Node, Entry] | None:
    """The mapping and the entry of a dotted key; the last one where a key stands twice, as the loader takes it.

    Only what stands in the text at that place is found, not what an alias or a merge brings in.
    """
    node, found = root, None
    for part in key.split("."):
        if node.kind != "mapping":
            return None
        last = next((e for e in reversed(node.entries) if e.key.kind == "scalar" and e.key.text == part), None)
        if last is None:
            return None
        found, node = (node, last), last.value
    return found
