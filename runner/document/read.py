"""Reads a configuration file: bytes -> text -> values as AgentSDK's loader sees them, places, problems.

Nothing here raises on content: whatever is wrong becomes a problem with its place.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ..catalogue.problem import Problem
from . import recent
from .model import Document
from .place import Place
from .syntax import beginning, sentence
from .tree import TooMuch, Walk

SIZE_LIMIT = 1024 * 1024  # bytes; agentic_rl refuses more
_SLOW_LIMIT = 100_000  # characters that PyYAML's own parser reads in half a second or so
_BOM = "\ufeff"
# AgentSDK reads with PyYAML's own parser. libyaml, ten times as fast, reads all texts alike but those with a tab, a
# lone carriage return, a tag (a "!" that begins a word), a byte order mark inside, or a comment glued to the mark of
# a block scalar (found by comparing both on random texts).
_RARE = ("\t", "\ufeff", "!", "\r", "|#", ">#")
_DIFFERENT = re.compile(r"[\t\ufeff]|(?<!\w)!|\r(?!\n)|[|>]#")
_TAB_INDENT = re.compile(r"^ *\t[ \t]*(?=[^\s#])", re.MULTILINE)
_TAG_ERROR = re.compile(r"tag '([^']+)'")


def read_document(path: str | Path) -> Document:
    """Read a file from disk; problems of the file itself are in ``problems`` and ``readable`` is False then."""
    path = Path(path)
    try:
        kind, size = _kind_and_size(path.stat())
        if kind == "directory":
            return _unreadable(path, "file-is-directory", path=str(path))
        if kind != "file":  # a pipe may never answer, and a device may never end
            return _unreadable(path, "file-special", path=str(path), got=kind)
        if size > SIZE_LIMIT:
            return _unreadable(path, "file-too-large", size=size, limit=SIZE_LIMIT)
        # Without waiting: something else may have taken its place meanwhile.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            kind, _ = _kind_and_size(os.fstat(descriptor))
            if kind != "file":
                return _unreadable(path, "file-special", path=str(path), got=kind)
            # It may be growing: never read more than the limit.
            data = stream.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        return _unreadable(path, "file-missing", path=str(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return _unreadable(path, "file-unreadable", path=str(path), error=reason)
    if len(data) > SIZE_LIMIT:
        return _unreadable(path, "file-too-large", size=len(data), limit=SIZE_LIMIT)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        params = {"byte": f"0x{data[error.start]:02X}", "offset": error.start}
        return Document(
            path, "", problems=(Problem("error", "file-not-utf8", "", line, column, params),), readable=False
        )
    return parse_document(text, path)


def _kind_and_size(status: os.stat_result) -> tuple[str, int]:
    kinds = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "fifo"), (stat.S_ISSOCK, "socket"))
    return next((name for test, name in kinds if test(status.st_mode)), "special-device"), status.st_size


def parse_document(text: str, path: Path | None = None) -> Document:
    """Read a text; line ends and a byte order mark stay in ``Document.text`` as they are.

    The last few texts are remembered: an edit, its check and its redraw read the same one.
    """
    document = recent.find(text)
    if document is None:
        document = recent.keep(_parsed(text))
    return document if path is None else replace(document, path=path)


def loader_for(seen: str) -> Any:
    """PyYAML's loader for a text: the fast one where both read alike."""
    import yaml

    # In a text of such a size that no person has written it, the difference is not worth half a minute.
    if len(seen) <= _SLOW_LIMIT and unusual(seen):
        return yaml.SafeLoader
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def unusual(seen: str) -> bool:
    """Whether the two parsers of PyYAML may read a text differently."""
    return any(mark in seen for mark in _RARE) and _DIFFERENT.search(seen) is not None


def _parsed(text: str) -> Document:
    import yaml

    path = None
    shift = 1 if text.startswith(_BOM) else 0
    seen = text[shift:]
    loader = loader_for(seen)
    walk = Walk(text, shift)
    try:
        walk.run(iter(cast("Any", yaml).parse(seen, Loader=loader)))
        values: Any = walk.value
        if not walk.simple or any(p.code == "yaml-multiple-documents" for p in walk.problems):
            instance = loader(seen)
            try:
                values = instance.get_single_data()
            finally:
                instance.dispose()
    except TooMuch as error:
        return _broken(path, text, [*walk.problems, error.problem])
    except yaml.YAMLError as error:
        return _broken(path, text, _with_syntax(walk.problems, text, shift, _in_full(seen, error)))
    except RecursionError:
        return _broken(path, text, [*walk.problems, Problem("error", "yaml-too-deep", params={"depth": 1000})])
    except (ValueError, OverflowError) as error:  # e.g. the date 2026-13-45, which the constructor refuses
        where = next((p for p in walk.problems if p.code == "yaml-date"), None)
        line, column = (where.line, where.column) if where else (0, 0)
        return _broken(path, text, [*walk.problems, _syntax(str(error), "", line, column)])
    if values is None:
        return _broken(path, text, [Problem("error", "file-empty")])
    if not isinstance(values, Mapping):
        kind = {"str": "str", "list": "list"}.get(type(values).__name__, type(values).__name__)
        return _broken(path, text, [Problem("error", "file-not-mapping", "", 1, 1, {"got": kind})])
    found = cast("Mapping[str, Any]", values if walk.simple else _named(values))
    root = walk.root if walk.simple else _with_merged(found, walk.root)
    problems = tuple(sorted(walk.problems, key=Problem.sort_key))
    readable = not any(p.code in ("yaml-tag", "yaml-multiple-documents") for p in problems)
    return Document(path, text, found, root, problems, readable, walk.plain and readable)


