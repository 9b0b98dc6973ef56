"""The three loaders that read what we write: PyYAML (AgentSDK), ruamel.yaml (both YAML versions), OmegaConf (verl)."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any

import yaml
from ruamel.yaml import YAML


def examples(count: int) -> int:
    """Number of examples of a property test; PROPERTY_FACTOR=10 runs ten times as many."""
    return count * int(os.environ.get("PROPERTY_FACTOR", "1"))


def every_reading(text: str, omegaconf: bool = True) -> Iterator[tuple[str, Any]]:
    """What each loader makes of a text, with the loader's name."""
    yield "PyYAML", yaml.safe_load(text)
    for version in ((1, 1), (1, 2)):
        reader = YAML(typ="safe", pure=True)
        reader.version = version
        yield f"ruamel {version}", reader.load(io.StringIO(text.removeprefix("\ufeff")))
    if omegaconf:
        try:
            from omegaconf import OmegaConf
        except ImportError:
            return
        yield "OmegaConf", OmegaConf.to_container(OmegaConf.create(text.removeprefix("\ufeff")), resolve=False)


def at(values: Any, path: Any) -> Any:
    """The value at a path."""
    for step in path:
        values = values[step]
    return values


def other_lines(before: str, after: str) -> tuple[int, int]:
    """How many lines of two texts lie between the lines they share in front and those they share behind."""
    old, new = before.split("\n"), after.split("\n")
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return len(old) - head - tail, len(new) - head - tail
