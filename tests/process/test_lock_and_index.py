"""One run in a checkpoint directory; runs found from anywhere."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.backends.plan import Resume
from agentic_rl_wizard.runner.process.follow import metrics_of, progress_of
from agentic_rl_wizard.runner.process.index import RunNotFound, find_run, list_runs, read_run, state_directory
from agentic_rl_wizard.runner.process.lock import LOCK, RunLock
from agentic_rl_wizard.runner.process.procs import boot_id, host, is_alive, process, start_time
from agentic_rl_wizard.runner.process.reasons import reason_text
from agentic_rl_wizard.runner.process.record import RunRecord
from agentic_rl_wizard.runner.process.start import StartFailed
from agentic_rl_wizard.runner.process.stop import StopFailed, stop_run


def test_a_second_run_in_the_same_checkpoint_directory_is_refused(lab: Any) -> None:
    checkpoints = lab.root / "checkpoints" / "p" / "e"
    first = lab.start("import time; time.sleep(60)", checkpoint_dir=str(checkpoints))
    assert (checkpoints / LOCK).stat().st_mode & 0o777 == 0o640
    with pytest.raises(StartFailed) as error:
        lab.start("print(1)", checkpoint_dir=str(checkpoints))
    assert (error.value.code, error.value.params["run"]) == ("run.locked", first.id)
    assert find_run("last").id == first.id
    assert len(list(Path(first.directory).parent.iterdir())) == 1
    other = lab.start("print(1)", checkpoint_dir=str(lab.root / "elsewhere"))
    assert lab.end(other).state == "finished"
    assert not (lab.root / "elsewhere").exists()  # made for the lock, stayed empty
    stop_run(first)
    assert not checkpoints.exists()
    checkpoints.mkdir(parents=True)
    (checkpoints / "kept").write_text("x")
    assert lab.end(lab.start("print(1)", checkpoint_dir=str(checkpoints))).state == "finished"
    assert [path.name for path in checkpoints.iterdir()] == ["kept"]


def test_a_stale_lock_does_not_hinder(tmp_path: Path) -> None:
    holder = {"run": "0" * 8, "host": host(), "boot": boot_id(), "pid": os.getpid()}
    for text in (json.dumps(holder), "", "{", "[]"):
        (tmp_path / LOCK).write_text(text)
        RunLock(tmp_path, "a", "x").release()
        assert not (tmp_path / LOCK).exists()


def test_pids_are_told_apart_by_their_start() -> None:
    me = process(os.getpid())
    assert me is not None
    assert is_alive(os.getpid(), start_time(os.getpid()))
    assert not is_alive(os.getpid(), me.start - 1)
    assert not is_alive(0, 0.0)
    child = os.fork()
    if child == 0:
        os._exit(0)
    start = start_time(child)
    late = time.monotonic() + 20
    while is_alive(child, start) and time.monotonic() < late:
        time.sleep(0.01)
    assert not is_alive(child, start)  # a zombie
    os.waitpid(child, 0)


def test_references(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunNotFound):
        find_run("last")
    first = lab.end(lab.start("print(1)"))
    second = lab.end(lab.start("print(2)", experiment="other"))
    monkeypatch.chdir(lab.root)
    for reference in (first.id, first.id[:7], first.directory, first.directory + "/", f"{first.directory}/train.log",
                      os.path.relpath(first.directory), "experiment"):  # fmt: skip
        assert find_run(reference).id == first.id, reference
    assert find_run("last").id == second.id
    with pytest.raises(RunNotFound) as error:
        find_run("othre")
    assert "other" in error.value.nearest
    for reference in ("", "/", ".", "no/such/path"):
        with pytest.raises(RunNotFound):
            find_run(reference)
    entry = json.loads((state_directory() / f"{first.id}.json").read_text())
    twin = first.id[:4] + "zzzz"
    shutil.copytree(first.directory, first.directory + "-twin")
    record = RunRecord.read(first.directory + "-twin")
    record.id = twin
    record.write()
    (state_directory() / f"{twin}.json").write_text(json.dumps({**entry, "id": twin, "directory": record.directory}))
    with pytest.raises(RunNotFound) as ambiguous:
        find_run(first.id[:4])
    assert {run.id for run in ambiguous.value.matches} == {first.id, twin}
    shutil.rmtree(second.directory)
    (state_directory() / "broken.json").write_text("{")
    assert [run.id for run in list_runs()] == [first.id, twin]


def test_runs_of_another_boot_or_host_are_lost(lab: Any) -> None:
    record = lab.end(lab.start("print(1)"))
    record.state = "running"
    record.boot_id = "another"
    record.write()
    assert read_run(record.directory).state == "lost"
    assert stop_run(record).state == "lost"
    record.boot_id, record.host = boot_id(), "another-host"
    record.write()
    assert read_run(record.directory).state == "running"  # its files are fresh: it may well live there
    old = time.time() - 3600
    for path in Path(record.directory).iterdir():
        os.utime(path, (old, old))
    lost = read_run(record.directory)
    assert lost.state == "lost"
    assert "another-host" in lost.reason and "another-host" in reason_text(lost, "zh") != lost.reason
    with pytest.raises(StopFailed) as error:
        stop_run(record)
    assert error.value.code == "run.other_host"
    lab.started.clear()


def test_attempts_are_joined(lab: Any) -> None:
    code = "for n in range({0}, {1}): print(f'step:{{n}} - critic/rewards/mean:{2}')"
    first = lab.end(lab.start(code.format(1, 6, 0.1)))
    resume = Resume("resume", "checkpoints", 3)
    second = lab.end(lab.start("print('Resuming from c/global_step_3')\n" + code.format(4, 8, 0.9), resume=resume))
    assert second.previous == first.directory
    assert second.resumed_step == 3
    assert lab.events(second, "resume")[0]["step"] == 3
    joined = [(step, data["critic/rewards/mean"]) for step, data in metrics_of(second)]
    assert joined == [(1, 0.1), (2, 0.1), (3, 0.1), (4, 0.9), (5, 0.9), (6, 0.9), (7, 0.9)]
    assert [step for step, _ in metrics_of(second, attempts=False)] == [4, 5, 6, 7]
    progress = progress_of(second)
    assert (progress.step, progress.resumed_from, progress.reward) == (7, 3, 0.9)
