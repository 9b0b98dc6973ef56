"""A real terminal that goes away: the viewer must end, not wait for ever."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SHOW = "import sys; from agentic_rl_wizard.wizard.run_app import open_run; sys.exit(open_run(sys.argv[1]))"
IGNORING = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); " + SHOW


def start(program: str, path: Path) -> tuple[int, int]:
    """Start the view on a terminal of its own; wait until it shows something."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", AGENTIC_RL_LANG="en")
        os.execv(sys.executable, [sys.executable, "-c", program, str(path)])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = b""
    end = time.monotonic() + 20
    while b"line 9" not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
    assert b"line 9" in shown
    return pid, terminal


def wait(pid: int, seconds: float) -> int:
    """The exit code; a process that doesn't end is killed and fails the test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise AssertionError("it still runs")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_text("".join(f"line {n}\n" for n in range(10)))
    return path


@pytest.mark.parametrize("program", [SHOW, IGNORING], ids=["hang-up", "hang-up ignored"])
def test_the_view_ends_with_its_terminal(program: str, log: Path) -> None:
    pid, terminal = start(program, log)
    os.close(terminal)
    assert wait(pid, 10) == 129


def drain(terminal: int, done: Callable[[], bool]) -> bytes:
    shown = b""
    while not done():
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
    return shown


def test_a_terminal_that_stopped_reading_is_no_trap(log: Path) -> None:
    pid, terminal = start(SHOW, log)
    with log.open("a") as stream:  # more than the terminal's buffer holds
        for n in range(40):
            stream.write(f"{n} {'x' * 70}\n" * 30)
            stream.flush()
            time.sleep(0.03)
    os.close(terminal)
    assert wait(pid, 10) == 129


def test_sigterm_leaves_the_terminal_in_order(log: Path) -> None:
    pid, terminal = start(SHOW, log)
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + 3
    shown = drain(terminal, lambda: time.monotonic() > end)
    assert b"\x1b[?1049l" in shown
    assert wait(pid, 5) == 143
    os.close(terminal)
