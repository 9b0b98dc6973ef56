"""What the failure catalogue makes of a log stands in run.json, in the events, in `status` and in `diagnose`."""

import json
from typing import Any

import pytest

from agentic_rl_wizard.runner.catalogue.failures import load_failures
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.process.spec import Limits
from agentic_rl_wizard.runner.process.start import start_run

QUICK = Limits(interrupt=0.6, terminate=0.6, now=0.4, linger=0.2, sweep=0.4)

CODE = """
import sys
print("INFO fine", flush=True)
print("(WorkerDict pid=7) torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2 GiB", flush=True)
sys.exit(1)
"""


def test_a_failed_run_carries_its_diagnosis(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    record = start_run(lab.plan(CODE), "a: 1\n", lab.root / "runs", limits=QUICK, failures=load_failures())
    lab.started.append(record)
    record = lab.end(record)
    first = record.causes[0]
    assert (first["id"], first["line"]) == ("npu-out-of-memory", 2)
    assert "gpu_memory_utilization" in first["parameters"]
    assert "NPU out of memory" in record.reason
    event = lab.events(record, "failure")[0]
    assert set(event["cause"]) == {"en", "zh"}
    assert main(["status", record.id, "--lang", "en"]) == 0
    assert "device memory (HBM) is full" in capsys.readouterr().out
    assert main(["diagnose", record.id, "--json", "--lang", "zh"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failed"] is True
    assert "显存" in told["causes"][0]["cause"]


def test_a_finished_run_has_not_failed_whatever_its_log_says(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = CODE.replace("sys.exit(1)", "")
    record = start_run(lab.plan(code), "a: 1\n", lab.root / "runs", limits=QUICK, failures=load_failures())
    lab.started.append(record)
    record = lab.end(record)
    assert (record.state, record.causes) == ("finished", [])
    assert main(["diagnose", record.id, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"failed": False, "causes": [], "remarks": []}
