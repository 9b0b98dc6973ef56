"""Shared fixtures of the run view's tests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from example_run import START, make_run

from agentic_rl_wizard.wizard import i18n
from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.screens import run_screen
from agentic_rl_wizard.wizard.store import run_model

NOW = START + 520


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """English, a fixed clock, no index of the user, no colours decided by the developer's environment."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TZ", "UTC")
    for name in ("NO_COLOR", "AGENTIC_RL_THEME", "COLORFGBG", "AGENTIC_RL_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(run_model, "now", lambda: NOW)
    monkeypatch.setattr(run_screen, "now", lambda: NOW)
    monkeypatch.setattr(run_model, "read_run", lambda directory: run_model.RunRecord.read(directory))
    before = i18n.language()
    i18n.set_language("en")
    yield
    i18n.set_language(before)


@pytest.fixture
def run_directory(tmp_path: Path) -> Callable[..., Path]:
    """Makes run directories."""

    def make(state: str = "running", steps: int = 42, **more: int) -> Path:
        return make_run(tmp_path / "runs" / f"{state}-{steps}", state, steps, **more)

    return make


@pytest.fixture
def open_app() -> Callable[..., RunApp]:
    """An app on a run directory or a log."""

    def make(path: Path, stop: run_screen.Stop | None = None) -> RunApp:
        model = run_model.model_of_directory(path) if path.is_dir() else run_model.RunModel(path)
        return RunApp(model, stop)

    return make


async def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until something is true."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen in time")
