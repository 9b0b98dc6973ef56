"""Reading a configuration file: whatever is in it, a Document comes back, with what is wrong among its problems."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any, cast

from ..catalogue.guess import type_name
from ..catalogue.problem import Problem
from .compose import ComposeError, compose
from .construct import MAX_NODES, Construction
from .model import Document
from .syntax import syntax_problem

SIZE_LIMIT = 1024 * 1024  # bytes; agentic_rl's own (facts: FileCheck of the configuration file)


def read_document(path: str | os.PathLike[str]) -> Document:
    """Read a file. Never raises: an unreadable one gives a document whose ``readable`` is False.

    The size is looked at before anything is read, and pipes and devices are not opened at all.
    """
    file = Path(path)
    try:
        status = file.stat()
        if stat.S_ISDIR(status.st_mode):
            return _failed(file, Problem("error", "file-is-directory", params={"path": str(file)}))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "neither a file nor a directory")
        if status.st_size > SIZE_LIMIT:
            params = {"size": status.st_size, "limit": SIZE_LIMIT}
            return _failed(file, Problem("error", "file-too-large", params=params))
        with file.open("rb") as stream:
            data = stream.read(SIZE_LIMIT + 1)  # it may have grown since
    except (FileNotFoundError, NotADirectoryError):
        return _failed(file, Problem("error", "file-missing", params={"path": str(file)}))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return _failed(file, Problem("error", "file-unreadable", params={"path": str(file), "error": reason}))
    return parse_bytes(data, file)


def parse_bytes(data: bytes, path: Path | None = None) -> Document:
    """A document from the bytes of a file."""
    if len(data) > SIZE_LIMIT:
        return _failed(path, Problem("error", "file-too-large", params={"size": len(data), "limit": SIZE_LIMIT}))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        params = {"byte": f"0x{data[error.start]:02x}", "offset": error.start}
        return _failed(path, Problem("error", "file-not-utf8", "", line, column, params))
    return parse_document(text, path)


def parse_document(text: str, path: Path | None = None) -> Document:
    """A document from its text; line ends and a byte order mark are kept as they are. Never raises.

    Values are what ``yaml.safe_load`` gives, places come from the event stream of the same text.
    """
    try:
        root = compose(text)
        if root is None:
            return _failed(path, Problem("error", "file-empty"), text)
        made = Construction(root)
    except ComposeError as error:
        return _failed(path, _refusal(error, text), text)
    value: Any = made.value
    if value is None:
        return _failed(path, Problem("error", "file-empty"), text)
    if not isinstance(value, dict):
        params = {"got": type_name(value)}
        return _failed(path, Problem("error", "file-not-mapping", "", root.line, root.column, params), text)
    problems = tuple(sorted(made.problems, key=Problem.sort_key))
    return Document(path, text, cast("dict[str, Any]", value), made.places, problems)


def _failed(path: Path | None, problem: Problem, text: str = "") -> Document:
    return Document(path, text, problems=(problem,), readable=False)


def _refusal(error: ComposeError, text: str) -> Problem:
    if error.kind == "explosion":
        params: dict[str, Any] = {"nodes": error.context, "limit": MAX_NODES}
        return Problem("error", "yaml-alias-explosion", "", error.line, error.column, params)
    if error.kind == "deep":
        return Problem("error", "yaml-too-deep", "", error.line, error.column)
    if error.kind == "documents":
        return Problem("error", "yaml-multiple-documents", "", error.line, error.column)
    if error.kind == "tag":
        return Problem("error", "yaml-tag", "", error.line, error.column, {"tag": error.problem})
    return syntax_problem(error, text)
