"""Runs of small stand-in programs that behave like verl and Ray, and a check that nothing of them is left."""

from __future__ import annotations

import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.process.index import read_run
from agentic_rl_wizard.runner.process.procs import MARK, processes
from agentic_rl_wizard.runner.process.record import ENDED, RunRecord
from agentic_rl_wizard.runner.process.spec import Limits
from agentic_rl_wizard.runner.process.start import start_run
from agentic_rl_wizard.runner.process.stop import stop_run
from agentic_rl_wizard.runner.process.sweep import read_processes
from agentic_rl_wizard.runner.stream import JsonLines

QUICK = Limits(interrupt=0.6, terminate=0.6, now=0.4, linger=0.2, sweep=0.4)


SESSION = f"AGENTIC_RL_TEST={uuid.uuid4().hex}"  # marks what this worker of this test session starts, and nothing else
RAY_DIRECTORIES: set[str] = set()


def marked() -> list[int]:
    found: list[int] = []
    for pid in processes():
        try:
            variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if SESSION.encode() in variables and any(v.startswith(f"{MARK}=".encode()) for v in variables):
            found.append(pid)
    return found


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left() -> Iterator[None]:
    name, _, value = SESSION.partition("=")
    os.environ[name] = value
    yield
    del os.environ[name]
    assert marked() == []
    assert [path for path in RAY_DIRECTORIES if path and Path(path).exists()] == []


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)


@dataclass
class Lab:
    """Starts stand-ins and waits for what they do."""

    root: Path
    started: list[RunRecord] = field(default_factory=list)

    def plan(self, code: str, **fields: Any) -> Plan:
        values: dict[str, Any] = {
            "backend": "verl",
            "backend_version": "0.9.1",
            "device": "cpu",
            "argv": (sys.executable, "-u", "-c", code),
            "env": {},
            "cwd": str(self.root),
            "project": "project",
            "experiment": "experiment",
        }
        return Plan(**{**values, **fields})

    def start(self, code: str, config: str = "a: 1\n", limits: Limits = QUICK, **fields: Any) -> RunRecord:
        record = start_run(self.plan(code, **fields), config, self.root / "runs", limits=limits)
        self.started.append(record)
        RAY_DIRECTORIES.add(read_processes(Path(record.directory))[1])
        return record

    def end(self, record: RunRecord, seconds: float = 15.0) -> RunRecord:
        self.until(lambda: read_run(record.directory).state in ENDED, seconds)
        return read_run(record.directory)

    def until(self, true: Callable[[], object], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "waited too long"
            time.sleep(0.02)

    def log(self, record: RunRecord) -> bytes:
        return (Path(record.directory) / "train.log").read_bytes()

    def said(self, record: RunRecord, words: bytes) -> None:
        self.until(lambda: words in self.log(record))

    def rows(self, record: RunRecord, name: str = "metrics.jsonl") -> list[dict[str, Any]]:
        return JsonLines(Path(record.directory) / name).read()

    def events(self, record: RunRecord, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.rows(record, "events.jsonl") if event["kind"] == kind]

    def keeper(self, record: RunRecord) -> int:
        return read_processes(Path(record.directory))[0][0]

    def kill(self, pid: int) -> None:
        """Only ever a process that this run started."""
        assert pid > 1
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    one = Lab(tmp_path)
    yield one
    for record in one.started:
        if Path(record.directory, "run.json").exists():
            stop_run(record, now=True)
