"""A full disk: the training goes on, the loss is told, what was written stays whole."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.process.logfile import JsonAppender, RawLog
from agentic_rl_wizard.runner.process.start import start_run
from agentic_rl_wizard.runner.stream import JsonLines


class Disk:
    """Has room for so many bytes."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, descriptor: int, data: bytes) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = os.write(descriptor, data[: self.room])
        self.room -= written
        return written


def test_what_does_not_fit_is_counted_and_marked_when_there_is_room_again(tmp_path: Path) -> None:
    disk = Disk(10)
    log = RawLog(tmp_path / "train.log", disk.write)
    log.write(b"one two three four\n")
    log.write(b"five\n")
    assert (tmp_path / "train.log").read_bytes() == b"one two th"
    assert log.lost == len(b"ree four\nfive\n")
    disk.room = 20  # not enough for the mark: nothing of it stays
    log.write(b"six\n")
    assert (tmp_path / "train.log").read_bytes() == b"one two th"
    disk.room = 1000
    log.write(b"seven\n")
    text = (tmp_path / "train.log").read_text()
    assert text == "one two th\n[agentic-rl] 18 bytes of the log were lost here: No space left on device\nseven\n"
    assert log.lost == 18
    log.close()


def test_a_torn_json_line_damages_no_other(tmp_path: Path) -> None:
    disk = Disk(30)
    path = tmp_path / "m.jsonl"
    rows = JsonAppender(path, disk.write)
    assert rows.write({"step": 1, "data": {}})
    assert not rows.write({"step": 2, "data": {}})
    assert [row["step"] for row in JsonLines(path).read()] == [1]
    disk.room = 1000
    assert rows.write({"step": 3, "data": {}})
    rows.close()
    assert [row["step"] for row in JsonLines(path).read()] == [1, 2, 3]
    path.write_bytes(path.read_bytes() + b'{"step": 4, "da')  # a writer that was killed
    again = JsonAppender(path)
    again.write({"step": 5, "data": {}})
    assert [row["step"] for row in JsonLines(path).read()] == [1, 2, 3, 5]


@pytest.fixture
def small_disk(tmp_path: Path) -> Any:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_training_on_a_full_disk_goes_on(lab: Any, small_disk: Path) -> None:
    code = f"""
import os, time
print('step:1 - critic/rewards/mean:0.1')
for _ in range(60): print('x' * 100_000)
time.sleep(0.5)
os.unlink({str(small_disk / "ballast")!r})
time.sleep(0.3)
print('step:2 - critic/rewards/mean:0.2')
print('the end')
"""
    (small_disk / "ballast").write_bytes(b"b" * 600_000)
    record = start_run(lab.plan(code), "a: 1\n", small_disk / "runs")
    lab.started.append(record)
    record = lab.end(record)
    assert (record.state, record.exit_code) == ("finished", 0)
    log = lab.log(record)
    assert record.lost_bytes > 2_000_000
    assert len(log.replace(b"x", b"")) < 500
    assert b" bytes of the log were lost here: No space left on device\nstep:2" in log
    assert log.endswith(b"the end\n")
    assert [row["step"] for row in lab.rows(record)] == [1, 2]
    assert "lost_bytes" in lab.events(record, "warning")[0]
    json.loads((Path(record.directory) / "run.json").read_text())


def test_the_end_of_a_run_is_told_even_when_the_disk_stays_full(lab: Any, small_disk: Path) -> None:
    code = "print('step:1 - a/b:1')\nfor _ in range(60): print('x' * 100_000)\nraise SystemExit(5)"
    record = start_run(lab.plan(code), "a: 1\n", small_disk / "runs")
    lab.started.append(record)
    record = lab.end(record)
    assert (record.state, record.exit_code) == ("failed", 5)
    assert record.lost_bytes > 2_000_000
    assert not list(Path(record.directory).glob(".*tmp"))
