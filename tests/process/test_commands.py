"""The commands on runs, as they are typed."""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.cli.runs.command import add_parsers
from agentic_rl_wizard.runner.cli.runs.texts import TEXTS
from agentic_rl_wizard.runner.process.index import read_run

LOG = b"""\x1b[36m(T pid=1)\x1b[0m step:1 - critic/rewards/mean:0.1 - actor/lr:1e-06
81.49s/it]step:2 - critic/rewards/mean:nan - actor/entropy:0.25
noise
"""


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    add_parsers(parser.add_subparsers())
    arguments = parser.parse_args(argv)
    return int(arguments.run(arguments))


def test_every_sentence_has_both_languages() -> None:
    assert all(set(entry) == {"en", "zh"} and all(entry.values()) for entry in TEXTS.values())
    for key, entry in TEXTS.items():
        fields = [
            sorted({part.split("}")[0].split(":")[0] for part in words.split("{")[1:]}) for words in entry.values()
        ]
        assert fields[0] == fields[1], key


def test_metrics_of_any_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.log"
    path.write_bytes(LOG)
    assert run("metrics", str(path), "--json") == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"step": 1, "data": {"critic/rewards/mean": 0.1, "actor/lr": 1e-6}},
        {"step": 2, "data": {"critic/rewards/mean": None, "actor/entropy": 0.25}},
    ]
    assert run("metrics", str(path), "--csv") == 0
    assert capsys.readouterr().out == "step,critic/rewards/mean,actor/lr,actor/entropy\n1,0.1,1e-06,\n2,,,0.25\n"
    assert run("metrics", str(path)) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["1", "0.1", "-", "-", "-", "-", "-"]
    path.write_text('{"step": 3, "data": {"a/b": NaN, "c": 1}}\n')
    assert run("metrics", str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"step": 3, "data": {"a/b": None, "c": 1.0}}
    path.write_text("nothing here\n")
    assert run("metrics", str(path), "--json") == 1


def test_unknown_references(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("status", "logs", "metrics", "stop"):
        assert run(command, "nothing-like-it", "--lang", "zh") == 2
        assert "没有名为 nothing-like-it 的训练任务" in capsys.readouterr().err
    assert run("runs") == 0
    assert "No runs yet" in capsys.readouterr().out


def test_a_run_seen_through_the_commands(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = f"import os; os.write(1, {LOG!r} * 3); os.write(1, b'last \\x1b[2Jline')"
    record = lab.end(lab.start(code))
    assert run("runs") == 0
    assert f"{record.id}  finished  project/experiment  2" in capsys.readouterr().out
    assert run("runs", "--json") == 0
    assert json.loads(capsys.readouterr().out)["id"] == record.id
    assert run("status", "last", "--lang", "zh") == 0
    shown = capsys.readouterr().out
    assert "已完成" in shown
    assert record.directory in shown
    assert run("status", record.id[:6], "--json") == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["state"], status["exit_code"], status["progress"]["step"], status["processes"]) == (
        "finished",
        0,
        2,
        [],
    )
    assert run("logs", "last") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("(T pid=1) step:1")
    assert lines[-1] == "last line"
    for arguments, count in ((["-n", "2"], 2), (["-n", "0"], 0), (["-n", "500"], 10), (["--grep", "step:[0-9]"], 6),
                             (["--grep", "step", "-n", "1"], 1), (["--grep", "xyz"], 0), (["-f"], 10)):  # fmt: skip
        assert run("logs", "last", *arguments) == 0
        assert len(capsys.readouterr().out.splitlines()) == count, arguments
    assert run("logs", "last", "--grep", "(") == 2
    assert run("metrics", "last", "--json") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert run("metrics", record.directory, "--csv") == 0
    capsys.readouterr()
    assert run("stop", "last") == 0
    assert "already ended: finished" in capsys.readouterr().out
    os.unlink(Path(record.directory) / "train.log")
    assert run("logs", "last") == 1


def test_logs_are_followed_until_the_run_ends(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    record = lab.start("import time\nfor n in range(8): print('line', n); time.sleep(0.1)\nprint('end', end='')")
    assert run("logs", record.id, "-f", "--grep", "[1357]|end") == 0
    assert capsys.readouterr().out.splitlines() == ["line 1", "line 3", "line 5", "line 7", "end"]
    assert read_run(record.directory).state == "finished"


def test_stop_from_another_terminal_while_its_supervisor_is_killed(
    lab: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    record = lab.start("import time; time.sleep(60)")
    threading.Timer(0.02, lambda: os.kill(record.supervisor_pid, signal.SIGKILL)).start()
    time.sleep(0.02)
    assert run("stop", record.id, "--now") == 0
    assert "is stopped" in capsys.readouterr().out
    assert run("status", record.id) == 0
    assert "130" in capsys.readouterr().out
