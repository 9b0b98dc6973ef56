"""A run from its start to its end."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.process.directory import DirectoryRefused, next_run_directory
from agentic_rl_wizard.runner.process.index import find_run, list_runs
from agentic_rl_wizard.runner.process.procs import MARK, is_alive
from agentic_rl_wizard.runner.process.start import StartFailed, start_run

STEPS = """
import time
print('Total training steps: 3')
print('Training Progress:   0%|          | 0/3 [00:00<?, ?it/s]', end='')
for n in (1, 2, 3):
    print(f'step:{n} - critic/rewards/mean:0.{n} - actor/lr:1e-06 - x/nan:nan')
print('Saving checkpoint to checkpoints/p/e/global_step_3')
"""


def test_a_good_run(lab: Any) -> None:
    record = lab.end(lab.start(STEPS, config="a: 1  # mine\nHF_TOKEN: hf_abc\n"))
    assert (record.state, record.exit_code, record.signal, record.total_steps) == ("finished", 0, None, 3)
    assert record.ended >= record.started >= record.created > 0
    rows = lab.rows(record)
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[0]["data"] == {"critic/rewards/mean": 0.1, "actor/lr": 1e-6, "x/nan": None}
    assert [event["state"] for event in lab.events(record, "state")] == ["running", "finished"]
    assert [event["stage"] for event in lab.events(record, "stage")] == ["starting", "training", "saving"]
    assert lab.events(record, "checkpoint")[0]["step"] == 3
    assert (Path(record.directory) / "config.yaml").read_text() == "a: 1  # mine\nHF_TOKEN: ***\n"
    assert json.loads((Path(record.directory) / "plan.json").read_text())["project"] == "project"
    lab.until(lambda: not is_alive(record.supervisor_pid, record.supervisor_start), 2)


def test_devices_are_sampled_while_it_runs(lab: Any) -> None:
    record = lab.start("import time\ntime.sleep(30)")
    lab.until(lambda: any(row["cpu"]["processes"] >= 1 for row in lab.rows(record, "devices.jsonl")))
    row = lab.rows(record, "devices.jsonl")[-1]
    assert (row["source"], row["devices"]) == ("processes", []) and row["cpu"]["memory_mib"] > 0


def test_modes_are_750_and_640(lab: Any) -> None:
    old = os.umask(0o002)
    try:
        record = lab.end(lab.start("import os; open('made', 'w')\nprint(1)", files={"resolved/a.yaml": "x: 1\n"}))
    finally:
        os.umask(old)
    directory = Path(record.directory)
    for path in (directory, directory.parent, directory.parent.parent, directory / "resolved"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o750
    for path in directory.rglob("*"):
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == 0o640, path
    assert stat.S_IMODE((lab.root / "made").stat().st_mode) == 0o640


def test_a_failure_tells_its_exit_code_and_its_cause(lab: Any) -> None:
    record = lab.end(lab.start("print('step:1 - a/b:1')\nraise ValueError('bad batch size 7')"))
    assert (record.state, record.exit_code) == ("failed", 1)
    assert record.reason == "ValueError: bad batch size 7"
    assert lab.events(record, "failure")[0]["reason"] == record.reason


@pytest.mark.parametrize(
    ("code", "exit_code", "number"), [("raise SystemExit(3)", 3, None), ("K", None, 9), ("A", None, 6)]
)
def test_exit_codes_and_signals(lab: Any, code: str, exit_code: int | None, number: int | None) -> None:
    code = {"K": "import os; os.kill(os.getpid(), 9)", "A": "import os; os.abort()"}.get(code, code)
    record = lab.end(lab.start(code))
    assert (record.state, record.exit_code, record.signal) == ("failed", exit_code, number)
    assert record.reason


def test_a_clean_exit_is_no_failure_whatever_was_printed(lab: Any) -> None:
    record = lab.end(lab.start("print('Traceback (most recent call last):\\nRuntimeError: main process disappeared')"))
    assert record.state == "finished"


def test_default_signal_handlers_session_and_environment(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import os, signal, json
print(json.dumps({'int': signal.getsignal(signal.SIGINT) is signal.default_int_handler,
  'term': signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, 'hup': signal.getsignal(signal.SIGHUP) == signal.SIG_DFL,
  'leader': os.getsid(0) == os.getpid() == os.getpgid(0), 'stdin': os.read(0, 1).decode(),
  'blocked': len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
  'fds': sorted(map(int, os.listdir('/proc/self/fd')))[:3],
  'mark': os.environ.get('AGENTIC_RL_RUN_ID'), 'ray': os.environ.get('RAY_TMPDIR'), 'gone': os.environ.get('GONE'),
  'set': os.environ.get('SET'), 'ready': os.environ.get('AGENTIC_RL_READY_FD'),
  'count': len(os.listdir('/proc/self/fd'))}))
"""
    monkeypatch.setenv("GONE", "1")
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        record = lab.start(code, env={"SET": "x"}, unset=("GONE",))
    finally:
        signal.signal(signal.SIGINT, old)
    record = lab.end(record)
    seen = json.loads(lab.log(record))
    assert seen["int"] and seen["term"] and seen["hup"] and seen["leader"]
    assert (seen["stdin"], seen["blocked"], seen["gone"], seen["set"], seen["ready"]) == ("", 0, None, "x", None)
    assert seen["mark"] == record.id
    assert seen["fds"] == [0, 1, 2]
    assert seen["count"] == 4  # the three and the one that lists
    assert seen["ray"].startswith("/tmp/arl-")
    assert len(seen["ray"]) <= 32
    assert not Path(seen["ray"]).exists()


