"""`agentic-rl run F --backend ascendfactory` against a stand-in of ascendfactory-cli."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_a_training(bench: Any) -> None:
    code, record = bench.run(bench.factory(), "--devices", "0-3")
    assert code == 0, bench.said() + bench.log(record)
    assert (record.state, record.backend) == ("finished", "ascendfactory")
    assert [row["step"] for row in bench.rows(record)] == [1, 2, 3, 4]
    assert "devices: 0,1,2,3" in bench.log(record)
    assert (bench.root / "out" / "checkpoint_model" / "global_step_4" / "actor").is_dir()


def test_the_copy_keeps_the_comments_and_has_absolute_paths(bench: Any) -> None:
    config = bench.factory()
    text = bench.plan(config)["files"]["resolved/f.yaml"]
    assert f"af_output_dir: {bench.root}/out" in text
    assert f"train_files: {bench.root}/train.parquet" in text
    before, after = config.read_text().splitlines(), text.splitlines()
    assert len(before) == len(after)
    assert len([one for one, other in zip(before, after, strict=True) if one != other]) == 4


def test_resume_follows_the_checkpoint_of_the_model(bench: Any) -> None:
    assert bench.run(bench.factory(trainer__total_training_steps=2))[0] == 0
    plan = bench.plan(bench.factory())
    assert (plan["resume"]["mode"], plan["resume"]["step"]) == ("resume", 2)
    assert plan["checkpoint_dir"] == str(bench.root / "out" / "checkpoint_model")
    code, record = bench.run(bench.factory())
    assert code == 0 and [row["step"] for row in bench.rows(record)] == [3, 4]
    assert bench.plan(bench.factory(trainer__resume_mode="disable"))["resume"]["mode"] == "fresh"
    fresh = bench.plan(bench.factory(), "--fresh")
    assert fresh["resume"]["mode"] == "fresh"
    assert [word for word in fresh["argv"] if word.startswith("--af_output_dir=") and not word.endswith("/out")]


def test_several_machines(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    config = bench.factory(trainer__nnodes=2, trainer__total_training_steps=1)
    monkeypatch.delenv("MASTER_ADDR", raising=False)
    monkeypatch.delenv("NODE_RANK", raising=False)
    assert bench.call("run", str(config), "--python", bench.python) == 2
    assert "MASTER_ADDR, NODE_RANK" in bench.said()
    monkeypatch.setenv("NODE_RANK", "1")
    argv = bench.plan(config, "--ray-address", "10.0.0.1:6379")["argv"]
    assert argv[3:] == ["--env.MASTER_ADDR=10.0.0.1", "--env.NNODES=2", "--env.NODE_RANK=1"]
    monkeypatch.setenv("MASTER_ADDR", "10.0.0.1")
    code, record = bench.run(config)
    assert code == 0, bench.log(record)


def test_a_failure_is_told(bench: Any) -> None:
    bench.environment.behave(fail_at=1, fail="HCCL watchdog thread terminated: ALLGATHER timeout 600000 ms")
    code, record = bench.run(bench.factory())
    assert code == 1 and record.state == "failed"
    assert Path(record.directory, "train.log").stat().st_size > 0
    assert bench.events(record, "failure")[0]["reason"]
