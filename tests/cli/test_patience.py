"""How long trees are looked through, and what is said meanwhile."""

from __future__ import annotations

import io
import sys
import time

import pytest

from agentic_rl_wizard.runner.cli.gather.patience import patient


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_it_ends(clock: list[float]) -> None:
    progress = patient(False, 10)
    assert progress(5000)
    clock[0] = 9.0
    assert progress(10_000)
    clock[0] = 10.5
    assert not progress(15_000)
    assert progress(5000)  # the next tree has its own time


def test_it_speaks_on_a_terminal_only(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, speak, expected in ((Terminal(), True, "120,000"), (io.StringIO(), True, ""), (Terminal(), False, "")):
        monkeypatch.setattr(sys, "stderr", stream)
        clock[0] = 0.0
        progress = patient(True, speak=speak)
        progress(5000)
        assert stream.getvalue() == ""  # nothing yet
        clock[0] = 2.0
        progress(120_000)
        assert (expected in stream.getvalue()) and bool(stream.getvalue()) == bool(expected)
