"""What the catalogue knows of verl's own keys: ranges, words, what a variant of document 004 must set."""

from __future__ import annotations

import pytest
from files import check, only

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import World, check_key

A, R = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"


def found(text: str, version: str = "0.9.1") -> list[tuple[str, str, str]]:
    return [(p.level, p.code, p.key) for p in check(text, World(verl_version=version)) if p.level != "hint"]


@pytest.mark.parametrize(
    ("line", "level", "code"),
    [
        (f"{R}.n: 0", "error", "native-out-of-range"),
        (f"{R}.n: 1", "", ""),
        (f"{R}.tensor_model_parallel_size: -1", "error", "native-out-of-range"),
        ("trainer.nnodes: 0", "error", "native-out-of-range"),
        ("critic.ppo_epochs: 0", "warning", "native-out-of-range"),  # read by a critic only
        ("critic.ppo_epochs: 1", "", ""),
        (f"{R}.top_k: -2", "warning", "native-out-of-range"),
        (f"{R}.top_k: -1", "", ""),
        ("data.train_batch_size: 0", "", ""),  # what the fully asynchronous trainer wants
        ("trainer.save_freq: 0", "", ""),  # verl takes it, and only a document about AscendFactory does not
        (f"{R}.name: vlm", "warning", "unknown-choice"),
        (f"{R}.name: sglang", "", ""),
        (f"{R}.n: ${{oc.env:N}}", "", ""),
        (f"{A}.ppo_micro_batch_size_per_gpu: '4'", "warning", "native-wrong-type"),
        (f"{A}.ppo_micro_batch_size_per_gpu: null", "", ""),
        (f"{A}.optim.lr: 1e-6", "", ""),
        (f"{A}.policy_loss.loss_mode: clip-cov", "error", "word-unknown"),  # judged by the version's own words
    ],
)
def test_values(line: str, level: str, code: str) -> None:
    assert found(f"{R}.mode: async\n{line}\n") == ([(level, code, line.partition(":")[0])] if code else [])


def test_one_field() -> None:
    values = {"trainer": {"nnodes": 0}}
    assert [(p.level, p.code) for p in check_key(values, "trainer.nnodes", "verl")] == [
        ("error", "native-out-of-range")
    ]


FACTORY = """\
af_output_dir: /out
backend_config:
  data: {train_files: /d/a.parquet, val_files: /d/b.parquet}
  actor_rollout_ref:
    model: {path: /m}
    rollout: {name: vllm}
    actor: {use_dynamic_bsz: true}
"""
NEEDED = "native-required-missing"


@pytest.mark.parametrize(
    ("more", "version", "keys"),
    [
        ("", "0.9.1", []),
        ("  algorithm: {adv_estimator: gae}\n  critic: {model: {path: /c}}\n", "0.9.1", []),
        (
            "  algorithm: {adv_estimator: gae}\n  critic: {model: {path: /c}}\n  reward_model: {enable: true}\n",
            "0.6.1",
            ["reward_model.model.path"],
        ),
        ("  trainer: {save_freq: 0}\n", "0.9.1", []),
    ],
    ids=["grpo", "ppo", "ppo-reward-model", "save-freq"],
)
def test_what_a_variant_needs(more: str, version: str, keys: list[str]) -> None:
    missing = [key for _, code, key in found(FACTORY + more, version) if code == NEEDED]
    assert missing == [f"backend_config.{key}" for key in keys]


def test_several_turns_need_tools() -> None:
    text = FACTORY.replace("{name: vllm}", "{name: vllm, mode: async, multi_turn: {enable: true}}")
    problem = only(check(text, World(verl_version="0.9.1")), NEEDED)
    assert (problem.level, problem.key) == ("warning", f"backend_config.{R}.multi_turn.tool_config_path")
    assert "multi-turn" in problem_text(problem, "en").message
    with_loop = text.replace("enable: true}", "enable: true}, agent: {agent_loop_config_path: /l.yaml}")
    assert NEEDED not in [code for _, code, _ in found(with_loop)]


def test_what_every_factory_file_needs() -> None:
    text = "backend_config:\n  trainer: {nnodes: 1}\n"
    keys = [key.removeprefix("backend_config.") for _, _, key in found(text)]
    wanted = ["actor_rollout_ref.model.path", "af_output_dir", "data.train_files", "data.val_files"]
    assert sorted(keys) == wanted
    assert found("trainer: {nnodes: 1}\n") == []


def test_documented_only_is_a_warning_where_the_document_holds() -> None:
    text = FACTORY + "  trainer: {save_freq: 0}\n"
    assert only(check(text, World(verl_version="0.9.1")), "out-of-documented-range").level == "warning"
