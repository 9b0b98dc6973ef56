"""AgentSDK files become overrides that the installed verl's own configuration takes, value for value."""

from __future__ import annotations

import copy
import importlib.util
from pathlib import Path
from typing import Any

import pytest
from oracle.judge import plan_of
from oracle.records import read_configurations

pytest.importorskip("hydra")
VERL = importlib.util.find_spec("verl")


@pytest.fixture(scope="module")
def packaged() -> Any:
    from hydra import compose, initialize_config_dir

    if VERL is None or not VERL.submodule_search_locations:
        pytest.skip("verl is not installed here")
    folder = Path(VERL.submodule_search_locations[0]) / "trainer" / "config"
    with initialize_config_dir(config_dir=str(folder), version_base=None):
        yield compose("ppo_trainer")


def test_every_override_arrives_as_it_was_meant(packaged: Any) -> None:
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from omegaconf import OmegaConf

    files = [c for c in read_configurations() if not c.native][:40]
    assert len(files) == 40
    parser = OverridesParser.create()
    for file in files:
        plan = plan_of(file, "0.9.1")
        config = copy.deepcopy(packaged)
        ConfigLoaderImpl._apply_overrides_to_config(parser.parse_overrides(list(plan.argv[3:-1])), config)
        got = {key: OmegaConf.select(config, key) for key in plan.overrides}
        assert {k: OmegaConf.to_container(v) if OmegaConf.is_config(v) else v for k, v in got.items()} == plan.overrides