def test_secrets_of_a_plan_reach_the_training_and_never_the_disk(lab: Any) -> None:
    code = (
        "import os; print(os.environ['WANDB_API_KEY'] == 's3cr' + 'et-key', open(os.environ['F']).read().strip()[-5:])"
    )
    config = next_run_directory(lab.root / "runs", "project", "experiment")
    plan = lab.plan(code, env={"WANDB_API_KEY": "s3cret-key", "F": str(config / "resolved/env.yaml")},
                    files={"resolved/env.yaml": "HF_TOKEN: s3cret-key\n"})  # fmt: skip
    record = start_run(plan, "env:\n  WANDB_API_KEY: s3cret-key\n", lab.root / "runs", directory=config)
    lab.started.append(record)
    record = lab.end(record)
    assert lab.log(record) == b"True t-key\n"
    for path in Path(record.directory).rglob("*"):
        if path.is_file():
            assert b"s3cret-key" not in path.read_bytes(), path


def test_the_raw_log_is_byte_for_byte(lab: Any) -> None:
    code = """
import os, sys
os.write(1, bytes(range(256)) * 4)
os.write(2, b'\\x1b[31mred\\x1b[0m\\r')
os.write(1, b'x' * 10_000_000 + b'\\n')
os.write(1, b'step:1 - a/b:1\\rTraining Progress:  10%|#  | 1/10 [1s]step:2 - a/b:2\\n')
os.write(1, b'no end')
"""
    record = lab.end(lab.start(code))
    expected = bytes(range(256)) * 4 + b"\x1b[31mred\x1b[0m\r" + b"x" * 10_000_000 + b"\n"
    expected += b"step:1 - a/b:1\rTraining Progress:  10%|#  | 1/10 [1s]step:2 - a/b:2\nno end"
    assert lab.log(record) == expected
    assert [row["step"] for row in lab.rows(record)] == [1, 2]
    assert record.total_steps == 10


def test_the_metrics_file_is_preferred_and_no_step_comes_twice(lab: Any) -> None:
    directory = next_run_directory(lab.root / "runs", "project", "experiment")
    code = f"""
import json, time
f = open({str(directory / "verl.jsonl")!r}, 'w', buffering=1)
for n in (1, 2):
    print(f'step:{{n}} - critic/rewards/mean:0.3')
    f.write(json.dumps({{'step': n, 'data': {{'critic/rewards/mean': 0.3333, 'a': float('nan')}}}}) + '\\n')
print('step:3 - critic/rewards/mean:0.5')
f.write('{{"step": 4, "da')
"""
    plan = lab.plan(code, metrics_file="verl.jsonl")
    record = start_run(plan, "", lab.root / "runs", directory=directory)
    lab.started.append(record)
    record = lab.end(record)
    rows = lab.rows(record)
    assert [(row["step"], row["data"]["critic/rewards/mean"], row["source"]) for row in rows] == [
        (1, 0.3333, "file"), (2, 0.3333, "file"), (3, 0.5, "console")]  # fmt: skip
    assert rows[0]["data"]["a"] is None


