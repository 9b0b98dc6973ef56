"""`agentic-rl fix` on files that hold a back end's own keys: trees, flat keys, AscendFactory, MindSpeed-RL."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main

NESTED = b"""\
# mine
trainer:
  nnodes: 1   # one
  n_gpus_per_nod: 8
actor_rollout_ref:
  rollout:
    mult_turn: {enable: false}
    tensor_model_paralel_size: 2   # tp
  actor:
    checkpoint:
      contents: [model]
    optim:
      lr: '1e-6'   # peak
    ppo_mini_batch_size: "8"
    use_dynamic_bsz: "true"
    policy_loss: {loss_mode: clip-cov}
data:
  shuffle: true
  total_epochs: 3
"""
NESTED_FIXED = b"""\
# mine
trainer:
  nnodes: 1   # one
  n_gpus_per_node: 8
  total_epochs: 3
actor_rollout_ref:
  rollout:
    multi_turn: {enable: false}
    tensor_model_parallel_size: 2   # tp
  actor:
    checkpoint:
      save_contents: [model]
    optim:
      lr: 1.0e-6   # peak
    ppo_mini_batch_size: 8
    use_dynamic_bsz: true
    policy_loss: {loss_mode: clip_cov}
data:
  shuffle: true
"""
FLAT = b"""\
trainer.n_gpus_per_nod: 8 # eight
critic.model.fsdp_config.param_offload: true
+trainer.total_epochs: 3
data.train_batch_size: '64'
"""
FLAT_FIXED = b"""\
trainer.n_gpus_per_node: 8 # eight
critic.fsdp.param_offload: true
trainer.total_epochs: 3
data.train_batch_size: 64
"""
MINDSPEED = b"""\
megatron_training:
  global-batch-size: 8   # as it was
  seq_lenth: 4096
  micro_batch_size: "1"
rl_config:
  actor_resource: {num_npus: 8}
generat_config:
  dtype: bfloat16
"""
MINDSPEED_FIXED = (
    MINDSPEED.replace(b"seq_lenth", b"seq_length").replace(b'"1"', b"1").replace(b"generat_", b"generate_")
)


def factory(text: bytes) -> bytes:
    """The text as AscendFactory has it, below ``backend_config``."""
    return b"af_output_dir: /out\nbackend_config:\n" + b"".join(b"  " + line for line in text.splitlines(keepends=True))


CASES = {
    "nested": (NESTED, NESTED_FIXED),
    "crlf": (NESTED.replace(b"\n", b"\r\n"), NESTED_FIXED.replace(b"\n", b"\r\n")),
    "flat": (FLAT, FLAT_FIXED),
    "factory": (factory(NESTED), factory(NESTED_FIXED)),
    "mindspeed": (MINDSPEED, MINDSPEED_FIXED),
}


def fix(*arguments: object) -> int:
    return main(["fix", "--lang", "en", "--no-paths", *map(str, arguments)])


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    return tmp_path / "c.yaml"


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_fixed_to_the_byte(before: bytes, after: bytes, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_bytes(before)
    assert fix(config) == 1
    shown = capsys.readouterr().out
    assert config.read_bytes() == before  # only shown
    gone = set(before.decode().splitlines()) - set(after.decode().splitlines())
    assert all(f"\n-{line}\n" in shown for line in gone)
    assert fix(config, "--yes") == 0
    assert config.read_bytes() == after
    assert fix(config) == 0
    assert "nothing to fix" in capsys.readouterr().out


@pytest.mark.parametrize("after", [after for _, after in CASES.values()], ids=CASES)
def test_what_is_right_is_left_alone(after: bytes, config: Path) -> None:
    config.write_bytes(after)
    assert fix(config, "--yes") == 0
    assert config.read_bytes() == after


@pytest.mark.parametrize(
    "text",
    [
        b"defaults: [ppo_trainer, _self_]\ntrainer: {nnodes: 1, nnode: 2}\n",  # may hold keys of its own
        b"trainer: {nnodes: 1, n_gpus_per_node: 8}\n+mine.n_gpus_per_nod: 8\n",
        b"trainer: {nnodes: 1}\nactor_rollout_ref: {actor: {loss_agg_mode: mine}}\n",  # no one right answer
        b"trainer: {nnodes: 1, nnode: 2}\n",  # both names
        b"trainer: {nnodes: 1}\nreward_model:\n  rollout: {calculate_log_probs: true}\n",  # another role's
    ],
    ids=["composed", "plus", "word", "both", "role"],
)
def test_what_is_a_choice_is_left_alone(text: bytes, config: Path) -> None:
    config.write_bytes(text)
    assert fix(config, "--yes") == 0
    assert config.read_bytes() == text


def test_the_version_decides_about_names(config: Path) -> None:
    old = b"critic:\n  model:\n    path: /c\n    fsdp_config: {param_offload: true}\n"
    config.write_bytes(old)
    assert fix(config, "--yes", "--verl-version", "0.7.1") == 0
    assert config.read_bytes() == old
    assert fix(config, "--yes", "--verl-version", "0.9.1") == 0
    assert b"fsdp" in config.read_bytes()
    assert config.read_bytes() != old
