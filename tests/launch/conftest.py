"""A folder with everything that an Ascend configuration names, and runs of it through stand-ins of the commands."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from standin_environment import Environment, make_environment

from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.facts import machine
from agentic_rl_wizard.runner.process.index import list_runs, read_run
from agentic_rl_wizard.runner.process.record import ENDED, RunRecord
from agentic_rl_wizard.runner.process.stop import stop_run
from agentic_rl_wizard.runner.stream import JsonLines

WRAPPER = """from agentic_rl import BaseEngineWrapper, Trajectory


class Wrapper(BaseEngineWrapper):
    def initialize(self):
        pass

    def generate_agent_trajectories_async(self, tasks):
        return []
"""
SMALL: dict[str, Any] = {"num_gpus_per_node": 2, "infer_tensor_parallel_size": 2}


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    commands = ("agentic_rl", "ascendfactory-cli", "npu-smi", "ray")
    return make_environment(tmp_path_factory.mktemp("standins") / "env", commands)


class Bench:
    """Files, runs and what was said."""

    def __init__(self, root: Path, environment: Environment, capsys: Any) -> None:
        self.root = root
        self.environment = environment
        self.capsys = capsys
        self.python = environment.python
        for name in ("model", "weights", "saved"):
            (root / name).mkdir()
            (root / name).chmod(0o750)
        self.file("model/config.json", '{"num_attention_heads": 28, "num_key_value_heads": 4}')
        self.file("wrapper.py", WRAPPER)
        self.file("weights/latest_checkpointed_iteration.txt", "release")
        for rank in range(4):
            folder = self.root / "weights" / "release" / f"mp_rank_{rank:02d}"
            folder.mkdir(parents=True)
            for made in (folder.parent, folder):
                made.chmod(0o750)
            self.file(f"weights/release/mp_rank_{rank:02d}/model_optim_rng.pt", "")
        for name in ("train.parquet", "val.parquet"):
            self.file(name, "PAR1")
        self.file("data.jsonl", '{"problem": "1+1", "answer": "2"}\n' * 64)

    def file(self, name: str, text: str, mode: int = 0o640) -> Path:
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def agentsdk(self, backend: str = "verl", name: str = "c.yaml", **values: Any) -> Path:
        """A configuration of AgentSDK from its template, every path of it good."""
        paths = {"tokenizer_name_or_path": self.root / "model", "agent_engine_wrapper_path": self.root / "wrapper.py"}
        if backend == "verl":
            paths |= {"verl.train_files": self.root / "train.parquet", "verl.val_files": self.root / "val.parquet"}
            small = {**SMALL, "verl.save_freq": 2, "verl.total_training_steps": 4, "verl.project_name": "p",
                     "verl.experiment_name": "e"}  # fmt: skip
        else:
            paths |= {"mindspeed_rl.data_path": self.root / "data.jsonl"}
            paths |= {"mindspeed_rl.load_params_path": self.root / "weights"}
            paths |= {"mindspeed_rl.save_params_path": self.root / "saved"}
            small = {"mindspeed_rl.train_iters": 3, "mindspeed_rl.save_interval": 2}
        template = "agentsdk-verl" if backend == "verl" else "agentsdk-mindspeed-rl"
        values = {key.replace("__", "."): value for key, value in values.items()}
        given = {**{k: str(v) for k, v in paths.items()}, **small, **values}
        return self.file(name, render_template(template, "en", given, minimal=True))

    def factory(self, name: str = "f.yaml", **values: Any) -> Path:
        """A configuration of AscendFactory."""
        given = {"data.train_files": "train.parquet", "data.val_files": "val.parquet", "actor_rollout_ref.model.path":
                 "model", "trainer.save_freq": 2, "trainer.total_training_steps": 4, "trainer.n_gpus_per_node": 4,
                 "data.train_batch_size": 32}  # fmt: skip
        given |= {key.replace("__", "."): value for key, value in values.items()}
        text = render_template("ascendfactory-grpo", "en", given, minimal=True)
        return self.file(name, text.replace("/home/ma-user/verl", "out").replace("[console, tensorboard]", "[console]"))

    def call(self, *arguments: str) -> int:
        return main([*arguments])

    def said(self) -> str:
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return out + err

    def plan(self, config: Path, *options: str) -> dict[str, Any]:
        """The plan as JSON; fails the test with what was said when there is none."""
        self.capsys.readouterr()
        code = self.call("plan", str(config), "--json", "--python", self.python, *options)
        out, err = self.capsys.readouterr()
        assert code == 0, err
        return json.loads(out)

    def run(self, config: Path, *options: str) -> tuple[int, RunRecord]:
        code = self.call("run", str(config), "--python", self.python, *options)
        return code, max(list_runs(), key=lambda record: record.created)

    def until(self, true: Callable[[], object], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "waited too long"
            time.sleep(0.05)

    def ended(self, record: RunRecord) -> RunRecord:
        self.until(lambda: read_run(record.directory).state in ENDED)
        return read_run(record.directory)

    def log(self, record: RunRecord) -> str:
        return (Path(record.directory) / "train.log").read_text(errors="replace")

    def rows(self, record: RunRecord, name: str = "metrics.jsonl") -> list[dict[str, Any]]:
        return JsonLines(Path(record.directory) / name).read()

    def events(self, record: RunRecord, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.rows(record, "events.jsonl") if event["kind"] == kind]


@pytest.fixture
def bench(tmp_path: Path, environment: Environment, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Iterator[Bench]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    # A node of eight NPUs: what the kernel's device files would show.
    node = machine.Machine("npu", 8, 8, 192, 1500.0, 1400.0, 900.0)
    monkeypatch.setattr(machine, "look_at_machine", lambda *_: node)
    work = tmp_path / "work"
    work.mkdir(0o750)
    monkeypatch.chdir(work)
    environment.behave()
    one = Bench(work, environment, capsys)
    yield one
    for record in list_runs():
        if record.state not in ENDED:
            stop_run(record, now=True)
