"""Which keys a verl version declares, with their defaults (templates/backends/verl_keys.tsv).

Hydra refuses an override of an undeclared key unless it is written with ``+``; a key that only another version declares
is a mistake. Source: verl's packaged ``ppo_trainer.yaml`` and ``ppo_megatron_trainer.yaml`` of each release.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..catalogue.verl_table import Declared, verl_table
from .versions import known_verl


@lru_cache(maxsize=64)  # more than there are versions and engines, or each unknown key fills it anew
def _declared(version: str, engine: str) -> dict[str, Declared]:
    known = known_verl(version)
    found: dict[str, Declared] = {}
    for key, spans in verl_table().items():
        for span in spans:
            if span.engine in ("both", engine) and span.covers(known):
                found[key] = span
    return found


@lru_cache(maxsize=64)  # more than there are versions and engines, or each unknown key fills it anew
def _parents(version: str, engine: str) -> frozenset[str]:
    keys = _declared(version, engine)
    return frozenset(key[:at] for key in keys for at in range(len(key)) if key[at] == ".")


@lru_cache(maxsize=64)
def verl_keys(version: str, engine: str = "fsdp") -> dict[str, str]:
    """Declared keys of a version (``engine``: fsdp or megatron), each with its default as Python text."""
    return {key: span.text for key, span in _declared(version, engine).items()}


def is_declared(key: str, version: str, engine: str = "fsdp") -> bool:
    """Whether the version declares the key itself, or keys below it."""
    return key in _declared(version, engine) or key in _parents(version, engine)


def default_of(key: str, version: str, engine: str = "fsdp") -> Any:
    """Default of a declared key; an empty mapping is one, an interpolation stays a text.

    Raises:
        KeyError: the version does not declare it.
    """
    return _declared(version, engine)[key].default
