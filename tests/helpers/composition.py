"""Composes the overrides of a plan with the configuration of the verl that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def composed_with_verl(plan: Any, version: str = "0.9.1") -> Any:
    """What Hydra makes of a plan's overrides; skips where another verl is installed, or none."""
    hydra = pytest.importorskip("hydra")
    verl = pytest.importorskip("importlib.metadata").distribution("verl")
    if verl.version != version:
        pytest.skip(f"composed with verl {version} only")
    folder = Path(str(verl.locate_file("verl/trainer/config")))
    with hydra.initialize_config_dir(config_dir=str(folder), version_base=None):
        return hydra.compose("ppo_trainer", overrides=[a for a in plan.argv[3:] if not a.startswith("hydra.")])
