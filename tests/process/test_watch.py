"""`watch`: what is seen of a run on a pipe, as JSON, on a terminal, and what Ctrl-C does."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.cli.runs.watch import watch
from agentic_rl_wizard.runner.process.index import read_run

STEPS = """
import time
print('Total training steps: 3')
for n in (1, 2, 3):
    print(f'step:{n} - critic/rewards/mean:0.{n} - timing_s/step:2.5')
    time.sleep(0.1)
"""
SLEEP = "import time\nprint('step:1 - a/b:1')\ntime.sleep(60)"


def viewer(record: Any, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    code = f"""
import sys
from agentic_rl_wizard.runner.cli.runs.watch import watch
from agentic_rl_wizard.runner.process.index import read_run
sys.exit(watch(read_run({record.directory!r}), {", ".join(arguments)}))
"""
    return subprocess.Popen([sys.executable, "-c", code], **options)


def test_plain_lines_on_a_pipe(lab: Any) -> None:
    out = io.StringIO()
    assert watch(lab.start(STEPS), stream=out, lang="en") == 0
    lines = out.getvalue().splitlines()
    steps = [line for line in lines if " | step " in line]
    assert steps[0].startswith("training | step 1 of 3 | reward 0.1 | 2.5 s/step | 5 s left")
    assert [line.split(" | ")[1] for line in steps] == [f"step {n} of 3" for n in (1, 2, 3)]
    assert lines[-1].startswith("Finished after ")
    assert "\x1b" not in out.getvalue()
    assert "\r" not in out.getvalue()


def test_one_event_a_line_as_json(lab: Any) -> None:
    out = io.StringIO()
    record = lab.start(STEPS)
    assert watch(record, json=True, stream=out) == 0
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["kind"] for event in events if event["kind"] == "metrics"] == ["metrics"] * 3
    assert {"state", "stage", "end"} <= {event["kind"] for event in events}
    assert (events[-1]["kind"], events[-1]["state"], events[-1]["exit_code"]) == ("end", "finished", 0)


def test_a_failure_shows_its_cause_and_the_log(lab: Any) -> None:
    out = io.StringIO()
    record = lab.start("def read(path): raise FileNotFoundError('no data at /nope')\nread(1)")
    assert watch(record, stream=out, lang="zh") == 1
    text = out.getvalue()
    assert "  FileNotFoundError: no data at /nope" in text
    assert "训练失败：FileNotFoundError: no data at /nope" in text
    assert str(Path(record.directory) / "train.log") in text


@pytest.mark.parametrize(("how", "code", "state"), [("stop", 130, "stopped"), ("detach", 0, "running")])
def test_ctrl_c(lab: Any, how: str, code: int, state: str) -> None:
    record = lab.start(SLEEP)
    one = viewer(record, f"on_interrupt={how!r}", "lang='en'", stdout=subprocess.PIPE)
    assert one.stdout is not None
    assert one.stdout.readline()
    one.send_signal(signal.SIGINT)
    out, _ = one.communicate(timeout=20)
    assert one.returncode == code
    assert read_run(record.directory).state == state
    assert (b"Stopping run" if how == "stop" else b"The run goes on") in out


def test_ctrl_c_twice_stops_at_once(lab: Any) -> None:
    code = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('step:1 - a/b:1')\ntime.sleep(60)"
    record = lab.start(code)
    lab.said(record, b"step:1")
    one = viewer(record, "lang='en'", stdout=subprocess.PIPE)
    assert one.stdout is not None
    assert one.stdout.readline()
    one.send_signal(signal.SIGINT)
    lab.until(lambda: read_run(record.directory).state == "stopping")
    one.send_signal(signal.SIGINT)
    out, _ = one.communicate(timeout=20)
    assert one.returncode == 130
    assert b"Stopping at once" in out


def test_a_closed_pipe_leaves_the_run_alone(lab: Any) -> None:
    record = lab.start("import time\nfor n in range(1, 15): print(f'step:{n} - a/b:1'); time.sleep(0.1)")
    one = viewer(record, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert one.stdout is not None
    one.stdout.readline()
    one.stdout.close()
    assert one.wait(20) == 0
    assert one.stderr is not None
    assert one.stderr.read() == b""
    one.stderr.close()
    assert lab.end(record).state == "finished"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL, signal.SIGTERM])
def test_a_killed_viewer_leaves_the_run_alone(lab: Any, number: signal.Signals) -> None:
    record = lab.start(SLEEP)
    one = viewer(record, stdout=subprocess.PIPE)
    assert one.stdout is not None
    one.stdout.readline()
    one.send_signal(number)
    one.communicate(timeout=10)
    time.sleep(0.3)
    assert read_run(record.directory).state == "running"


def test_one_line_on_a_terminal_in_chinese_that_is_asked_on_ctrl_c(lab: Any) -> None:
    code = """
import time
print('Total training steps: 9')
for n in range(1, 90):
    print(f'step:{n} - critic/rewards/mean:0.5 - timing_s/step:2')
    time.sleep(0.1)
"""
    record = lab.start(code)
    main, side = pty.openpty()
    one = viewer(record, "on_interrupt='ask'", "lang='zh'", stdin=side, stdout=side, stderr=side,
                 env={**os.environ, "COLUMNS": "40", "LINES": "10"})  # fmt: skip
    os.close(side)
    seen = b""

    def read_until(words: str) -> None:
        nonlocal seen
        end = time.monotonic() + 15
        while words.encode() not in seen:
            assert time.monotonic() < end, seen.decode()
            if select.select([main], [], [], 0.5)[0]:
                seen += os.read(main, 4096)

    read_until("/9 步")
    assert b"\x1b" not in seen
    for redraw in re.split("[\r\n]+", seen.decode()):
        columns = sum(2 if ord(character) > 0x2E80 else 1 for character in redraw)
        assert columns <= 40
    one.send_signal(signal.SIGINT)
    read_until("继续查看？")
    os.write(main, b"d\n")
    read_until("训练继续运行")
    assert one.wait(10) == 0
    os.close(main)
    assert read_run(record.directory).state == "running"
