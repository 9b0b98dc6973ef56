"""Which keys a verl version declares, with their defaults (templates/backends/verl_keys.tsv).

Hydra refuses an override of an undeclared key unless it is written with ``+``; a key that only another version declares
is a mistake. Source: verl's packaged ``ppo_trainer.yaml`` and ``ppo_megatron_trainer.yaml`` of each release.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ..catalogue.versions import version_key
from .versions import known_verl


@lru_cache(maxsize=8)
def verl_keys(version: str, engine: str = "fsdp") -> dict[str, str]:
    """Declared keys of a version (``engine``: fsdp or megatron), each with its default as Python text."""
    wanted = version_key(known_verl(version))
    table = (files("agentic_rl_wizard.templates") / "backends" / "verl_keys.tsv").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for row in table.splitlines()[1:]:
        key, of_engine, first, last, default = row.split("\t")
        if of_engine in ("both", engine) and version_key(first) <= wanted <= version_key(last):
            found[key] = default
    return found


def is_declared(key: str, version: str, engine: str = "fsdp") -> bool:
    """Whether the version declares the key itself, or a parent whose default is an empty mapping it may stand in."""
    return key in verl_keys(version, engine) or any(k.startswith(key + ".") for k in verl_keys(version, engine))


def default_of(key: str, version: str, engine: str = "fsdp") -> Any:
    """Default of a declared key.

    Raises:
        KeyError: the version does not declare it.
    """
    text = verl_keys(version, engine)[key]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
