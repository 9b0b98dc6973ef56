"""MindSpeed-RL's stand-in from file to end: planned, started, watched, taken up again, failing."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from mindspeed_tree import make_tree

from agentic_rl_wizard.runner.backends.mindspeed import MindSpeedFacts, make_plan
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.megatron import look_at_megatron
from agentic_rl_wizard.runner.facts.mindspeed_tree import look_at_tree
from agentic_rl_wizard.runner.process.directory import next_run_directory
from agentic_rl_wizard.runner.process.start import start_run

CONFIG = """megatron_training: {stage: STAGE, tokenizer_name_or_path: ./tok, data_path: ./data/part,
  global_batch_size: 8, seq_length: 1024, train_iters: 4, save_interval: 2, model: qwen25_7b, bf16: true}
actor_config: {model: qwen25_7b, micro_batch_size: 1, tensor_model_parallel_size: 2, lr: 1e-6, load: ./first,
  save: ./out, finetune: true, no_load_optim: true, no_load_rng: true}
rl_config: {use_integrated_worker: true, n_samples_per_prompt: 2, mini_batch_size: 8, actor_resource: {num_npus: 4}}
generate_config: {infer_tensor_parallel_size: 2, max_model_len: 2048, dtype: bfloat16}
"""


@pytest.fixture
def start(lab, tmp_path):
    root = make_tree(tmp_path / "MindSpeed-RL")
    (root / "data").mkdir()
    (root / "data" / "part_packed_input_ids_document.idx").write_bytes(b"x")
    for rank in ("mp_rank_00", "mp_rank_01"):
        (root / "first" / "release" / rank).mkdir(parents=True)
    (root / "first" / "latest_checkpointed_iteration.txt").write_text("release")

    def run(stage="ray_grpo", change=lambda text: text, env=None):
        text = change(CONFIG.replace("STAGE", stage))
        directory = next_run_directory(tmp_path / "runs", "mindspeed-rl", "one")
        request = Request("npu", "", sys.executable, root, tmp_path, directory, tmp_path)
        saved = look_at_megatron(root / "out")
        facts = MindSpeedFacts(look_at_tree(root), dict(os.environ), saved)
        plan = make_plan(parse_document(text), load_catalogue(), replace(request, mindspeed=facts))
        plan = replace(plan, env={**plan.env, **(env or {})})
        record = start_run(plan, text, tmp_path / "runs", directory=directory)
        lab.started.append(record)
        return plan, lab.end(record)

    return run


@pytest.mark.parametrize("stage", ["ray_grpo", "ray_dapo", "ray_ppo"])
def test_a_run_is_followed_to_its_end(start, lab, stage):
    plan, record = start(stage)
    assert record.state == "finished", lab.log(record).decode()[-2000:]
    rows = lab.rows(record)
    assert [row["step"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["data"]["actor/lr"] == 1e-6
    assert rows[-1]["data"]["grpo/score/mean"] > rows[0]["data"]["grpo/score/mean"]
    assert [event["step"] for event in lab.events(record, "checkpoint")] == [2, 4]
    stages = [event["stage"] for event in lab.events(record, "stage")]
    assert stages[0] == "starting" and "training" in stages and stages[-1] == "finishing"
    assert plan.total_steps == 4
    assert (Path(record.directory) / "resolved" / "agentic_rl_run.yaml").stat().st_mode & 0o777 == 0o640


def test_the_next_start_goes_on_where_the_first_ended(start, lab):
    start()
    plan, record = start(change=lambda text: text.replace("train_iters: 4", "train_iters: 6"))
    assert plan.resume is not None and plan.resume.step == 4
    assert record.state == "finished", lab.log(record).decode()[-2000:]
    assert [row["step"] for row in lab.rows(record)] == [5, 6]
    assert lab.events(record, "resume")[0]["step"] == 4
    assert b"reference weights from " in lab.log(record) and b"/first" in lab.log(record)


@pytest.mark.parametrize(
    ("change", "env", "cause"),
    [
        (lambda text: text, {"STANDIN_FAIL": "oom"}, "NPU out of memory"),
        (lambda text: text.replace("bf16: true", "bf16: true, lernrate: 1"), {}, "lernrate"),
        (lambda text: text.replace("seq_length: 1024", "seq_length: 4096"), {}, "max_model_len"),
    ],
    ids=["oom", "unknown-key", "too-long"],
)
def test_a_failure_names_its_first_cause(start, lab, change, env, cause):
    _, record = start(change=change, env=env)
    assert record.state == "failed" and record.exit_code == 1
    failure = lab.events(record, "failure")[0]
    assert cause in str(failure), failure
