"""`cluster`: the commands for the head node and the others, and a real Ray head started and joined here."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.backends.cluster import ray_start
from agentic_rl_wizard.runner.cli.cluster import command as commands_cluster
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.facts.interfaces import Interface, interface_of, interfaces, own_address
from agentic_rl_wizard.runner.facts.ray_token import token_environment
from agentic_rl_wizard.runner.process.procs import processes_of_run

ETH = [Interface("lo", "127.0.0.1"), Interface("eth7", "10.1.0.5"), Interface("ib0", "10.2.0.5")]


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_cluster, "interfaces", lambda: ETH)
    monkeypatch.setattr(
        commands_cluster, "interface_of", lambda address: next((i for i in ETH if i.address == address), None)
    )
    monkeypatch.setattr(commands_cluster, "own_address", lambda towards="": "10.1.0.5")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["cluster", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_head_and_worker_belong_together(network: None, capsys: pytest.CaptureFixture[str]) -> None:
    head = shown(capsys, "head")
    assert {"--head", "--port=6766", "--node-ip-address=10.1.0.5"} <= set(head["argv"])
    assert head["address"] == "10.1.0.5:6766"
    worker = shown(capsys, "worker", "10.1.0.9:7000")
    assert {"--address=10.1.0.9:7000", "--node-ip-address=10.1.0.5"} <= set(worker["argv"])
    assert worker["env"]["GLOO_SOCKET_IFNAME"] == "eth7"


def test_another_interface(network: None, capsys: pytest.CaptureFixture[str]) -> None:
    head = shown(capsys, "head", "--interface", "ib0")
    assert (head["address"], head["env"]["GLOO_SOCKET_IFNAME"]) == ("10.2.0.5:6766", "ib0")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["worker"], "HOST"),
        (["head", "127.0.0.1"], "10.1.0.5"),
        (["head", "10.9.9.9"], "eth7"),
        (["head", "--interface", "eth0"], "ib0"),
        (["worker", "10.1.0.9:0"], "10.1.0.9:0"),
        (["worker", "10.1.0.9:99999"], "99999"),
        (["worker", "no such host"], "no such host"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_can_not_be(
    network: None, capsys: pytest.CaptureFixture[str], arguments: list[str], word: str, lang: str
) -> None:
    assert main(["cluster", *arguments, "--print", "--lang", lang]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert "Traceback" not in said


def test_on_npus() -> None:
    node = ray_start("head", "python3", head="10.1.0.5", own="10.1.0.5", interface="eth7", accelerator="npu",
                     devices=16, environment={"HCCL_CONNECT_TIMEOUT": "7200"})  # fmt: skip
    assert '--resources={"NPU": 16}' in node.argv
    assert node.env["HCCL_SOCKET_IFNAME"] == "eth7"
    assert "HCCL_CONNECT_TIMEOUT" not in node.env  # the user's own stays
    assert set(node.env) == set(node.reasons)
    assert all(set(why) == {"en", "zh"} for why in node.reasons.values())


def test_the_token_is_used_where_there_is_one(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert token_environment(home) == {}
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("x")
    assert token_environment(home) == {"RAY_AUTH_MODE": "token"}
    assert token_environment({**home, "RAY_AUTH_MODE": "disabled"}) == {}
    assert token_environment({"HOME": "/nowhere", "RAY_AUTH_TOKEN": "x"}) == {"RAY_AUTH_MODE": "token"}
    assert token_environment({"HOME": str(tmp_path), "RAY_AUTH_TOKEN_PATH": "/no/token"}) == {}


def test_addresses_of_this_machine() -> None:
    assert any(one.loopback for one in interfaces())
    own = own_address()
    assert own == "" or interface_of(own) is not None
    assert own_address("127.0.0.1") == "127.0.0.1"


@pytest.mark.engine
def test_a_real_head_is_started_and_can_be_joined() -> None:
    pytest.importorskip("ray")
    if not own_address() or (interface_of(own_address()) or ETH[0]).loopback:
        pytest.skip("this machine has no network interface")
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    mark = f"cluster-test-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="arl-c", dir="/tmp") as folder:
        env = {**os.environ, "AGENTIC_RL_RUN_ID": mark, "RAY_TMPDIR": folder}
        command = [
            sys.executable,
            "-m",
            "agentic_rl_wizard.runner.cli.main",
            "cluster",
            "head",
            "--port",
            str(port),
            "--lang",
            "en",
        ]
        try:
            done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=180, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
            address = f"{own_address()}:{port}"
            assert f"--ray-address {address}" in done.stdout
            code = "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False); print(len(ray.nodes()))"
            env.update(token_environment(env))  # as `run --ray-address` sets it
            joined = subprocess.run(
                [sys.executable, "-c", code, address], capture_output=True, text=True, env=env, check=False
            )
            assert joined.stdout.strip() == "1", joined.stderr[-500:]
        finally:
            end = time.monotonic() + 20
            while (left := processes_of_run(mark, (), [])) and time.monotonic() < end:
                for one in left:
                    with contextlib.suppress(OSError):
                        os.kill(one.pid, signal.SIGKILL)
                time.sleep(0.1)
