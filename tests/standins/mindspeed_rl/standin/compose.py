"""The part of Hydra that MindSpeed-RL's command line uses: one folder beside the repository's, the group ``model``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


def compose(arguments: list[str]) -> dict[str, Any]:
    """The configuration of a command line; ends the process as Hydra does on what it does not know."""
    folder, name, overrides, words = "", "", [], list(arguments)
    while words:
        word = words.pop(0)
        if word in ("--config-dir", "-cd", "--config-name", "-cn"):
            value = words.pop(0) if words else ""
            folder, name = (value, name) if word in ("--config-dir", "-cd") else (folder, value)
        elif word.startswith("-"):
            sys.exit(f"usage: train.py [--config-dir DIR] [--config-name NAME]\nerror: unrecognized arguments: {word}")
        else:
            overrides.append(word)
    if folder and not Path(folder).is_dir():
        sys.exit(f"Additional config directory '{folder}' not found")
    found = _read(name, folder, "primary config")
    for entry in found.pop("defaults", None) or []:
        for group, wanted in entry.items() if isinstance(entry, dict) else ():
            section = found.setdefault(group, {})
            for one in wanted if isinstance(wanted, list) else [wanted]:
                section.update(_read(f"{group}/{one}", folder, f"'{group}/{one}'"))
    for override in overrides:
        key = override.partition("=")[0]
        if not key.startswith("hydra."):
            sys.exit(f"Could not override '{key}'.\nKey '{key}' is not in struct")
    return found


def _read(name: str, folder: str, what: str) -> dict[str, Any]:
    for place in (ROOT / "configs", Path(folder)):
        path = place / f"{name}.yaml"
        if path.is_file():
            return yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    sys.exit(f"Cannot find {what} '{name}'. Check that it's in your config search path.")
