"""The screen on a run that really runs: a stand-in for a training under the real supervisor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import until

from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.process.index import find_run, read_run
from agentic_rl_wizard.runner.process.record import ENDED, RunRecord
from agentic_rl_wizard.runner.process.spec import Limits
from agentic_rl_wizard.runner.process.start import start_run
from agentic_rl_wizard.runner.process.stop import stop_run
from agentic_rl_wizard.wizard.run_app import RunApp, stop_function
from agentic_rl_wizard.wizard.store import run_model
from agentic_rl_wizard.wizard.store.run_open import model_of
from agentic_rl_wizard.wizard.widgets.confirm import Confirm

# So many steps that it still runs when a busy machine takes minutes for the two screens; the fixture stops it.
TRAINING = """
import time
print("Total training steps: 3000", flush=True)
for step in range(1, 3001):
    print(f"step:{step} - critic/rewards/mean:{step / 3000} - timing_s/step:0.2 - timing_s/gen:0.1", flush=True)
    time.sleep(0.2)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunRecord]:
    monkeypatch.setattr(run_model, "read_run", read_run)
    plan = Plan(
        backend="verl", backend_version="0.9.1", device="cpu", argv=(sys.executable, "-u", "-c", TRAINING), env={},
        cwd=str(tmp_path), project="project", experiment="experiment",
    )  # fmt: skip
    limits = Limits(interrupt=0.6, terminate=0.6, now=0.4, linger=0.2, sweep=0.4)
    record = start_run(plan, "", tmp_path / "runs", limits=limits)
    yield record
    stop_run(record, now=True)


def state(record: RunRecord) -> str:
    return read_run(record.directory).state


async def test_attach_detach_attach_stop(run: RunRecord) -> None:
    # By its id, as the command line does.
    app = RunApp(model_of(run.id), stop_function())
    async with app.run_test(size=(120, 40)) as pilot:
        model = app.run_screen.model
        await until(lambda: (model.progress.step or 0) >= 2, 60)
        assert model.state == "running"
        assert model.progress.total == 3000
        await until(lambda: app.run_screen.charts.charts, 60)
        await pilot.press("q")
    assert state(run) == "running"

    app = RunApp(model_of(find_run("last").directory), stop_function())
    async with app.run_test(size=(120, 40)) as pilot:
        model = app.run_screen.model
        await pilot.press("X")
        await until(lambda: isinstance(app.screen, Confirm), 60)
        await pilot.press("right", "enter")
        await until(lambda: model.state in ENDED, 60)
        assert model.state == "stopped"
    assert state(run) == "stopped"


def test_what_is_asked_for_is_found(run: RunRecord, tmp_path: Path) -> None:
    assert model_of(f"{run.directory}/train.log").directory == Path(run.directory)
    assert model_of(run.id[:-3]).directory == Path(run.directory)
    with pytest.raises(FileNotFoundError):
        model_of(str(tmp_path))
