"""Calls of device tools; stand-ins take the place of npu-smi."""

import os
import sys
import time
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts import devices
from agentic_rl_wizard.runner.facts.devices import find_tool, look_at_cpu, run_tool


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Put a stand-in for npu-smi on the path; nothing else is found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(devices, "TOOL_FOLDERS", (str(tmp_path / "none"),))

    def make(code, mode=0o755):
        path = tmp_path / "npu-smi"
        path.write_text(f"#!{sys.executable} -IS\nimport os, subprocess, sys, time\n{code}\n")
        path.chmod(mode)
        return path

    return make


def test_output_of_both_streams_and_the_words_of_the_call(tool):
    path = tool("print(sys.argv[1:], os.environ['LC_ALL']); print('odd', file=sys.stderr)")
    output = run_tool(["npu-smi", "info", "a b;$(c)"])
    assert (output.stdout, output.stderr) == (b"['info', 'a b;$(c)'] C\n", b"odd\n")
    assert (output.problem, output.returncode, output.argv[0]) == ("", 0, str(path))


def test_no_tool(tool):
    assert find_tool("npu-smi") is None
    output = run_tool(["npu-smi", "info"])
    assert (output.problem, output.returncode) == ("missing", None)


def test_tool_in_a_folder_that_is_not_on_the_path(tool, tmp_path, monkeypatch):
    path = tool("")
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr(devices, "TOOL_FOLDERS", (str(tmp_path),))
    assert find_tool("npu-smi") == str(path)


def test_a_tool_that_fails_keeps_its_words(tool):
    tool("print('dcmi module initialize failed. ret is -8005'); sys.exit(255)")
    output = run_tool(["npu-smi", "info"])
    assert (output.problem, output.returncode) == ("failed", 255)
    assert b"-8005" in output.stdout


def test_a_tool_that_no_system_can_start(tool, tmp_path):
    path = tool("")
    path.write_bytes(b"#!" + str(tmp_path / "no-interpreter").encode() + b"\n")
    output = run_tool(["npu-smi", "info"])
    assert output.problem == "not_started"
    assert output.detail


def test_a_tool_that_hangs_is_ended_with_its_children(tool, tmp_path):
    note = tmp_path / "pids"
    tool(f"""
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])
open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')
print('half a', flush=True)
time.sleep(60)
""")
    output = run_tool(["npu-smi", "info"], timeout=2)
    assert (output.problem, output.returncode, output.stdout) == ("timeout", None, b"half a\n")
    assert output.seconds < 30
    for pid in note.read_text().split():
        end = time.monotonic() + 5
        while _runs(int(pid)):
            assert time.monotonic() < end
            time.sleep(0.02)


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_child_that_holds_the_pipe_delays_nothing(tool):
    tool("subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); print('done')")
    output = run_tool(["npu-smi", "info"], timeout=30)
    assert (output.problem, output.stdout) == ("", b"done\n")
    assert output.seconds < 25


def test_endless_output_is_ended(tool):
    tool("while True: print('x' * 10000)")
    output = run_tool(["npu-smi", "info"], timeout=60)
    assert output.problem == "flood"
    assert len(output.stdout) == 1 << 16


def test_no_descriptor_is_left(tool):
    tool("print(1)")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        run_tool(["npu-smi"])
    assert len(os.listdir("/proc/self/fd")) == before


def test_cpu():
    cpu = look_at_cpu(0.01)
    assert cpu is not None
    assert cpu.cores >= 1
    assert 0 <= cpu.percent <= 100
    assert 0 < cpu.memory_used_mib < cpu.memory_total_mib
