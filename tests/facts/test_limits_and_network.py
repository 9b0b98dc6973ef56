"""umask, limits, places, host names: read without changing anything and without waiting for anybody."""

from __future__ import annotations

import os
import resource
import socket
import time

from agentic_rl_wizard.runner.facts import network
from agentic_rl_wizard.runner.facts.limits import look_at_limits
from agentic_rl_wizard.runner.facts.network import hosts_of, look_at_network, resolve
from agentic_rl_wizard.runner.facts.system import look_at_system


def test_umask_and_limits():
    before = os.umask(0o026)
    try:
        found = look_at_limits()
    finally:
        os.umask(before)
    assert found.umask == 0o026
    assert found.limits["nofile"][0] in (resource.getrlimit(resource.RLIMIT_NOFILE)[0], -1)


def test_places(tmp_path):
    (tmp_path / "dev" / "shm").mkdir(parents=True)
    env = {"HOME": str(tmp_path), "TMPDIR": "/tmp"}
    found = look_at_limits(tmp_path / "not" / "there" / "yet", tmp_path, env)
    assert found.umask is None  # no proc there
    assert found.place("work").path == str(tmp_path)
    assert found.place("work").free_gib > 0
    assert found.place("shm").path == str(tmp_path / "dev" / "shm")
    assert (found.temporary, found.temporary_from) == ("/tmp", "TMPDIR")
    assert look_at_limits(tmp_path, tmp_path, {**env, "RAY_TMPDIR": "/r"}).temporary == "/r"


def test_the_hosts_file(tmp_path):
    path = tmp_path / "hosts"
    path.write_text("127.0.0.1 localhost\n127.0.1.1\tnode1 node1.lan # mine\n# 10.0.0.1 node1\n10.0.0.5 node1\n")
    assert hosts_of(path, "node1") == ("127.0.1.1", "10.0.0.5")
    assert hosts_of(path, "node") == ()
    assert hosts_of(tmp_path / "absent", "node1") == ()


def test_a_name_server_that_does_not_answer(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: time.sleep(1) or [])
    assert resolve("node1", 0.05) == ((), True)


def test_a_name_that_nobody_knows(monkeypatch):
    def refuse(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert resolve("node1", 5) == ((), False)


def test_the_network(monkeypatch):
    monkeypatch.setattr(network.socket, "gethostname", lambda: "localhost")
    found = look_at_network(env={"A": "b"})
    assert found.env == {"A": "b"}
    assert found.interface("lo") is None or "127.0.0.1" in found.interface("lo").addresses
    assert found.interface("no such") is None
    assert any(address in ("127.0.0.1", "::1") for address in found.resolved)


def test_the_system(tmp_path, monkeypatch):
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text('NAME=x\nPRETTY_NAME="openEuler 22.03"\n')
    found = look_at_system(tmp_path)
    assert (found.system, found.container) == ("openEuler 22.03", "")
    (tmp_path / ".dockerenv").touch()
    assert look_at_system(tmp_path).container == "docker"
    assert found.clock >= found.newest - 86400
