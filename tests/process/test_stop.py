"""Stopping, and the processes that try to stay."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.process.index import read_run
from agentic_rl_wizard.runner.process.lock import LOCK
from agentic_rl_wizard.runner.process.procs import is_alive, processes, start_time
from agentic_rl_wizard.runner.process.stop import left_processes, stop_run

# Ray's children in small: they leave the session and ignore SIGINT; one is orphaned by a double fork; one overwrites
# its environment the way setproctitle does, by starting anew without it.
FAMILY = """
import os, signal, subprocess, sys, time
def stay(ignore):
    os.setsid()
    for number in ignore: signal.signal(number, signal.SIG_IGN)
    time.sleep(300)
if os.fork() == 0: stay([signal.SIGINT])
if os.fork() == 0: stay([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
if os.fork() == 0:
    if os.fork(): os._exit(0)
    stay([signal.SIGINT])
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    os.execve(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)'], {})
time.sleep(0.3)
print('ready', flush=True)
"""


def pids_below(lab: Any, record: Any) -> set[int]:
    return {one.pid for one in left_processes(record)} | {
        one.pid for one in processes().values() if one.parent == lab.keeper(record)
    }


def test_a_stop_is_an_interrupt_first(lab: Any) -> None:
    code = """
import time
print('ready', flush=True)
try: time.sleep(60)
except KeyboardInterrupt: print('clean end', flush=True)
"""
    record = lab.start(code)
    lab.said(record, b"ready")
    begin = time.monotonic()
    record = stop_run(record)
    assert time.monotonic() - begin < 3
    assert (record.state, record.exit_code, record.stop_requested) == ("stopped", 0, True)
    assert lab.log(record).endswith(b"clean end\n")
    assert [event["state"] for event in lab.events(record, "state")] == ["running", "stopping", "stopped"]
    assert stop_run(record).state == "stopped"


@pytest.mark.parametrize("now", [False, True])
def test_one_that_ignores_everything_is_killed(lab: Any, now: bool) -> None:
    code = """
import signal, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
print('ready', flush=True)
time.sleep(60)
"""
    record = lab.start(code)
    lab.said(record, b"ready")
    record = stop_run(record, now=now)
    assert (record.state, record.signal) == ("stopped", signal.SIGKILL)


def test_children_that_left_the_group_are_removed_and_others_are_not(lab: Any) -> None:
    other = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        record = lab.start(FAMILY + "time.sleep(300)")
        lab.said(record, b"ready")
        family = {(pid, start_time(pid)) for pid in pids_below(lab, record)}
        assert len(family) == 5
        record = stop_run(record)
        assert record.state == "stopped"
        assert [pid for pid, start in family if is_alive(pid, start)] == []
        assert is_alive(other, start_time(other))
        names = (lab.events(record, "warning") + lab.events(record, "cleanup"))[-1]["names"]
        assert names
    finally:
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)


@pytest.mark.parametrize(("end", "state"), [("raise SystemExit(0)", "finished"), ("os.kill(os.getpid(), 9)", "failed")])
def test_what_a_run_leaves_behind_goes_with_it(lab: Any, end: str, state: str) -> None:
    record = lab.start(FAMILY + "time.sleep(0.3)\n" + end)
    lab.said(record, b"ready")
    family = {(pid, start_time(pid)) for pid in pids_below(lab, record)}
    record = lab.end(record)
    assert record.state == state
    assert [pid for pid, start in family if is_alive(pid, start)] == []


def test_the_supervisor_may_be_killed_and_training_goes_on(lab: Any) -> None:
    code = """
import time
for n in range(1, 21):
    print(f'step:{n} - critic/rewards/mean:{n}', flush=True)
    time.sleep(0.1)
raise SystemExit(7)
"""
    record = lab.start(code)
    lab.said(record, b"step:3")
    lab.kill(record.supervisor_pid)
    lab.until(lambda: read_run(record.directory).supervisor_pid != record.supervisor_pid)
    assert read_run(record.directory).state == "running"
    ended = lab.end(record)
    assert (ended.state, ended.exit_code) == ("failed", 7)
    assert [row["step"] for row in lab.rows(record)] == list(range(1, 21))
    assert lab.log(record).count(b"\n") == 20
    assert "started again" in lab.events(record, "warning")[0]["text"]


def test_the_keeper_may_be_killed_and_training_goes_on(lab: Any) -> None:
    code = """
import time
for n in range(1, 21):
    print(f'step:{n} - critic/rewards/mean:{n}', flush=True)
    time.sleep(0.1)
raise SystemExit(7)
"""
    record = lab.start(code)
    lab.said(record, b"step:3")
    first = lab.keeper(record)
    lab.kill(first)
    lab.until(lambda: lab.keeper(record) != first)
    ended = lab.end(record)
    assert (ended.state, ended.exit_code) == ("failed", 7)
    assert [row["step"] for row in lab.rows(record)] == list(range(1, 21))
    assert lab.log(record).count(b"\n") == 20


def test_a_stop_still_works_after_both_were_replaced(lab: Any) -> None:
    record = lab.start(FAMILY + "time.sleep(300)")
    lab.said(record, b"ready")
    lab.kill(record.supervisor_pid)
    lab.until(lambda: read_run(record.directory).supervisor_pid != record.supervisor_pid)
    first = lab.keeper(record)
    lab.kill(first)
    lab.until(lambda: lab.keeper(record) != first)
    family = {(one.pid, one.start) for one in left_processes(record)}
    assert len(family) >= 4
    record = stop_run(record)
    assert record.state == "stopped"
    assert [pid for pid, start in family if is_alive(pid, start)] == []


def test_a_run_whose_watchers_are_both_gone_is_lost_and_can_be_stopped(lab: Any) -> None:
    checkpoints = lab.root / "checkpoints"
    record = lab.start(FAMILY + "time.sleep(300)", checkpoint_dir=str(checkpoints))
    lab.said(record, b"ready")
    lab.until(lambda: len(pids_below(lab, record)) == 5)
    keeper = lab.keeper(record)
    lab.until(lambda: '"known": [[' in (Path(record.directory) / "processes.json").read_text())
    os.kill(keeper, signal.SIGSTOP)  # so that neither can replace the other in between
    lab.kill(record.supervisor_pid)
    lab.kill(keeper)
    lab.until(lambda: read_run(record.directory).state == "lost")
    lost = read_run(record.directory)
    assert lost.reason
    family = {(one.pid, one.start) for one in left_processes(record)}
    assert (record.pid, record.pid_start) in family
    from agentic_rl_wizard.runner.process.start import StartFailed

    with pytest.raises(StartFailed) as error:  # the training still writes into the directory
        lab.start("print(1)", checkpoint_dir=str(checkpoints))
    assert (error.value.code, error.value.params["run"]) == ("run.locked", record.id)
    record = stop_run(record, now=True)
    assert record.state == "stopped"
    assert [pid for pid, start in family if is_alive(pid, start)] == []
    assert lab.end(lab.start("print(1)", checkpoint_dir=str(checkpoints))).state == "finished"
    assert not (checkpoints / LOCK).exists()
