"""Asking the training interpreter: every way in which it may not answer is a value."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from agentic_rl_wizard.runner.facts import default_python, probe_training

ANSWER = """
import json, sys
print("a banner of somebody's site package")
request = json.loads(sys.argv[1])
facts = {"format": "parquet", "columns": ["prompt", "reward_model.ground_truth"], "rows": 7}
answer = {"python": "3.11.9", "versions": {"verl": "0.9.1", "ray": None}, "missing": ["pyarrow"]}
print(json.dumps({**answer, "files": {path: facts for path in request["paths"]}}))
"""


def script(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "probe.py"
    path.write_text(text)
    return path


def runs(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_an_answer(tmp_path: Path) -> None:
    facts = probe_training(sys.executable, ["/d/a.parquet"], probe=script(tmp_path, ANSWER))
    assert facts.problem == ""
    assert facts.version == "3.11.9"
    assert facts.versions == {"verl": "0.9.1"}
    assert facts.missing == ("pyarrow",)
    assert facts.rows("/d/a.parquet") == 7
    assert facts.rows("/d/other") is None
    assert facts.files["/d/a.parquet"].columns == ("prompt", "reward_model.ground_truth")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("print('hello')", "no sense"),
        ("", "no sense"),
        ("print('{')", "no sense"),
        ("print('[1]')", "no sense"),
        ('print(\'{"files": {"a": 3}}\')', "no sense"),
        ("import sys; print('boom: why', file=sys.stderr); sys.exit(3)", "boom: why"),
        ("import os; os._exit(9)", "exit code 9"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "no sense"),
        ("import time; time.sleep(30)", "within"),
    ],
)
def test_no_answer(tmp_path: Path, text: str, word: str) -> None:
    slow = "sleep" in text
    facts = probe_training(sys.executable, probe=script(tmp_path, text), timeout=0.5 if slow else 20)
    assert word in facts.problem
    assert facts.files == {}


def test_what_an_interpreter_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    # A start script whose child keeps the pipes open: the answer does not wait for it, and it does not stay.
    wrapper, left = tmp_path / "python", tmp_path / "left"
    wrapper.write_text(f'#!/bin/sh\nsleep 300 &\necho $! > {left}\nexec {sys.executable} "$@"\n')
    wrapper.chmod(0o755)
    facts = probe_training(str(wrapper), timeout=50)
    assert facts.problem == ""
    assert facts.version
    for _ in range(500):  # a kill takes effect a moment later
        if not (living := runs(int(left.read_text()))):
            break
        time.sleep(0.02)
    assert not living


def test_an_interpreter_that_never_stops_talking(tmp_path: Path) -> None:
    facts = probe_training(sys.executable, probe=script(tmp_path, "while True: print('y' * 9999)"), timeout=50)
    assert "4 MiB" in facts.problem


def test_no_interpreter(tmp_path: Path) -> None:
    assert "No such file" in probe_training(str(tmp_path / "python")).problem
    plain = tmp_path / "plain"
    plain.write_text("no program")
    assert "Permission denied" in probe_training(str(plain)).problem
    plain.chmod(0o755)
    assert "format error" in probe_training(str(plain)).problem
    assert probe_training("a\0b").problem


def test_which_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    assert default_python() == sys.executable
    monkeypatch.setenv("AGENTIC_RL_PYTHON", "/opt/train/bin/python")
    assert default_python() == "/opt/train/bin/python"
    assert default_python("/mine") == "/mine"
