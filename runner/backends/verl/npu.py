"""What verl needs set on NPUs, each variable with its reason and source (templates/backends/env_verl_npu.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ...catalogue.versions import version_holds
from ..plan import Text
from ..ports import hccl_port
from ..request import Request


def npu_environment(request: Request) -> tuple[dict[str, str], dict[str, Text]]:
    """(variables, reason of each) for this run; none that the person has exported."""
    env: dict[str, str] = {}
    reasons: dict[str, Text] = {}
    for entry in _variables():
        name = str(entry["name"])
        if name in request.environment or not version_holds(str(entry.get("versions", "")), request.verl_version):
            continue
        env[name] = str(entry["value"]).replace("{port}", str(hccl_port(request.run_dir)))
        why = cast("Mapping[str, str]", entry["why"])
        reasons[name] = {language: f"{text} [{entry['source']}]" for language, text in why.items()}
    return env, reasons


@lru_cache(maxsize=1)
def _variables() -> tuple[Mapping[str, Any], ...]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "env_verl_npu.yaml"
    return tuple(cast("list[Mapping[str, Any]]", yaml.safe_load(path.read_text(encoding="utf-8"))["variables"]))
