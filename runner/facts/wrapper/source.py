"""Reads a Python file into a syntax tree, without executing or importing anything."""

from __future__ import annotations

import ast
import io
import os
import stat
import sys
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path

LIMIT = 1 << 20  # bytes; the largest wrapper that is published has 21 KiB
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass(frozen=True, slots=True)
class Source:
    """The tree, or why there is none (the words of `WrapperFacts.problem`)."""

    tree: ast.Module | None = None
    problem: str = ""
    detail: str = ""
    line: int = 0


def read_source(path: Path) -> Source:
    """Read and parse; never raises, and never waits for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Source(problem="missing")
    except (OSError, ValueError) as error:
        return Source(problem="unreadable", detail=getattr(error, "strerror", None) or str(error))
    try:
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return Source(problem="not-a-file")
            content = stream.read(LIMIT + 1)
    except OSError as error:
        problem = "not-a-file" if isinstance(error, IsADirectoryError) else "unreadable"
        return Source(problem=problem, detail=error.strerror or str(error))
    if len(content) > LIMIT:
        return Source(problem="too-large", detail=str(LIMIT))
    return parse(content)


def parse(content: bytes) -> Source:
    """Decode as Python does (a mark in the first two lines, else UTF-8) and parse."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError) as error:
        line = content[: error.start].count(b"\n") + 1 if isinstance(error, UnicodeDecodeError) else 0
        return Source(problem="encoding", detail=str(error).splitlines()[0][:200], line=line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks about the user's escapes belong to nobody's terminal
            return Source(ast.parse(text))
    except SyntaxError as error:
        return Source(problem="syntax", detail=error.msg or "", line=error.lineno or 0)
    except ValueError as error:  # a NUL byte
        return Source(problem="syntax", detail=str(error))
    except (RecursionError, MemoryError):
        return Source(problem="too-deep")
