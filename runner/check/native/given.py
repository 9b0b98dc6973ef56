"""One key of a native file as it stands there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...document import Document
from ...native import leaves
from ...native.tree import bare

_HYDRA = frozenset(("defaults", "hydra"))


@dataclass(frozen=True, slots=True)
class Given:
    """A leaf of the file.

    Attributes:
        key: as the file has it, with its section and Hydra's sign.
        name: verl's key.
        sign: ``+``, ``++``, ``~`` or "".
        value: as PyYAML reads it.
    """

    key: str
    name: str
    sign: str
    value: Any


def given_keys(document: Document, prefix: str) -> Iterator[Given]:
    """Every leaf below ``prefix``, in the order of the file, less what Hydra keeps for itself."""
    for key, value in leaves(document.values):
        if not key.startswith(prefix):
            continue
        sign, name = bare(key.removeprefix(prefix))
        first, last = name.partition(".")[0], name.rpartition(".")[2]
        if first.partition("@")[0] in _HYDRA or "@" in name or "/" in name or last.startswith("_"):
            continue  # config groups (``trainer/engine@x: y``), ``_target_`` and its like
        yield Given(key, name, sign, value)


def composed(values: Mapping[str, Any]) -> bool:
    """Whether the file is a configuration of its own that builds on verl's (a ``defaults`` list).

    Hydra then merges the file instead of overriding with it, and lets undeclared keys pass.
    """
    return "defaults" in values
