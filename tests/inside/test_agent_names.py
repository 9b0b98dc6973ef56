"""``import agentic_rl`` without AgentSDK: the stand-in answers, and never in the real package's place."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from agentic_rl_inside.agent import compat


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """No stand-in before and after."""
    compat.remove()
    importlib.invalidate_caches()
    yield
    compat.remove()
    for name in [name for name in sys.modules if name.partition(".")[0] == "agentic_rl"]:
        del sys.modules[name]


@pytest.mark.parametrize("module", [name for name, given in compat.MODULES.items() if given])
def test_every_documented_place_offers_the_same_classes(module: str) -> None:
    assert compat.install()
    found = importlib.import_module(module)
    core = importlib.import_module("agentic_rl")
    names = compat.MODULES[module]
    assert [getattr(found, name) for name in names if name != "Loggers"] == [
        getattr(core, name) for name in names if name != "Loggers"
    ]


def test_nothing_is_installed_by_importing_the_room() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("agentic_rl")


def test_the_real_package_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agentic_rl").mkdir()
    (tmp_path / "agentic_rl" / "__init__.py").write_text("BaseEngineWrapper = 'the real one'\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert not compat.install()
    assert importlib.import_module("agentic_rl").BaseEngineWrapper == "the real one"
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("agentic_rl.runner")


def test_a_folder_of_that_name_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agentic_rl").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert compat.install()
    assert importlib.import_module("agentic_rl").Trajectory is not None


def test_the_logger_logs(caplog: pytest.LogCaptureFixture) -> None:
    compat.install()
    logger: Any = importlib.import_module("agentic_rl.base.log.loggers").Loggers("mine")
    logger.warning("so it is")
    logger.get_logger().warning("and so")
    assert caplog.messages == ["so it is", "and so"]


def test_step_trajectories_are_trajectories() -> None:
    compat.install()
    sdk = importlib.import_module("agentic_rl")
    step = sdk.Step(chat_completions=[{"role": "user", "content": "a"}], done=True)
    one = torch.tensor([1])
    made = sdk.StepTrajectory(one, one, one, task={"id": 1}, steps=[step])
    assert isinstance(made, sdk.Trajectory)
    assert set(made.metrics) == {
        "steps",
        "toolcall_reward",
        "res_reward",
        "reward_time",
        "env_time",
        "llm_time",
        "total_time",
    }
    with pytest.raises(TypeError, match="done"):
        sdk.Step(done="yes")
