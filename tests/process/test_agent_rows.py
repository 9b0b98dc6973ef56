"""The agent wrapper's averages become part of the row of their step, whatever channel that comes by."""

import json

import pytest

from agentic_rl_wizard.runner.process.recorder import Recorder

PLAYED = "\x1b[36m(AgentLoopWorkerTQ pid=7)\x1b[0m step:3 - traj/steps_mean:2.5 - traj/env_time_mean:0.1\n"
TRAINED = "(TaskRunnerV1 pid=8) step:3 - critic/rewards/mean:0.5 - actor/lr:0.1\n"


def rows(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("channel", ["console", "file"])
def test_averages_wait_for_their_step(tmp_path, channel):
    (tmp_path / "train.log").write_text(PLAYED)
    recorder = Recorder(tmp_path, "verl.jsonl" if channel == "file" else "")
    recorder.poll()
    assert not (tmp_path / "metrics.jsonl").exists() or rows(tmp_path) == []
    with (tmp_path / "train.log").open("a") as log:
        log.write(TRAINED)
    if channel == "file":
        (tmp_path / "verl.jsonl").write_text('{"step": 3, "data": {"critic/rewards/mean": 0.5, "actor/lr": 0.1}}\n')
    recorder.poll(last=True)
    (row,) = rows(tmp_path)
    assert (row["step"], row["source"]) == (3, channel)
    assert row["data"] == {
        "traj/steps_mean": 2.5,
        "traj/env_time_mean": 0.1,
        "critic/rewards/mean": 0.5,
        "actor/lr": 0.1,
    }
