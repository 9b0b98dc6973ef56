"""A real Ray: all of the run's goes, other people's stays."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.process.procs import is_alive, processes_of_run, start_time
from agentic_rl_wizard.runner.process.spec import Limits
from agentic_rl_wizard.runner.process.stop import left_processes, stop_run

pytest.importorskip("ray")

RAY = """
import ray, os, sys, time
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=True)
@ray.remote
class Worker:
    def pid(self): print('in a worker'); return os.getpid()
workers = [Worker.remote() for _ in range(2)]
print('workers', ray.get([one.pid.remote() for one in workers]), flush=True)
time.sleep(float(sys.argv[1]))
if sys.argv[2] == 'kill': os.kill(os.getpid(), 9)
"""


@pytest.mark.engine
@pytest.mark.parametrize("end", ["stop", "exit", "kill"])
def test_all_of_our_ray_goes_and_the_other_stays(lab: Any, end: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(RAY)
    folder = tempfile.mkdtemp(prefix="other-", dir="/tmp")
    mark = Path(folder).name
    other_env = {**os.environ, "AGENTIC_RL_RUN_ID": mark, "RAY_TMPDIR": folder}
    other = subprocess.Popen([sys.executable, script, "600", "exit"], env=other_env, start_new_session=True,
                             stdout=subprocess.PIPE)  # fmt: skip
    try:
        assert other.stdout is not None
        while b"workers" not in other.stdout.readline():
            pass
        seconds = "600" if end == "stop" else "2"
        record = lab.start("", argv=(sys.executable, str(script), seconds, end), limits=Limits(10, 5, 2, 2, 3))
        lab.until(lambda: b"workers" in lab.log(record), 60)
        family = {(one.pid, one.start) for one in left_processes(record)}
        names = {one.name for one in left_processes(record)}
        assert {"raylet", "gcs_server"} <= names
        begin = time.monotonic()
        record = stop_run(record) if end == "stop" else lab.end(record, 60)
        print(end, record.state, round(time.monotonic() - begin, 2), "s", len(family), "processes")
        assert record.state == {"stop": "stopped", "exit": "finished", "kill": "failed"}[end]
        assert [pid for pid, start in family if is_alive(pid, start)] == []
        assert other.poll() is None
        theirs = [one.name for one in processes_of_run(mark)]
        assert {"raylet", "gcs_server"} <= set(theirs)
    finally:
        # ours to clean up: this test started it
        for number in (signal.SIGTERM, signal.SIGKILL):
            for one in processes_of_run(mark):
                if is_alive(one.pid, one.start) and start_time(one.pid) == one.start:
                    os.kill(one.pid, number)
            time.sleep(1)
        lab.until(lambda: not processes_of_run(mark))
        other.wait(10)
        shutil.rmtree(folder)
