"""From text to nodes, by PyYAML's own parser: bounded, without recursion, and without making any object.

libyaml's parser is ten times faster than the pure one and gives the same events, but for a few characters: it lets
tabs through that the pure parser (which is the one ``yaml.safe_load`` uses) refuses. A text with such a character, or
one that libyaml refuses, is read by the pure parser, so that verdict and message are always the back end's.
"""

from __future__ import annotations

import re
from typing import Any, cast

import yaml

from .nodes import Entry, Node

MAX_DEPTH = 100

_BOM = "\ufeff"
_PURE_ONLY = re.compile("[\t\ufeff\x85\u2028\u2029\ud800-\udfff]|^%|[|>][-+0-9]*#", re.MULTILINE)
_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ComposeError(Exception):
    """The text has no tree; ``problem`` is in PyYAML's words, the place counts from 1."""

    def __init__(self, problem: str, line: int, column: int, context: str = "", kind: str = "syntax") -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column
        self.context = context
        self.kind = kind  # syntax, deep or documents


def compose(text: str) -> Node | None:
    """The tree of a text; None when it holds nothing but blanks and comments.

    Raises:
        ComposeError: no valid YAML, several documents, or nested deeper than MAX_DEPTH.
    """
    offset = len(_BOM) if text.startswith(_BOM) else 0
    body = text[offset:]
    if _FAST is not yaml.SafeLoader and not _PURE_ONLY.search(body):
        try:
            return _Composer(body, offset, _FAST).run()
        except ComposeError as error:
            if error.kind == "deep":
                raise
    return _Composer(body, offset, yaml.SafeLoader).run()


class _Composer:
    """Builds nodes from events with a stack of its own, so that no nesting can exhaust Python's."""

    def __init__(self, text: str, offset: int, loader: Any) -> None:
        self.text = text
        self.offset = offset
        self.loader = loader
        self.anchors: dict[str, Node] = {}
        self.stack: list[tuple[Node, list[Node]]] = []  # open collections, and the children they have so far
        self.root: Node | None = None
        self.documents = 0

    def run(self) -> Node | None:
        try:
            parser: Any = self.loader(self.text)
            try:
                while True:
                    event: Any = parser.get_event()
                    if event is None or isinstance(event, yaml.StreamEndEvent):
                        return self.root
                    self._take(event)
            finally:
                parser.dispose()
        except yaml.MarkedYAMLError as error:
            raise self._located(error) from error
        except yaml.reader.ReaderError as error:
            raise self._unreadable(error) from error

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._fail("several documents", event.start_mark, kind="documents")
        elif isinstance(event, yaml.ScalarEvent):
            self._add(self._node("scalar", event, text=str(event.value), style=_style(event)))
        elif isinstance(event, yaml.AliasEvent):
            target = self.anchors.get(event.anchor)
            if target is None:
                raise self._fail("found undefined alias", event.start_mark)
            node = self._node("alias", event, text=str(event.anchor))
            node.anchor, node.target = "", target
            self._add(node)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
            node = self._node(kind, event)
            node.flow = bool(cast("Any", event).flow_style)
            if len(self.stack) >= MAX_DEPTH:
                raise self._fail("nesting too deep", event.start_mark, kind="deep")
            self.stack.append((node, []))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            node, children = self.stack.pop()
            node.end = event.end_mark.index + self.offset
            if not node.flow and children:
                node.end = children[-1].end
            if node.kind == "mapping":
                pairs = zip(children[::2], children[1::2], strict=True)
                node.entries = [Entry(key, value) for key, value in pairs]
            else:
                node.items = children
            self._add(node)

    def _node(self, kind: Any, event: Any, text: str = "", style: str = "") -> Node:
        start, end = event.start_mark, event.end_mark
        node = Node(
            kind, start.index + self.offset, end.index + self.offset, start.line + 1, start.column + 1,
            text=text, style=style, tag=str(getattr(event, "tag", None) or ""),
        )  # fmt: skip
        node.outer = node.start
        if kind != "alias" and (event.anchor or node.tag):
            self._skip_properties(node, bool(event.anchor))
        if event.anchor and kind != "alias":
            if event.anchor in self.anchors:
                raise self._fail("found duplicate anchor", start)
            node.anchor = str(event.anchor)
            self.anchors[node.anchor] = node
        return node

    def _skip_properties(self, node: Node, anchored: bool) -> None:
        """The event's start is that of its anchor or tag; move it to the value itself."""
        at, limit = node.start - self.offset, node.end - self.offset
        if node.kind != "scalar":
            limit = len(self.text)
        for _ in range(int(anchored) + int(bool(node.tag))):
            match = _PROPERTY.match(self.text, at, limit)
            if match is None:
                break
            at = match.end()
        if node.kind == "scalar" or self.text[at : at + 1] in ("[", "{"):
            node.start = at + self.offset

    def _add(self, node: Node) -> None:
        if self.stack:
            self.stack[-1][1].append(node)
        else:
            self.root = node

    def _fail(self, problem: str, mark: Any, kind: str = "syntax") -> ComposeError:
        return ComposeError(problem, mark.line + 1, mark.column + 1, kind=kind)

    def _located(self, error: yaml.MarkedYAMLError) -> ComposeError:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        context = str(error.context or "")
        opened = error.context_mark
        if opened is not None and context and opened.line + 1 != line:
            context += f", line {opened.line + 1}"
        return ComposeError(str(error.problem or error), line, column, context)

    def _unreadable(self, error: yaml.reader.ReaderError) -> ComposeError:
        at = int(cast("Any", error).position)
        before = self.text[:at]
        line = before.count("\n") + 1
        return ComposeError(
            f"character #x{ord(self.text[at]):02x} is not allowed" if at < len(self.text) else str(error),
            line, at - (before.rfind("\n") + 1) + 1,
        )  # fmt: skip


_PROPERTY = re.compile(r"[&!]\S*\s*")


def _style(event: Any) -> str:
    style = str(event.style or "")
    return style if style in ("'", '"', "|", ">") else ""
