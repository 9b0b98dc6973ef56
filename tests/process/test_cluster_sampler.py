"""Devices of several nodes: lines of a stand-in, and the real stream on a real Ray cluster of two nodes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from npu_table import TABLE

from agentic_rl_wizard.runner.backends.devices import device_stream
from agentic_rl_wizard.runner.cli.devices.cluster import print_cluster
from agentic_rl_wizard.runner.cli.inside import INSIDE
from agentic_rl_wizard.runner.process import cluster_sampler
from agentic_rl_wizard.runner.process.cluster_sampler import ClusterSampler
from agentic_rl_wizard.runner.process.procs import is_alive, start_time


def answer(node: str, output: str = TABLE, **fields: Any) -> str:
    return json.dumps({"id": "id-" + node, "node": node, "tool": "npu-smi", "output": output, "problem": "", **fields})


@pytest.fixture
def make(tmp_path: Path) -> Any:
    made: list[ClusterSampler] = []

    def sampler(*lines: str, then: str = "time.sleep(600)", **values: Any) -> ClusterSampler:
        script = tmp_path / "stream.py"
        script.write_text(f"import sys, time\nprint({chr(10).join(lines)!r}, flush=True)\n{then}\n")
        made.append(ClusterSampler([sys.executable, "-IS", str(script)], **values))
        return made[-1]

    yield sampler
    for one in made:
        one.close()


def wait(sampler: ClusterSampler, true: Any) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end, "waited too long"
        sampler.poll()
        time.sleep(0.01)


def test_each_device_bears_its_node(make: Any) -> None:
    sampler = make(answer("10.0.0.2"), answer("10.0.0.1"))
    assert sampler.row() is None
    wait(sampler, lambda: len(sampler.nodes) == 2)
    row = sampler.row()
    assert [(one["node"], one["npu"], one["utilization_pct"]) for one in row["devices"]] == [
        ("10.0.0.1", 2, 88),
        ("10.0.0.2", 2, 88),
    ]
    assert (row["source"], row["driver"], [one["node"] for one in row["nodes"]]) == (
        "npu-smi", "25.0.1", ["10.0.0.1", "10.0.0.2"])  # fmt: skip


def test_a_node_without_an_answer_does_not_hide_the_other(make: Any) -> None:
    sampler = make(answer("a"), answer("b", "", problem="timeout"), "no JSON", "[1]", json.dumps({"problem": ""}))
    wait(sampler, lambda: len(sampler.nodes) == 2)
    row = sampler.row()
    assert [one["node"] for one in row["devices"]] == ["a"]
    (other,) = [one for one in row["nodes"] if one["node"] == "b"]
    assert other["age_s"] is None
    assert other["problems"][0] == "timeout"


def test_no_cluster_is_told_until_there_is_one(make: Any) -> None:
    sampler = make(
        json.dumps({"problem": "no_cluster", "detail": "x"}),
        then=f"input()\nprint({answer('a')!r}, flush=True)\ntime.sleep(600)",
    )
    wait(sampler, lambda: sampler.problem)
    assert sampler.row()["problems"] == ["no_cluster"]
    sampler._child.stdin.write(b"\n")
    sampler._child.stdin.flush()
    wait(sampler, lambda: sampler.nodes)
    assert "problems" not in sampler.row()


def test_old_samples_are_no_news(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = make(answer("a"))
    wait(sampler, lambda: sampler.nodes)
    monkeypatch.setattr(cluster_sampler, "STALE", -1.0)
    assert sampler.row()["devices"] == []
    assert [one["node"] for one in sampler.row()["nodes"]] == ["a"]


def test_a_stream_that_ends_is_started_again(make: Any) -> None:
    sampler = make(answer("a"), then="", again=0.0)
    wait(sampler, lambda: sampler.problem == "ended")
    wait(sampler, lambda: sampler.pid)
    wait(sampler, lambda: sampler.problem == "")
    assert sampler.row()["devices"]


def test_what_can_not_start_is_told(tmp_path: Path) -> None:
    sampler = ClusterSampler([str(tmp_path / "gone")])
    sampler.poll()
    assert (sampler.row() or {})["problems"] == ["not_started"]


def test_the_stream_goes_with_its_reader(make: Any, tmp_path: Path) -> None:
    sampler = make(answer("a"))
    wait(sampler, lambda: sampler.nodes)
    pid, start = sampler.pid, start_time(sampler.pid)
    sampler.close()
    assert not is_alive(pid, start)
    assert sampler.pid == 0


CLUSTER = """
import os, sys, time
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
cluster.add_node(num_cpus=1)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@pytest.mark.engine
def test_two_nodes_of_a_real_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    tool = tmp_path / "npu-smi"
    tool.write_text(f"#!/bin/sh\ncat <<'END'{TABLE}END\n")
    tool.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "RAY_TMPDIR": "/tmp"}
    cluster = subprocess.Popen([sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=env, text=True, start_new_session=True)  # fmt: skip
    sampler = None
    try:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        assert address
        assert print_cluster(address, sys.executable, True, "en") == 0
        told = json.loads(capsys.readouterr().out)
        assert [(one["npu"], one["memory_used_mib"]) for one in told["devices"]] == [(2, 60000)] * 2
        assert [one["problem"] for one in told["nodes"]] == [None, None]
        assert print_cluster(address, sys.executable, False, "zh") == 0
        assert capsys.readouterr().out.count("节点") == 2
        sampler = ClusterSampler(device_stream(sys.executable, INSIDE, address, interval=1))
        wait_long(sampler)
        row = sampler.row() or {}
        assert len(row["devices"]) == 2
    finally:
        if sampler:
            sampler.close()
        assert cluster.stdin is not None
        cluster.stdin.close()
        try:
            cluster.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(cluster.pid, signal.SIGKILL)


def wait_long(sampler: ClusterSampler) -> None:
    end = time.monotonic() + 120
    while len([one for one in sampler.nodes.values() if one.table]) < 2:
        assert time.monotonic() < end, sampler.problem
        sampler.poll()
        time.sleep(0.1)


def test_no_cluster_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_cluster("127.0.0.1:1", "/no/such/python", False, "en") == 3
    assert "/no/such/python" in capsys.readouterr().err
