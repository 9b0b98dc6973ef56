"""Reads a model directory: config.json and whether the tokenizer brings a chat template. Nothing in it is executed.

``auto_map`` and the Python files that ``trust_remote_code`` would run are never looked at.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from .model import ModelFacts, model_facts

CONFIG_LIMIT = 4 << 20  # bytes; the largest ones in use have some 100 KiB
TOKENIZER_LIMIT = 32 << 20  # added tokens may fill megabytes


def look_at_model(directory: str | os.PathLike[str]) -> ModelFacts | None:
    """What config.json says; None where there is none, or where it is no JSON object. Never raises."""
    folder = Path(directory)
    config = _json(folder / "config.json", CONFIG_LIMIT)
    if config is None:
        return None
    values = {**config, "chat_template": _chat_template(folder)}
    return model_facts(values, source="config.json")


def _chat_template(folder: Path) -> bool | None:
    for name in ("chat_template.jinja", "chat_template.json"):
        try:
            if (folder / name).is_file():
                return True
        except (OSError, ValueError):
            return None
    tokenizer = _json(folder / "tokenizer_config.json", TOKENIZER_LIMIT)
    if tokenizer is None:
        return None
    template: Any = tokenizer.get("chat_template")  # a text, or a list of named ones
    return bool(template)


def _json(path: Path, limit: int) -> Mapping[str, Any] | None:
    """A JSON object from a regular file of at most ``limit`` bytes; None for whatever else is there."""
    try:
        # Without waiting: a pipe in its place would never answer.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                return None
            found: Any = json.loads(stream.read(limit + 1)[:limit])
    except (OSError, ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else None
