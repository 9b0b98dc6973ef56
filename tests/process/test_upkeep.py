"""`bundle` packs a run without its secrets; `clean` finds what dead runs left, and nothing else."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.process import bundle
from agentic_rl_wizard.runner.process.leftovers import Leftover, find_leftovers, remove_leftovers
from agentic_rl_wizard.runner.process.procs import is_alive, start_time

SECRET = "hf_abcdefghijklmnopqrstuvwxyz"


def members(path: Path) -> dict[str, str]:
    with tarfile.open(path) as archive:
        found: dict[str, str] = {}
        for one in archive.getmembers():
            stream = archive.extractfile(one)
            assert stream is not None
            assert one.mode == 0o640
            found[one.name.partition("/")[2]] = stream.read().decode()
        return found


def test_a_bundle_holds_all_but_the_secrets(lab: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = lab.end(lab.start(f"print('WANDB_API_KEY={SECRET}'); print('ValueError: no'); raise SystemExit(1)",
                               config=f"lr: 1.0e-6 # mine\nhf_token: {SECRET}\n"))  # fmt: skip
    target = tmp_path / "out.tar.gz"
    assert main(["bundle", record.id, "-o", str(target)]) == 0
    assert "checkpoints" in capsys.readouterr().out.lower()
    found = members(target)
    assert {"run.json", "config.yaml", "plan.json", "events.jsonl", "train.log", "diagnosis.json"} <= set(found)
    assert "lr: 1.0e-6 # mine" in found["config.yaml"]
    assert "ValueError: no" in found["train.log"]
    assert all(SECRET not in text for text in found.values())
    assert json.loads(found["diagnosis.json"])["failed"] is True
    assert target.stat().st_mode & 0o777 == 0o640


def test_an_archive_is_not_replaced_unasked(lab: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = lab.end(lab.start("print('x')"))
    target = tmp_path / "out.tar.gz"
    target.write_text("mine")
    assert main(["bundle", record.id, "-o", str(target)]) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert main(["bundle", record.id, "-o", str(target), "--force"]) == 0
    assert main(["bundle", record.id, "-o", str(tmp_path / "no" / "x.tar.gz")]) == 2
    assert main(["bundle", "nothing-like-it"]) == 2
    assert sorted(one.name for one in tmp_path.glob("*.tar.gz*")) == ["out.tar.gz"]


def test_trajectories_only_when_asked_and_links_never(lab: Any, tmp_path: Path) -> None:
    record = lab.end(lab.start("print('x')"))
    folder = Path(record.directory)
    (folder / "rollouts").mkdir(exist_ok=True)
    (folder / "rollouts" / "1.jsonl").write_text('{"input": "hello"}\n')
    (folder / "resolved").mkdir(exist_ok=True)
    (folder / "resolved" / "passwd").symlink_to("/etc/passwd")
    assert main(["bundle", record.id, "-o", str(tmp_path / "a.tar.gz")]) == 0
    assert not {"rollouts/1.jsonl", "resolved/passwd"} & set(members(tmp_path / "a.tar.gz"))
    assert main(["bundle", record.id, "-o", str(tmp_path / "b.tar.gz"), "--rollouts"]) == 0
    assert "rollouts/1.jsonl" in members(tmp_path / "b.tar.gz")


def test_a_long_log_keeps_both_ends(lab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "_TEXT_LIMIT", 1000)
    monkeypatch.setattr(bundle, "HEAD", 200)
    monkeypatch.setattr(bundle, "TAIL", 300)
    record = lab.end(lab.start("for i in range(500): print('line', i)"))
    assert main(["bundle", record.id, "-o", str(tmp_path / "a.tar.gz"), "--json"]) == 0
    log = members(tmp_path / "a.tar.gz")["train.log"]
    assert log.startswith("line 0\n")
    assert log.endswith("line 499\n")
    assert "bytes left out" in log
    assert "line 250" not in log


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    temporary, memory = tmp_path / "tmp", tmp_path / "shm"
    temporary.mkdir()
    memory.mkdir()
    return temporary, memory


def old(path: Path) -> None:
    os.utime(path, (time.time() - 3600,) * 2)


def gone_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_what_nobody_uses_is_found_and_removed(places: tuple[Path, Path]) -> None:
    temporary, memory = places
    (temporary / "arl-dead").mkdir()
    (temporary / "arl-dead" / "log").write_text("x" * 100)
    old(temporary / "arl-dead")
    (temporary / "arl-young").mkdir()
    (temporary / "somebody").mkdir()
    (temporary / "arl-link").symlink_to("/etc")
    (memory / f"torch_{gone_pid()}_1234_0").write_bytes(b"12345")
    (memory / f"torch_{os.getpid()}_1234_0").write_bytes(b"12345")
    (memory / "torch_mine").write_bytes(b"1")
    found = find_leftovers([], [str(temporary)], str(memory))
    mine = [one for one in found if one.name.startswith(str(temporary.parent))]
    assert [(one.kind, Path(one.name).name[:8], one.size) for one in mine] == [
        ("ray", "arl-dead", 100),
        ("memory", "torch_" + Path(mine[1].name).name[6:8], 5),
    ]
    assert remove_leftovers(mine) == []
    assert sorted(one.name for one in temporary.iterdir()) == ["arl-link", "arl-young", "somebody"]
    assert len(list(memory.iterdir())) == 2


def test_what_is_in_use_stays(places: tuple[Path, Path]) -> None:
    temporary, memory = places
    for name in ("arl-file", "arl-cwd"):
        (temporary / name).mkdir()
    short = Path("/tmp") / f"arl-t{os.getpid()}"
    short.mkdir()
    server = socket.socket(socket.AF_UNIX)
    child = None
    try:
        server.bind(str(short / "s"))
        child = subprocess.Popen([sys.executable, "-c", "print(flush=True); import time; time.sleep(60)"],
                                 cwd=temporary / "arl-cwd", stdout=subprocess.PIPE)  # fmt: skip
        assert child.stdout is not None
        child.stdout.readline()
        with (temporary / "arl-file" / "log").open("w"):
            for folder in (temporary / "arl-file", temporary / "arl-cwd", short):
                old(folder)
            names = [one.name for one in find_leftovers([], [str(temporary), "/tmp"], str(memory))]
            assert not {str(temporary / "arl-file"), str(temporary / "arl-cwd"), str(short)} & set(names)
    finally:
        server.close()
        (short / "s").unlink(missing_ok=True)
        short.rmdir()
        if child:
            child.kill()
            child.wait()


def test_a_process_that_is_another_by_now_is_left_alone() -> None:
    pid = os.getpid()
    wrong = Leftover("process", "python", "run", pid, start_time(pid) - 100)
    assert remove_leftovers([wrong], 0.1) == []
    assert is_alive(pid, start_time(pid))


def test_processes_of_a_dead_run(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    record = lab.end(lab.start("print('x')"))
    env = {**os.environ, "AGENTIC_RL_RUN_ID": record.id}
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env=env, start_new_session=True)
    try:
        end = time.monotonic() + 20
        while not (found := [one for one in find_leftovers(temporary=(), memory="/no") if one.pid == child.pid]):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert found[0].run == record.id
        assert main(["clean", "--lang", "en"]) == 0
        assert f"process {child.pid}" in capsys.readouterr().out
        assert child.poll() is None
        assert remove_leftovers(found) == []
        assert child.wait(10) != 0
    finally:
        child.kill()
        child.wait()
