"""Files that hold verl's own keys: trees, flat keys, AscendFactory; names and types by version."""

from __future__ import annotations

import pytest
from files import check, codes, only

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import World, check_key, paths_of, target_of
from agentic_rl_wizard.runner.document import apply_edits, parse_document

R, A = "actor_rollout_ref.rollout", "actor_rollout_ref.actor"
FACTORY = """\
af_output_dir: /out
backend_config:
  data:
    train_batch_size: 6
    train_files: /d/train.parquet
  actor_rollout_ref:
    rollout: {name: vllm, n: 1}
  trainer: {n_gpus_per_node: 8, nnodes: 1}
"""


def world(version: str) -> World:
    return World(verl_version=version)


def test_the_target_is_told_by_the_shape() -> None:
    assert target_of(parse_document(FACTORY)) == "ascendfactory"
    assert target_of(parse_document("trainer: {nnodes: 1}\n")) == "verl"
    assert target_of(parse_document("# agentic-rl: target=local\ntrainer: {nnodes: 1}\n")) == "local"


def test_a_factory_file_is_judged_below_its_section() -> None:
    problem = only(check(FACTORY, world("0.5.0")), "batch-not-divisible")
    assert (problem.key, problem.line) == ("backend_config.data.train_batch_size", 4)
    assert problem.related == (
        f"backend_config.{R}.n",
        "backend_config.trainer.n_gpus_per_node",
        "backend_config.trainer.nnodes",
    )
    assert "batch-not-divisible" not in codes(apply_edits(FACTORY, problem.edits), world("0.5.0"))


def test_what_stands_outside_the_section() -> None:
    text = FACTORY + "engine_kwargs:\n  vllm: {a: 1}\n"
    assert only(check(text), "native-key-outside").level == "warning"
    assert only(check(FACTORY.replace("af_output_dir: /out\n", "")), "native-output-missing").level == "warning"


@pytest.mark.parametrize(
    ("key", "version", "code"),
    [
        (f"{A}.checkpoint.contents", "0.5.0", "native-key-moved"),
        (f"{A}.checkpoint.save_contents", "0.4.0", "native-key-moved"),
        (f"{A}.optim.lr_scheduler_type", "0.5.0", "native-key-moved"),
        (f"{R}.multi_turn.max_turns", "0.5.0", "native-key-moved"),
        ("trainer.use_legacy_worker_impl", "0.8.0", "native-key-of-other-version"),
        ("trainer.use_v1", "0.8.0", "native-key-of-other-version"),
        (f"{R}.update_weights_bucket_megabytes", "0.7.1", "native-key-moved"),
        ("critic.model.fsdp_config.param_offload", "0.8.0", "native-key-moved"),
        (f"{R}.gpu_memory_utilisation", "0.9.1", "native-key-unknown"),
    ],
)
def test_names_by_version(key: str, version: str, code: str) -> None:
    (problem,) = [p for p in check(f"{key}: 1\n", world(version)) if p.key == key and p.level == "error"]
    assert problem.code == code
    for lang in ("en", "zh"):
        assert version in problem_text(problem, lang).message


@pytest.mark.parametrize(
    ("key", "version"),
    [
        (f"{A}.optim.warmup_style", "0.9.1"),
        ("reward_model.model.path", "0.9.1"),
        (f"{R}.engine_kwargs.vllm.anything", "0.9.1"),
        ("actor_rollout_ref.model.override_config.attn_implementation", "0.7.1"),
        ("+trainer.mine", "0.9.1"),
        ("++trainer.mine", "0.9.1"),
        ("~trainer.nnodes", "0.9.1"),
        ("hydra.run.dir", "0.9.1"),
        ("rollout.n_gpus_per_node", "0.7.1"),
        ("reward_model.reward_kwargs.overlong_buffer_cfg.len", "0.5.0"),
    ],
)
def test_names_that_pass(key: str, version: str) -> None:
    text = f"trainer: {{nnodes: 1}}\n{key}: 1\n"
    assert [p.code for p in check(text, world(version)) if p.code.startswith("native-key")] == []


def test_a_slip_of_the_pen_is_repaired() -> None:
    text = "actor_rollout_ref:\n  rollout:\n    tensor_model_paralel_size: 2\n"
    problem = only(check(text, world("0.9.1")), "native-key-unknown")
    assert problem.params["nearest"] == f"{R}.tensor_model_parallel_size"
    assert "tensor_model_parallel_size: 2" in apply_edits(text, problem.edits)


def test_a_right_name_in_a_wrong_place() -> None:
    problem = only(check("trainer: {nnodes: 1}\ndata.total_epochs: 3\n", world("0.9.1")), "native-key-unknown")
    assert problem.params["nearest"] == "trainer.total_epochs"


def test_a_plus_before_a_key_that_is_there() -> None:
    assert only(check("+trainer.nnodes: 1\n", world("0.9.1")), "native-plus-unneeded").level == "error"
    assert "native-plus-unneeded" not in codes("++trainer.nnodes: 1\n", world("0.9.1"))


