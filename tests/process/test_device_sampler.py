"""Samples of the devices while a run lives; stand-ins take the place of npu-smi."""

import os
import sys
import time
from pathlib import Path

import pytest
from npu_table import TABLE

from agentic_rl_wizard.runner.process import device_sampler
from agentic_rl_wizard.runner.process.device_sampler import DeviceSampler, find_queries
from agentic_rl_wizard.runner.process.procs import is_alive, start_time

GPUS = "0, GPU-1, NVIDIA X, 00000000:07:00.0, 61.0, 33, 5, 4, 81920, 550.1"


def stand_in(folder, code, name="npu-smi"):
    path = folder / name
    path.write_text(f"#!{sys.executable} -IS\nimport os, signal, sys, time\n{code}\n")
    path.chmod(0o755)
    return [str(path), "info"]


def wait(sampler, true, seconds=20.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        sampler.poll()
        time.sleep(0.01)


@pytest.fixture
def make(tmp_path):
    made = []

    def sampler(code, **values):
        made.append(DeviceSampler([stand_in(tmp_path, code)], **values))
        return made[-1]

    yield sampler
    for one in made:
        one.close()


def test_a_sample(make):
    sampler = make(f"print({TABLE!r})", interval=60)
    assert sampler.available
    assert sampler.row() is None
    wait(sampler, lambda: sampler.table)
    row = sampler.row()
    assert row is not None
    assert (row["source"], row["driver"], "problems" in row) == ("npu-smi", "25.0.1", False)
    assert 0 <= row["age_s"] < 20
    (device,) = row["devices"]
    assert (device["npu"], device["phy_id"], device["utilization_pct"], device["memory_used_mib"]) == (2, 4, 88, 60000)
    assert sampler.pid == 0


def test_asked_again_and_again_but_one_at_a_time(make, tmp_path):
    note = tmp_path / "note"
    sampler = make(
        f"""
os.open({str(note)!r} + '.busy', os.O_CREAT | os.O_EXCL)
open({str(note)!r}, 'a').write('x')
time.sleep(0.05)
os.remove({str(note)!r} + '.busy')
print({TABLE!r})
""",
        interval=0.01,
    )
    wait(sampler, lambda: note.exists() and len(note.read_text()) >= 3 and sampler.pid == 0)
    assert sampler.problems == ()


def test_poll_never_waits_for_a_tool_that_hangs(make):
    sampler = make("time.sleep(60)", limit=0.3, interval=60)
    sampler.poll()
    pid, start = sampler.pid, start_time(sampler.pid)
    assert pid
    slowest, end = 0.0, time.monotonic() + 20
    while sampler.pid:
        assert time.monotonic() < end
        before = time.thread_time()
        sampler.poll()
        slowest = max(slowest, time.thread_time() - before)
        time.sleep(0.01)
    assert sampler.problems == ("timeout",)
    assert not is_alive(pid, start)
    assert slowest < 0.2
    assert sampler.row() == {
        "source": "npu-smi", "driver": None, "age_s": None, "devices": [], "problems": ["timeout"],
    }  # fmt: skip


def test_a_tool_that_fails_and_recovers_keeps_the_last_sample(make, tmp_path):
    switch = tmp_path / "broken"
    sampler = make(
        f"if os.path.exists({str(switch)!r}):\n    sys.exit('dcmi module initialize failed. ret is -8005')\n"
        f"print({TABLE!r})",
        interval=0.01,
    )
    wait(sampler, lambda: sampler.table)
    switch.touch()
    wait(sampler, lambda: sampler.problems)
    assert sampler.problems == ("failed", "no_device")
    row = sampler.row()
    assert row is not None
    assert len(row["devices"]) == 1
    switch.unlink()
    wait(sampler, lambda: not sampler.problems)


def test_an_old_sample_is_not_shown_as_the_present(make, monkeypatch):
    sampler = make(f"print({TABLE!r})", interval=60)
    wait(sampler, lambda: sampler.table)
    monkeypatch.setattr(device_sampler, "STALE", -1.0)
    row = sampler.row()
    assert row is not None
    assert row["devices"] == []
    assert row["age_s"] >= 0


def test_endless_output_is_ended(make):
    sampler = make("while True: print('x' * 10000)", interval=60, limit=60)
    wait(sampler, lambda: sampler.problems)
    wait(sampler, lambda: not sampler.pid)
    assert sampler.problems == ("flood",)


def test_nothing_that_is_known(make):
    sampler = make("print('hello')", interval=60)
    wait(sampler, lambda: sampler.problems)
    assert sampler.problems == ("nothing",)


def test_a_tool_that_can_not_be_started(tmp_path):
    sampler = DeviceSampler([[str(tmp_path / "gone")]], interval=60)
    sampler.poll()
    assert (sampler.problems, sampler.pid) == (("not_started",), 0)


def test_close_ends_the_tool(make):
    sampler = make("signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)")
    sampler.poll()
    pid, start = sampler.pid, start_time(sampler.pid)
    sampler.close()
    assert not is_alive(pid, start)
    assert sampler.pid == 0


def test_the_queries_of_nvidia_are_read_together(tmp_path):
    gpu = stand_in(tmp_path, f"print({GPUS!r})", "one")
    processes = stand_in(tmp_path, "print('GPU-1, 77, python, 4000')", "two")
    sampler = DeviceSampler([gpu, processes], interval=60)
    wait(sampler, lambda: sampler.table)
    row = sampler.row()
    assert row is not None
    assert row["source"] == "nvidia-smi"
    assert row["devices"][0]["processes"] == [{"pid": 77, "name": "python", "memory_mib": 4000}]


def test_which_tool_is_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(device_sampler, "_FOLDERS", ())
    assert find_queries() == ()
    assert DeviceSampler().available is False
    stand_in(tmp_path, "", "nvidia-smi")
    assert len(find_queries()) == 2
    stand_in(tmp_path, "", "npu-smi")
    assert find_queries() == ((str(tmp_path / "npu-smi"), "info"),)


@pytest.fixture
def npu_smi(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return lambda code: stand_in(folder, code)


def test_a_run_records_the_devices(lab, npu_smi):
    npu_smi(f"print({TABLE!r})")
    record = lab.start("import time; print('hello', flush=True); time.sleep(60)")
    lab.until(lambda: any(row["devices"] for row in lab.rows(record, "devices.jsonl")), 20)
    row = lab.rows(record, "devices.jsonl")[-1]
    assert row["devices"][0]["name"] == "Ascend910"
    assert row["cpu"]["processes"] == 1  # the tool is none of the run


def test_a_run_is_not_held_up_by_a_tool_that_hangs(lab, npu_smi, tmp_path):
    note = tmp_path / "pid"
    npu_smi(f"open({str(note)!r} + '.new', 'w').write(str(os.getpid()))\n"
            f"os.rename({str(note)!r} + '.new', {str(note)!r})\ntime.sleep(600)")  # fmt: skip
    record = lab.start(f"import os, time\nwhile not os.path.exists({str(note)!r}): time.sleep(0.01)\nprint('ok')")
    assert lab.end(record).state == "finished"
    pid = int(note.read_text())
    lab.until(lambda: not Path(f"/proc/{pid}").exists())
    assert not lab.events(record, "warning")  # the tool is no left-over of the run


def test_the_tool_of_a_supervisor_below_the_keeper_is_none_of_the_run(lab, npu_smi, tmp_path):
    note = tmp_path / "pids"
    npu_smi(f"open({str(note)!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(600)")
    record = lab.start("import time; print('hello', flush=True); time.sleep(60)")
    lab.until(lambda: note.exists() and note.read_text().count("\n") == 1)
    first = int(note.read_text())
    lab.kill(record.supervisor_pid)
    lab.until(lambda: note.read_text().count("\n") == 2, 20)
    lab.until(lambda: not Path(f"/proc/{first}").exists() or start_time(first) == 0)  # it died with its supervisor
    rows = len(lab.rows(record, "devices.jsonl"))
    lab.until(lambda: len(lab.rows(record, "devices.jsonl")) > rows + 1, 20)
    assert lab.rows(record, "devices.jsonl")[-1]["cpu"]["processes"] == 1


def test_a_tool_that_survives_sigkill_stops_the_asking_not_us(make, monkeypatch):
    sampler = make("time.sleep(60)", limit=0.1, interval=0.01)
    with monkeypatch.context() as patch:
        patch.setattr(device_sampler.os, "killpg", lambda *_: None)  # as if it waited in the kernel
        wait(sampler, lambda: sampler.pid)
        pid = sampler.pid
        wait(sampler, lambda: sampler.problems == ("stuck",))
        assert sampler.pid == pid
    sampler.close()
    assert sampler.pid == 0