def test_a_program_that_is_not_there(lab: Any) -> None:
    with pytest.raises(StartFailed) as error:
        lab.start("", argv=("/no/such/python", "-c", ""))
    assert error.value.code == "run.not_started"
    assert "No such file" in error.value.params["error"]
    with pytest.raises(StartFailed):
        lab.start("", cwd="/no/such/folder")
    assert list_runs() == []
    assert not list((lab.root / "runs").rglob("run.json"))


def test_files_can_not_leave_the_run_directory(lab: Any) -> None:
    with pytest.raises(StartFailed) as error:
        lab.start("", files={"../outside": "x"})
    assert error.value.code == "run.bad_file_name"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_refused(lab: Any) -> None:
    (lab.root / "runs" / "project").mkdir(parents=True)
    os.chown(lab.root / "runs" / "project", 4711, 4711)
    with pytest.raises(DirectoryRefused) as error:
        lab.start("print(1)")
    assert (error.value.code, error.value.params["owner"]) == ("run.foreign_directory", "4711")


def test_names_of_any_kind_give_safe_and_different_directories(tmp_path: Path) -> None:
    names = [
        "a/b",
        "a_b",
        "../..",
        "",
        "实验 一",
        "実験",
        "-rf",
        ".hidden",
        "x" * 500,
        "长" * 200,
        "new\nline",
        "a\0b",
        "a.b-c",
    ]
    paths = [next_run_directory(tmp_path, name, name) for name in names]
    assert len({path.parent for path in paths}) == len(names)
    for path in paths:
        assert path.parents[2] == tmp_path
        assert all(len(part.encode()) <= 200 for part in path.parts)
        path.mkdir(parents=True)
    assert paths[names.index("a.b-c")].parent.name == "a.b-c"
    assert paths[names.index("実験")].parent.name == "実験"


def test_two_starts_at_once_get_two_directories(lab: Any) -> None:
    records = [lab.start("import time; time.sleep(0.3)") for _ in range(3)]
    assert len({record.directory for record in records}) == 3
    assert len({record.id for record in records}) == 3
    assert [run.id for run in list_runs()] == [record.id for record in records]
    assert find_run("last").id == records[-1].id
    for record in records:
        assert lab.end(record).state == "finished"


def test_the_viewer_can_be_killed_at_any_time(lab: Any) -> None:
    child = os.fork()
    if child == 0:
        os.setsid()
        lab.start("import time\nprint('one', flush=True)\ntime.sleep(1)\nprint('two')")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    lab.until(list_runs)
    lab.started += list_runs()
    record = lab.end(list_runs()[0])
    assert (record.state, lab.log(record)) == ("finished", b"one\ntwo\n")


def test_no_viewer_and_much_output_do_not_slow_the_training(lab: Any) -> None:
    begin = time.monotonic()
    line = "(WorkerDict pid=1) UserWarning: target_num_threads 8 " + "x" * 100
    record = lab.end(lab.start(f"for _ in range(200_000): print({line!r})", argv=None or lab.plan(
        f"import sys\nfor _ in range(200_000): sys.stdout.write({line!r} + chr(10))").argv))  # fmt: skip
    assert record.state == "finished"
    assert len(lab.log(record)) == 200_000 * (len(line) + 1)
    assert time.monotonic() - begin < 30
    assert MARK not in os.environ


def test_an_end_whose_last_threads_linger_is_no_lost_run(lab: Any) -> None:
    """The leader of a process shows as a zombie while other threads live on; its exit code is still to come."""
    code = (
        "import ctypes, os, threading, time\n"
        "def later():\n    time.sleep(1.0)\n    os._exit(7)\n"
        "threading.Thread(target=later, daemon=True).start()\n"
        "print('going', flush=True)\n"
        "ctypes.CDLL(None).syscall(60, 0)  # exit of this thread alone, not of the process\n"
    )
    record = lab.end(lab.start(code))
    assert (record.state, record.exit_code) == ("failed", 7)