def test_a_configuration_that_builds_on_verls_may_add_keys() -> None:
    text = "defaults: [ppo_trainer, _self_]\ntrainer: {nnodes: 1, mine: 2}\n"
    assert only(check(text, world("0.9.1")), "native-key-unknown").level == "warning"


@pytest.mark.parametrize(
    ("line", "level"),
    [
        (f"{A}.optim.lr: 1e-6", None),
        (f"{A}.optim.lr: '1e-6'", "error"),
        (f"{A}.ppo_mini_batch_size: many", "error"),
        (f"{A}.ppo_mini_batch_size: 1.5", "error"),
        (f"{A}.entropy_coeff: 0.01", None),
        (f"{A}.use_kl_loss: 'yes'", "warning"),
        (f"{A}.use_kl_loss: [true]", "error"),
        (f"{R}: 5", "error"),
        ("trainer.logger: console", None),
        ("data.train_files: [a, b]", None),
        ("trainer.total_training_steps: 10", None),
        (f"{R}.n: ${{trainer.nnodes}}", None),
        ("trainer.use_legacy_worker_impl: disable", None),
    ],
)
def test_types(line: str, level: str | None) -> None:
    found = [p for p in check(f"trainer.nnodes: 1\n{line}\n", world("0.7.1")) if p.code == "native-wrong-type"]
    assert [p.level for p in found] == ([level] if level else [])


def test_the_exponent_of_omegaconf_is_no_pitfall() -> None:
    text = f"trainer.nnodes: 1\n{A}.optim.lr: 1e-6\n"
    assert "yaml-exponent" not in codes(text)


def test_mandatory_values_and_changed_defaults() -> None:
    whole = "data.train_files: a.parquet\nactor_rollout_ref.model.path: org/m\n"
    assert only(check(whole, world("0.6.0")), "native-mandatory-missing").level == "error"
    assert "native-mandatory-missing" not in codes(whole, world("0.5.0"))
    told = only(check(whole, world("0.9.1")), "native-defaults-changed")
    assert told.level == "hint" and f"{R}.max_num_seqs = 256" in told.params["values"]
    assert "native-defaults-changed" not in codes(whole, world("0.5.0"))


def test_the_installed_verl_has_the_last_word() -> None:
    declared = {"fsdp": {"trainer.nnodes": 1, "trainer.brand_new": 2}}
    text = "trainer: {brand_new: 3, nnodes: 1, n_gpus_per_node: 8}\n"
    found = check(text, World(verl_version="0.9.1", verl_declared=declared))
    assert [p.key for p in found if p.level == "error"] == ["trainer.n_gpus_per_node"]


def test_agentsdk_does_not_read_such_files() -> None:
    assert "shape-not-for-target" in codes("trainer: {nnodes: 1}\n", target="agentsdk")
    assert "shape-not-for-target" not in codes("trainer: {nnodes: 1}\n", target="verl")


def test_paths_of_a_native_file() -> None:
    text = (
        "data.train_files: [/d/a.parquet, hdfs://d/b.parquet]\ndata.val_files: $HOME/v.parquet\n"
        "actor_rollout_ref.model.path: Qwen/Qwen3-8B\ntrainer.nnodes: 1\n"
    )
    assert paths_of(parse_document(text)) == {"data.train_files[0]": "/d/a.parquet"}


def test_one_field_of_a_native_file() -> None:
    values = parse_document(f"trainer: {{n_gpus_per_node: 8}}\n{R}.tensor_model_parallel_size: 3\n").values
    assert [p.code for p in check_key(values, f"{R}.tensor_model_parallel_size", "verl")] == [
        "rollout-parallel-not-divisible"
    ]
    assert [p.code for p in check_key({"trainer": {"nnodez": 1}}, "trainer.nnodez", "verl")] == ["native-key-unknown"]
    assert check_key(values, "trainer.total_epochs", "verl") == []


@pytest.mark.parametrize(
    "text",
    [
        "trainer: 5\n",
        "actor_rollout_ref: [1]\n",
        "backend_config: 7\n",
        "backend_config:\n  data: 3\n  trainer: {nnodes: [1]}\n",
        "trainer: {nnodes: {a: {b: 1}}}\n1: 2\n",
        "data: {train_batch_size: .nan}\ntrainer: {nnodes: -3, n_gpus_per_node: true}\n",
        "trainer: {nnodes: '${trainer.nnodes}'}\n",
        "'+': 1\ntrainer: {}\n",
    ],
)
def test_any_values_at_all(text: str) -> None:
    for target in ("verl", "ascendfactory", "local", "agentsdk"):
        assert isinstance(check(text, target=target), list)


def test_a_key_in_its_section_and_flat() -> None:
    text = "trainer: {nnodes: 1}\ndata: {train_batch_size: 8}\ntrainer.nnodes: 2\n"
    problem = only(check(text), "native-key-twice")
    assert problem.level == "warning"
    assert "1" in problem_text(problem, "en").message
    assert "2" in problem_text(problem, "zh").message
    assert "native-key-twice" not in codes(text.replace("nnodes: 2", "nnodes: 1"))
    assert "native-key-twice" not in codes("trainer: {nnodes: 1}\ntrainer.save_freq: 2\n")
