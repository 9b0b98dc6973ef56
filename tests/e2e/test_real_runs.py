"""The real verl on this CPU, from files written for NPUs by the dozen.

An AgentSDK file, AscendFactory's template and a launch script that was converted are each rehearsed for two steps, one
after another.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.document import parse_document, remove_key
from agentic_rl_wizard.runner.process.procs import MARK, processes

pytestmark = [
    pytest.mark.engine,
    pytest.mark.xdist_group("engine"),
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("verl", "ray", "transfer_queue", "pyarrow")),
        reason="the local back end is not installed",
    ),
]

SCRIPT = """\
set -x
MODEL_PATH=${MODEL_PATH:-/models/Qwen3-8B}
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=@/train.parquet data.val_files=@/val.parquet \\
    data.train_batch_size=1024 data.max_prompt_length=2048 data.max_response_length=8192 \\
    data.filter_overlong_prompts=True data.truncation='error' \\
    actor_rollout_ref.model.path=$MODEL_PATH \\
    actor_rollout_ref.actor.optim.lr=1e-6 actor_rollout_ref.actor.ppo_mini_batch_size=256 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 actor_rollout_ref.actor.ulysses_sequence_parallel_size=4 \\
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.001 \\
    actor_rollout_ref.actor.fsdp_config.param_offload=True \\
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=5 \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8 \\
    trainer.logger='["console","wandb"]' trainer.project_name=math trainer.experiment_name=qwen3 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=4 trainer.val_before_train=False \\
    trainer.save_freq=20 trainer.test_freq=5 trainer.total_epochs=15 trainer.total_training_steps=2
"""


def agentsdk(folder: Path) -> Path:
    values = {
        "tokenizer_name_or_path": "/models/Qwen2.5-7B-Instruct",
        "num_gpus_per_node": 8,
        "rollout_n": 8,
        "verl.train_files": str(folder / "train.parquet"),
        "verl.val_files": str(folder / "val.parquet"),
        "verl.train_batch_size": 512,
        "verl.ppo_mini_batch_size": 128,
        "verl.total_training_steps": 2,
        "verl.project_name": "math",
        "verl.experiment_name": "qwen2",
    }
    text = render_template("agentsdk-verl", "en", values)
    text = remove_key(text, "agent_engine_wrapper_path")  # without one, verl's own single-turn loop answers
    return written(folder, text)


def ascendfactory(folder: Path) -> Path:
    values = {
        "data.train_files": str(folder / "train.parquet"),
        "data.val_files": str(folder / "val.parquet"),
        "af_output_dir": str(folder / "out"),
        "trainer.project_name": "math",
        "trainer.experiment_name": "af",
    }
    text = render_template("ascendfactory-grpo", "en", values)
    text = text.replace("    total_epochs: ", "    total_training_steps: 2\n    total_epochs: ")
    assert parse_document(text).get("backend_config.trainer.total_training_steps") == 2
    return written(folder, text)


def converted(folder: Path) -> Path:
    script = folder / "train.sh"
    script.write_text(SCRIPT.replace("@", str(folder)))
    file = folder / "file.yaml"
    assert main(["convert", str(script), "--to", "ascendfactory", "-o", str(file)]) == 0
    file.write_text(file.read_text().replace("/path/to/output", str(folder / "out")))
    return file


def written(folder: Path, text: str) -> Path:
    file = folder / "file.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def rows(number: int) -> list[dict[str, Any]]:
    """Problems in the shape of GSM8K's."""
    made: list[dict[str, Any]] = []
    for i in range(number):
        bags, each, loose = 2 + i % 7, 3 + i % 5, i % 11
        question = f"Li packs {bags} bags with {each} pears each and has {loose} pears left. How many pears had she?"
        answer = str(bags * each + loose)
        made.append(
            {
                "data_source": "openai/gsm8k",
                "prompt": [{"role": "user", "content": question + " Give the number after ####."}],
                "ability": "math",
                "reward_model": {"style": "rule", "ground_truth": answer},
                "extra_info": {"index": i, "question": question, "answer": f"#### {answer}"},
            }
        )
    return made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import pyarrow
    import pyarrow.parquet

    # More rows than a batch of the file needs: fewer would be refused before the start.
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows(1100)), tmp_path / "train.parquet")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows(40)), tmp_path / "val.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    return tmp_path


@pytest.fixture
def alone(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[None]:
    """Only one run at a time, whatever way the workers of the tests share the work."""
    shared = tmp_path_factory.getbasetemp()
    with (shared if worker_id == "master" else shared.parent).joinpath("engine.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def of_run(run: str) -> list[int]:
    """Processes that carry the run's mark."""
    mark, found = f"{MARK}={run}".encode(), list[int]()
    for pid in processes():
        try:
            found += [pid] if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") else []
        except OSError:
            continue
    return found


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("make", "family", "ratio", "key", "before"),
    [
        (agentsdk, "qwen2", 7, "verl.train_batch_size", 512),
        (ascendfactory, "qwen2", 7, "data.train_batch_size", 32),
        (converted, "qwen3", 4, "data.train_batch_size", 1024),
    ],
    ids=["agentsdk", "ascendfactory", "script"],
)
def test_a_file_for_npus_is_rehearsed(folder, make, family, ratio, key, before, capsys):
    file = make(folder)
    capsys.readouterr()
    code = main(["run", str(file), "--local", "--lang", "en"])
    words = "".join(capsys.readouterr())
    assert code == 0, words[-3000:]

    [record_file] = folder.glob("runs/math/*-rehearsal/*/run.json")
    record, run = json.loads(record_file.read_text()), record_file.parent
    assert (record["state"], record["exit_code"], record["device"]) == ("finished", 0, "cpu")
    assert not of_run(record["id"])

    steps: dict[int, dict[str, float]] = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        steps.setdefault(row["step"], {}).update(row["data"])
    for step in (1, 2):
        assert math.isfinite(steps[step]["actor/grad_norm"])  # 0 where all rewards are equal and nothing else pulls
        assert steps[step]["critic/rewards/mean"] >= 0
    assert any(name.startswith("val-core/") for name in steps[2])

    # The checkpoint is whole, and lies where the real training never looks.
    kept = run / "checkpoints"
    assert (kept / "latest_checkpointed_iteration.txt").read_text() == "2"
    assert list((kept / "global_step_2" / "actor").glob("model_world_size_1_rank_0.pt"))
    assert not (folder / "checkpoints").exists() and not (folder / "out").exists()

    # The family, and what became of the batch.
    [config_file] = folder.glob(".agentic-rl/rehearsal/*/model/config.json")
    config = json.loads(config_file.read_text())
    assert config["model_type"] == family
    assert config["num_attention_heads"] == ratio * config["num_key_value_heads"]
    plan = json.loads((run / "plan.json").read_text())
    scaled = {note["key"]: (note["before"], note["after"]) for note in plan["notes"] if note["kind"] == "scaled"}
    assert scaled[key] == (before, 8)
    assert plan["overrides"]["actor_rollout_ref.actor.ppo_mini_batch_size"] == 2

    assert re.search(rf"^  {re.escape(key)} +{before} -> 8$", words, re.MULTILINE)
    assert "A rehearsal on this CPU" in words and "What the rehearsal proved" in words
    # Where the file lets verl filter long prompts, all rows were tokenised, else those that were answered.
    told = re.search(r"(\d+) prompts tokenised \(0 cut", words)
    assert told is not None and int(told[1]) >= 8
    assert "a whole checkpoint of step 2" in words
    assert "rehearsal-rewards-equal" in words or "different values from 0 to 1" in words
