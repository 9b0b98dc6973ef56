"""The calls the form makes into the runner, in one place; all imported late, so that the first paint is fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...runner.catalogue import Catalogue
    from ...runner.catalogue.parameter import Parameter
    from ...runner.catalogue.problem import Problem
    from ...runner.document.model import Document


def catalogue() -> Catalogue:
    """The catalogue of parameters."""
    from ...runner.catalogue import load_catalogue

    return load_catalogue()


def parse(text: str, path: Path | None = None) -> Document:
    """A text as the back end's loader sees it."""
    from ...runner.document import parse_document

    return parse_document(text, path)


def read(path: Path) -> Document:
    """A file as the back end's loader sees it."""
    from ...runner.document import read_document

    return read_document(path)


def with_value(text: str, key: str, value: Any, present: bool) -> str:
    """``text`` with the key set, added where it is absent; every other byte stays."""
    from ...runner.document import add_key, set_value

    return set_value(text, key, value) if present else add_key(text, key, value)


def without_key(text: str, key: str) -> str:
    """``text`` without the key."""
    from ...runner.document import remove_key

    return remove_key(text, key)


def write(path: Path, text: str) -> None:
    """Write a file in one piece, mode 640."""
    from ...runner.document import write_atomically

    write_atomically(path, text)
