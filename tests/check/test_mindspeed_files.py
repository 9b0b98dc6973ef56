"""Files in MindSpeed-RL's own shape: keys, sections, versions, and configurations with the values that it ships."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from files import check, codes, only
from mindspeed_rows import BASE
from mindspeed_shipped import SHIPPED

from agentic_rl_wizard.runner.catalogue import Edit
from agentic_rl_wizard.runner.check import World, check_document, shape_of, target_of
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.machine import Machine

NATIVE = """\
defaults:
  - model: [qwen25_7b]
megatron_training:
  model: qwen25_7b
  stage: ray_grpo
  global_batch_size: 32
  seq_length: 2048
actor_config:
  model: qwen25_7b
  micro_batch_size: 4
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 2
  lr: 1e-6
  min-lr: 0
rl_config:
  n_samples_per_prompt: 8
  mini_batch_size: 32
  actor_resource:
    num_npus: 16
generate_config:
  infer_tensor_parallel_size: 1
  max_model_len: 4096
  max_num_batched_tokens: 8192
"""


def test_a_good_file_is_recognised_by_its_shape() -> None:
    document = parse_document(NATIVE)
    assert (shape_of(document.values), target_of(document)) == ("mindspeed-rl", "mindspeed-rl")
    assert check_document(document) == []  # 1e-6 is a number to OmegaConf, min-lr is min_lr
    assert codes("# agentic-rl: target=mindspeed-rl\n" + NATIVE) == []


@pytest.mark.parametrize("target", ["agentsdk", "verl", "local"])
def test_others_can_not_read_it(target: str) -> None:
    assert "shape-not-for-target" in codes(NATIVE, target=target)
    assert "shape-not-for-target" in codes("train_backend: verl\n", target="mindspeed-rl")


def test_unknown_keys_are_fatal() -> None:
    problem = only(check(NATIVE.replace("micro_batch_size", "micro_batchsize")), "mindspeed-unknown-key")
    assert (problem.level, problem.key, problem.line) == ("error", "actor_config.micro_batchsize", 10)
    assert problem.edits == (Edit("rename", "actor_config.micro_batchsize", "micro_batch_size"),)
    assert codes(NATIVE + "  sampling_config: {n: 2}\n") == ["mindspeed-unknown-key"]
    assert codes(NATIVE.replace("num_npus: 16", "num_npus: 16\n    num_cpus: 4")) == ["mindspeed-unknown-key"]


def test_what_an_old_or_a_coming_version_knows() -> None:
    lora = NATIVE.replace("  stage:", "  lora_r: 8\n  stage:")
    assert codes(lora, World(backend_version="2.3.0")) == ["mindspeed-unknown-key"]
    assert codes(lora, World(backend_version="master")) == []
    (hint,) = check(lora)  # nobody named a version: the keys tell
    assert (hint.level, hint.code, hint.params["version"]) == ("hint", "mindspeed-version-by-keys", "master")
    strange = NATIVE + "  nonsense: 1\n"
    levels = [
        only(check(strange, World(backend_version=v)), "mindspeed-unknown-key").level for v in ("2.0", "2.1", "main")
    ]
    assert levels == ["warning", "error", "warning"]  # 2.0 only logged it, main may have learned it


def test_sections() -> None:
    problem = only(check(NATIVE.replace("rl_config:", "rl_configs:")), "mindspeed-unknown-section")
    assert (problem.level, problem.line) == ("warning", 15)
    assert "wrong-type" in codes("rl_config: 5\n")


def test_values_from_elsewhere_are_not_guessed() -> None:
    composed = NATIVE.replace("  - model: [qwen25_7b]\n", "  - base\n").replace("  global_batch_size: 32\n", "")
    assert codes(composed) == []
    assert codes(NATIVE.replace("  global_batch_size: 32\n", "")) == ["mindspeed-value-missing"]
    assert codes(NATIVE.replace("num_npus: 16", "num_npus: ${oc.env:NPUS}")) == []
    linked = NATIVE.replace("num_npus: 16", "num_npus: ${rl_config.mini_batch_size}").replace(
        "size: 32\n  seq", "size: 30\n  seq"
    )
    assert "global-batch-not-divisible" in codes(linked)


def test_sections_that_a_stage_reads() -> None:
    ppo = only(check(NATIVE.replace("ray_grpo", "ray_ppo")), "mindspeed-value-missing")
    assert (ppo.level, ppo.params["names"]) == ("warning", ["critic_config"])
    apart = NATIVE.replace("rl_config:\n", "rl_config:\n  use_integrated_worker: false\n")
    assert only(check(apart), "mindspeed-value-missing").params["names"] == ["ref_config", "reward_config"]
    assert codes(apart.replace("ray_grpo", "ray_dapo")) == []


def test_a_preset_must_be_loaded() -> None:
    other = NATIVE.replace("  model: qwen25_7b\n  micro", "  model: qwen25_32b\n  micro")
    problem = only(check(other), "mindspeed-preset")
    assert (problem.level, problem.key) == ("error", "actor_config.model")
    assert codes(other.replace("[qwen25_7b]", "[qwen25_7b, qwen25_32b]")) == []
    assert codes(other.replace("[qwen25_7b]", "[my_models]")) == []
    assert codes(other.replace("defaults:\n  - model: [qwen25_7b]\n", "")) == []


def test_numbers_in_quotes() -> None:
    problem = only(check(NATIVE.replace("global_batch_size: 32", "global_batch_size: '32'")), "mindspeed-wrong-type")
    assert (problem.level, problem.key, problem.column) == ("error", "megatron_training.global_batch_size", 22)


def test_preference_training_is_another_matter() -> None:
    text = "megatron_training:\n  stage: dpo\n  pipeline_model_parallel_size: 8\n  dpo_loss_type: sigmoid\n"
    assert codes(text) == []
    assert codes(text + "  dpo_los_type: sigmoid\n") == ["mindspeed-unknown-key"]


@pytest.mark.parametrize(("name", "values", "machine", "nodes", "versions"), SHIPPED, ids=[row[0] for row in SHIPPED])
def test_shipped_values_pass(
    name: str, values: dict[str, Any], machine: dict[str, int], nodes: int, versions: tuple[str, ...]
) -> None:
    text = yaml.safe_dump(BASE | values)
    fitting = Machine("npu", nodes=nodes, **machine)
    for version in versions:
        found = check(text, World(backend_version=version, machine=fitting))
        assert [(p.code, p.key) for p in found if p.level != "hint"] == [], (name, version)
