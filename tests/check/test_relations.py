"""Relations: all keys involved are named, and what is offered satisfies them."""

from __future__ import annotations

import pytest
from files import LOCAL, MINDSPEED, VERL, check, codes, only

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import apply_edits, parse_document

DEVICES8 = VERL.replace("num_gpus_per_node: 4", "num_gpus_per_node: 8")

# text that violates a relation -> code, key it is reported at, level
MINI, TENSOR = "verl.ppo_mini_batch_size", "mindspeed_rl.tensor_model_parallel_size"
BATCHED = "max_num_batched_tokens: 140000\nmax_model_len: 150000\n"
PIPELINE = "infer_pipeline_parallel_size"
VIOLATIONS = [
    (DEVICES8 + "  train_batch_size: 6\n", "batch-not-divisible", "verl.train_batch_size", "error"),
    (DEVICES8 + "  train_batch_size: 1\n  ppo_mini_batch_size: 3\n", "mini-batch-too-small", MINI, "error"),
    (VERL + "infer_tensor_parallel_size: 3\n", "rollout-parallel-not-divisible", "infer_tensor_parallel_size", "error"),
    (VERL + "  ppo_max_token_len_per_gpu: 4000\n", "token-limit-too-low", "verl.ppo_max_token_len_per_gpu", "error"),
    (VERL + "max_model_len: 8192\n", "wrapper-response-length", "max_model_len", "error"),
    (VERL + "max_model_len: 90000\n", "wrapper-response-length", "max_model_len", "error"),
    (VERL + BATCHED, "wrapper-prompt-length", "max_num_batched_tokens", "error"),
    (VERL + "max_steps: 101\n", "wrapper-steps", "max_steps", "error"),
    (VERL + "max_model_len: 4000\nmax_num_batched_tokens: 2000\n", "context-too-short", "max_model_len", "warning"),
    (MINDSPEED + "  tensor_model_parallel_size: 3\n", "training-parallel-not-divisible", TENSOR, "error"),
    (MINDSPEED + "  global_batch_size: 15\n", "global-batch-not-divisible", "mindspeed_rl.global_batch_size", "error"),
    (MINDSPEED + "  micro_batch_size: 3\n", "micro-batch-not-divisible", "mindspeed_rl.micro_batch_size", "error"),
    (MINDSPEED + "actor_rollout_dispatch_size: 3\n", "dispatch-not-divisible", "actor_rollout_dispatch_size", "error"),
    (MINDSPEED + "max_model_len: 4096\n", "context-below-sequence", "max_model_len", "error"),
    (MINDSPEED + "dtype: float16\n", "dtype-not-supported", "dtype", "error"),
    (MINDSPEED + "infer_pipeline_parallel_size: 2\n", "rollout-pipeline-not-supported", PIPELINE, "error"),
    (MINDSPEED + "  use_remove_padding: true\n", "remove-padding-needs", "mindspeed_rl.use_remove_padding", "error"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "key", "level"), VIOLATIONS, ids=[f"{v[1]}-{i}" for i, v in enumerate(VIOLATIONS)]
)
def test_violation(text: str, code: str, key: str, level: str) -> None:
    problem = next(p for p in check(text) if p.code == code)
    assert (problem.key, problem.level) == (key, level)
    assert problem.line == parse_document(text).places[key].line
    for lang in ("en", "zh"):
        words = problem_text(problem, lang)
        assert "?" not in words.message
        assert "{" not in words.message + words.because + words.fix
    if problem.edits:
        repaired = apply_edits(text, problem.edits)
        assert code not in [p.code for p in check(repaired)]


def test_all_keys_involved_are_named() -> None:
    problem = only(check(DEVICES8 + "  train_batch_size: 6\n"), "batch-not-divisible")
    assert problem.related == ("rollout_n", "num_gpus_per_node", "verl.nnodes")
    assert problem.params["values"] == [4, 8]
    words = problem_text(problem, "en")
    assert words.message == "verl.train_batch_size x rollout_n = 12 is no multiple of the 8 devices."
    assert "4, 8" in words.fix


def test_defaults_count_too() -> None:
    # 4 devices asked for, the default tensor parallel size is 4; with 2 devices it no longer divides.
    text = VERL.replace("num_gpus_per_node: 4", "num_gpus_per_node: 2")
    problem = only(check(text), "rollout-parallel-not-divisible")
    assert (problem.key, problem.edits) == ("num_gpus_per_node", ())


def test_versions_of_verl() -> None:
    text = DEVICES8 + "  train_batch_size: 6\n"
    assert "batch-not-divisible" in codes(text)
    assert "batch-not-divisible" not in codes(text, World(verl_version="0.7.1"))
    assert "batch-not-divisible" not in codes(text, target="verl")  # the newest one
    mini = DEVICES8 + "  ppo_mini_batch_size: 6\n"
    assert "mini-batch-not-divisible" not in codes(mini)
    assert "mini-batch-not-divisible" in codes(mini, target="verl")
    low = VERL + "  ppo_max_token_len_per_gpu: 4000\n"
    assert only(check(low, World(verl_version="0.9.1"), "verl"), "token-limit-too-low").level == "warning"


def test_the_cpu_overrides_devices() -> None:
    text = LOCAL + "  train_batch_size: 3\ninfer_tensor_parallel_size: 3\nnum_gpus_per_node: 8\n"
    assert codes(text) == []


def test_parallel_size_over_several_machines() -> None:
    text = DEVICES8 + "  nnodes: 3\ninfer_tensor_parallel_size: 12\n"
    assert "rollout-parallel-spans-nodes" in codes(text, target="verl")


def test_no_relation_with_a_value_that_is_wrong_already() -> None:
    assert codes(VERL + "infer_tensor_parallel_size: 0\n") == ["out-of-range"]
    assert codes(VERL + "infer_tensor_parallel_size: '3'\n") == ["wrong-type"]


def test_absurd_numbers_take_no_time() -> None:
    text = VERL.replace("num_gpus_per_node: 4", "num_gpus_per_node: 1000000000000000003")
    assert "rollout-parallel-not-divisible" in codes(text)


def test_document_is_not_needed_for_one_field() -> None:
    from agentic_rl_wizard.runner.check import check_key

    values = parse_document(DEVICES8 + "  train_batch_size: 6\nlr: 1e-6\n").values
    assert [p.code for p in check_key(values, "lr")] == ["wrong-type"]
    for key in ("verl.train_batch_size", "rollout_n", "num_gpus_per_node"):
        assert "batch-not-divisible" in [p.code for p in check_key(values, key)]
    assert check_key(values, "temperature") == []


def test_any_values_at_all() -> None:
    for text in (
        "verl: []\n",
        "train_backend: [1]\n",
        "verl:\n  train_files: {a: 1}\n",
        "mindspeed_rl:\n  nnodes: {}\n",
        "lr: [[1]]\n",
    ):
        check_document(parse_document(text))
