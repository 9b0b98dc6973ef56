"""Composes verl's configuration from ``cpu_overrides.yaml``, as the launch does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def stated(package: Path) -> dict[str, Any]:
    return yaml.safe_load((package / "cpu_overrides.yaml").read_text("utf-8"))


def overrides(package: Path, folder: Path) -> list[str]:
    """All overrides, the critic's included, except the alternatives that start with "otherwise"."""
    result: list[str] = []
    for entry in stated(package)["overrides"]:
        if str(entry.get("when", "")).startswith("otherwise"):
            continue
        value = str(entry["value"]).lower() if isinstance(entry["value"], bool) else str(entry["value"])
        for name, path in (("inside", package), ("model", folder / "model"), ("ray_tmp", "/tmp/r")):
            value = value.replace("{" + name + "}", str(path))
        result.append(("+" if entry.get("add") else "") + f"{entry['key']}={value}")
    return [*result, f"actor_rollout_ref.model.path={folder / 'model'}"]


def compose(package: Path, folder: Path) -> Any:
    import hydra
    from omegaconf import OmegaConf

    with hydra.initialize_config_module("verl.trainer.config", version_base=None):
        config = hydra.compose("ppo_trainer", overrides=overrides(package, folder))
    OmegaConf.resolve(config)
    return config