def _named(value: Any) -> Any:
    """The value without entries whose key is no text: nothing can be said of them, and each is a problem already."""
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return {k: _named(v) for k, v in pairs if isinstance(k, str)}
    return value


def _in_full(seen: str, error: Any) -> Any:
    """The same complaint from PyYAML's own parser, which says more than the C one; only for texts that are broken."""
    import yaml

    mark = getattr(error, "problem_mark", None)
    if mark is None or mark.index > _SLOW_LIMIT or "nesting depth" in str(error):
        return error
    try:
        # Up to a little behind the trouble: the slow parser needs no more to see it.
        for _ in cast("Any", yaml).parse(seen[: mark.index + 400], Loader=yaml.SafeLoader):
            pass
    except yaml.YAMLError as said:
        return said
    except RecursionError:
        return error
    return error


def _with_merged(values: Mapping[str, Any], place: Place) -> Place:
    """Keys that come in through ``<<`` get the place of the merge, without a value to edit."""
    if place.children is None:
        return place
    children = dict(place.children)
    merge = children.get("<<")
    for name, value in values.items():
        child = children.get(name)
        if child is None and merge is not None:
            children[name] = Place(merge.line, merge.column, merge.line, merge.column, kind="merged")
        elif child is not None and isinstance(value, Mapping):
            children[name] = _with_merged(cast("Mapping[str, Any]", value), child)
        elif child is not None and isinstance(value, list) and child.kind == "list":
            pairs = zip(cast("list[Any]", value), (child.children or {}).items(), strict=False)
            items = {i: _with_merged(cast("Any", v), c) if isinstance(v, Mapping) else c for v, (i, c) in pairs}
            children[name] = child._replace(children=items)
    return place._replace(children=children)


def _with_syntax(found: list[Problem], text: str, shift: int, error: Any) -> list[Problem]:
    """The problem behind a YAML error, put as a person would: tabs, tags, control characters, several documents."""
    tabs = list(_TAB_INDENT.finditer(text))
    mark = getattr(error, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
    reason = str(getattr(error, "problem", None) or error).strip().partition("\n")[0]
    if tabs and (mark is None or any(text.count("\n", 0, m.start()) + 1 <= line for m in tabs)):
        first = text.count("\n", 0, tabs[0].start()) + 1
        start = tabs[0][0].index("\t") + 1
        return [*found, Problem("error", "yaml-tab", "", first, start)]
    if "nesting depth" in reason:
        return [*found, Problem("error", "yaml-too-deep", "", line, column, {"depth": 1000})]
    tag = _TAG_ERROR.search(reason)
    if tag is not None and any(p.code == "yaml-tag" for p in found):
        return found
    if tag is not None:
        return [*found, Problem("error", "yaml-tag", "", line, column, {"tag": tag[1]})]
    if "single document" in str(error) and any(p.code == "yaml-multiple-documents" for p in found):
        return found
    position = getattr(error, "position", None)
    if mark is None and isinstance(position, int):
        before = text[: position + shift]
        line, column = before.count("\n") + 1, position + shift - (before.rfind("\n") + 1) + 1
    elif mark is None:
        bad = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
        if bad is not None:
            line = text.count("\n", 0, bad.start()) + 1
            column = bad.start() - (text.rfind("\n", 0, bad.start()) + 1) + 1
            reason = f"control character U+{ord(bad[0]):04X}"
    context = str(getattr(error, "context", None) or "")
    begin = getattr(error, "context_mark", None)
    return [*found, _syntax(reason, context, line, column, begin.line + 1 if begin is not None else 0)]


def _syntax(reason: str, context: str, line: int, column: int, began: int = 0) -> Problem:
    params: dict[str, Any] = {"problem": sentence(reason, context)}
    if began and began != line:
        params["context"] = beginning(began)
    return Problem("error", "yaml-syntax", "", line, column, params)


def _broken(path: Path | None, text: str, problems: list[Problem]) -> Document:
    return Document(path, text, problems=tuple(sorted(problems, key=Problem.sort_key)), readable=False)


def _unreadable(file: Path, code: str, **params: Any) -> Document:
    return Document(file, "", problems=(Problem("error", code, params=params),), readable=False)
