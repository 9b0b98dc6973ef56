"""Files of other projects: an edit changes one line, and every loader reads what was meant.

verl's own packaged configurations where verl is installed; files that people published where they lie beside this
checkout; and, always, texts of our own in their shapes.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.document import add_key, interpolates, move_key, parse_document, remove_key, set_value
from agentic_rl_wizard.runner.document.changes import with_value
from agentic_rl_wizard.runner.document.place import value_path
from agentic_rl_wizard.runner.document.text import same

from .files import scalars
from .loads import at, every_reading, examples, other_lines

MINDSPEED = """\
# Settings in the manner of MindSpeed-RL: three groups, a list of strings, dashes in column 0.
defaults:
- model: qwen25_7b

megatron_training:
  model: qwen25-7b   # see configs/model
  global_batch_size: 64
  seq_length: 4096
  lr: 1e-6
  lr_warmup_fraction: 0.0
  split: 100,0,0
  data_path: ./data/orz
  no_shuffle: False
  use_distributed_optimizer: True
  variable_seq_lengths: true

actor_config:
    micro_batch_size: 1
    tensor_model_parallel_size: 4
    lr: 5.0e-7
    load: ./ckpt
    save: ./ckpt

rl_config:
  guarantee_order: false
  kl_ctrl_type: fixed
  rule_reward: true
  verifier_function: ["acc", 'strict_format',  "math_acc"]
  verifier_weight: [
    1.0,  # accuracy
    1.0,  # format
  ]
  num_npus_for_blocking: null

  actor_resource: {num_npus: 8}
generate_config:
  trust_remote_code: true
  sampling_config:
    logprobs: 1
    top_p: 0.9
    stop:
      - "</answer>"
      - '\\n'
"""
FLAT = """\
# Overrides in the manner of a launch script: one dotted key a line.
actor_rollout_ref.model.path: /models/qwen
actor_rollout_ref.rollout.n: 4   # responses
actor_rollout_ref.rollout.tensor_model_parallel_size: 2
actor_rollout_ref:
  actor:
    optim.lr: 1.0e-6
    ppo_mini_batch_size: 64
trainer.logger: ['console', "tensorboard"]
trainer.nnodes: 1
"""
LONG = "".join(
    f"section{i}:\r\n  # about it\r\n" + "".join(f"  key{j}: {i * j}  # c\r\n" for j in range(8)) for i in range(200)
)


def _found() -> dict[str, str]:
    texts = {"mindspeed": MINDSPEED, "flat": FLAT, "long": LONG}
    verl = importlib.util.find_spec("verl")
    if verl is not None and verl.origin:
        folder = Path(verl.origin).parent / "trainer" / "config"
        for name in ("ppo_trainer.yaml", "_generated_ppo_trainer.yaml"):
            if (folder / name).is_file():
                texts[name] = (folder / name).read_text(encoding="utf-8")
    beside = next((p for p in Path(__file__).resolve().parents if (p / "shared/cases/real_configs").is_dir()), None)
    if beside is not None:
        files = sorted((beside / "shared/cases/real_configs").glob("*.y*ml"))
        texts.update({file.name[:24]: file.read_bytes().decode() for file in files})
    return texts


TEXTS = _found()
READABLE = [name for name, text in TEXTS.items() if parse_document(text).readable]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize("name", READABLE)
@settings(max_examples=examples(12), deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_one_edit_one_line(name: str, data: st.DataObject) -> None:
    text = TEXTS[name]
    document = parse_document(text)
    single = [k for k, p in document.places.items() if p.kind == "scalar" and p.style in ("plain", "quoted")]
    single = [k for k in single if "\n" not in text[document.places[k].key_start : document.places[k].value_end]]
    key = data.draw(st.sampled_from(single))
    value: Any = data.draw(scalars)
    path = value_path(document.values, key)
    assert path is not None
    after = set_value(text, key, value)
    assert other_lines(text, after) == ((0, 0) if same(at(document.values, path), value) else (1, 1))
    wanted = with_value(document.values, path, value)
    assert same(parse_document(after).values, wanted)
    if name in ("long", "_generated_ppo_trainer.yaml"):  # ruamel.yaml takes a second for these
        from omegaconf import OmegaConf

        if not interpolates(value):
            assert same(at(OmegaConf.to_container(OmegaConf.create(after), resolve=False), path), value)
        return
    for loader, found in every_reading(after, not interpolates(value)):
        assert same(at(found, path), value), loader


@pytest.mark.parametrize("name", READABLE)
def test_a_value_that_stands_there_leaves_every_byte(name: str) -> None:
    text = TEXTS[name]
    document = parse_document(text)
    for key in list(document.places)[:300]:
        path = value_path(document.values, key)
        if path is not None:
            assert set_value(text, key, at(document.values, path)) == text, key


@pytest.mark.parametrize("name", READABLE)
def test_a_key_comes_goes_and_moves(name: str) -> None:
    text = TEXTS[name]
    sections = [k for k, p in parse_document(text).places.items() if p.kind == "mapping" and "[" not in k][:12]
    for section in sections:
        after = add_key(text, f"{section}.brand_new", 0.5, comment=["Why it is here."])
        old, new = other_lines(text, after)
        assert old <= 1
        assert new - old <= 3
        assert same(parse_document(remove_key(after, f"{section}.brand_new")).values, parse_document(text).values)
        moved = move_key(after, f"{section}.brand_new", "elsewhere.brand_new")
        assert parse_document(moved).get("elsewhere.brand_new") == 0.5
        assert parse_document(moved).get(f"{section}.brand_new") is None


def test_flat_dotted_keys_take_every_edit() -> None:
    assert other_lines(FLAT, set_value(FLAT, "actor_rollout_ref.rollout.n", 8)) == (1, 1)
    assert "    optim.lr: 2.0e-6\n" in set_value(FLAT, "actor_rollout_ref.actor.optim.lr", 2e-6)
    added = add_key(FLAT, "actor_rollout_ref.rollout.temperature", 0.7)
    assert "tensor_model_parallel_size: 2\nactor_rollout_ref.rollout.temperature: 0.7\n" in added
    nested = add_key(FLAT, "actor_rollout_ref.actor.ppo_epochs", 1)
    assert "    ppo_mini_batch_size: 64\n    ppo_epochs: 1\n" in nested
    assert "trainer.logger: ['console', \"swanlab\"]" in set_value(FLAT, "trainer.logger[1]", "swanlab")
    assert parse_document(move_key(FLAT, "trainer.nnodes", "verl.nnodes")).get("verl.nnodes") == 1
    assert "nnodes" not in remove_key(FLAT, "trainer.nnodes")


def test_a_long_file_keeps_its_line_ends() -> None:
    after = set_value(LONG, "section150.key3", "x # y")
    assert after.count("\r\n") == LONG.count("\r\n") == after.count("\n")
    assert '  key3: "x # y"  # c\r\n' in after
