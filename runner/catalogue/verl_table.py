"""What each version of verl declares, with its default (templates/backends/verl_keys.tsv), for explanations.

The table comes from verl's packaged configurations: a row for a key, an engine and a span of versions with one default.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .data import templates_root
from .versions import version_key

NEWEST = "0.9.1"  # the newest release; the table's last column is the development branch
MANDATORY = "???"  # how OmegaConf writes a value that must be given


@dataclass(frozen=True, slots=True)
class Declared:
    """A span of versions in which a key is declared with one default.

    Attributes:
        engine: ``fsdp``, ``megatron`` or ``both``: which of verl's two configurations.
        first, last: versions, both included; ``last`` may be ``main``.
        text: the default as Python writes it.
    """

    engine: str
    first: str
    last: str
    text: str

    @property
    def default(self) -> Any:
        """The default as a value; interpolations (``${...}``) stay texts, an empty mapping is one."""
        try:
            value: Any = ast.literal_eval(self.text)
        except (ValueError, SyntaxError):
            return self.text
        if value == "{}":
            return {}
        return float(value) if isinstance(value, str) and value in ("1e-6", "1e-5") else value  # 0.4 wrote texts

    def covers(self, version: str) -> bool:
        """Whether the span holds the version."""
        return version_key(self.first) <= version_key(version) <= version_key(self.last)


@lru_cache(maxsize=1)
def verl_table() -> Mapping[str, tuple[Declared, ...]]:
    """Every key that some version of verl declares, by its dotted name (some 2 ms)."""
    text = (templates_root() / "backends" / "verl_keys.tsv").read_text(encoding="utf-8")
    found: dict[str, list[Declared]] = {}
    for row in text.splitlines()[1:]:
        key, engine, first, last, default = row.split("\t")
        found.setdefault(key, []).append(Declared(engine, first, last, default))
    return {key: tuple(spans) for key, spans in found.items()}


def newest(key: str) -> Declared | None:
    """The span that holds for the newest release, else the last one there was; FSDP's before Megatron's."""
    spans = [span for span in verl_table().get(key, ()) if span.engine != "megatron"] or verl_table().get(key, ())
    return next((span for span in spans if span.covers(NEWEST)), spans[-1] if spans else None)
