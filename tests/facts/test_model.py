"""What a model directory tells, and what odd ones don't."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.facts import ModelFacts, model_facts
from agentic_rl_wizard.runner.facts.model_files import CONFIG_LIMIT, look_at_model

DENSE = {
    "architectures": ["Qwen2ForCausalLM"],
    "model_type": "qwen2",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "vocab_size": 500,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": True,
    "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024},
    "torch_dtype": "bfloat16",
    "sliding_window": 1024,
    "use_sliding_window": False,
}


def directory(tmp_path: Path, config: Any, **files: Any) -> Path:
    (tmp_path / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path


def test_a_dense_model(tmp_path: Path) -> None:
    found = look_at_model(directory(tmp_path, DENSE))
    assert found is not None
    assert (found.num_attention_heads, found.num_key_value_heads, found.hidden_size) == (4, 2, 64)
    assert (found.max_position_embeddings, found.rope_scaling_factor) == (4096, 4.0)
    assert (found.model_type, found.torch_dtype, found.tie_word_embeddings) == ("qwen2", "bfloat16", True)
    assert (found.sliding_window, found.num_experts, found.vision) == (None, None, False)
    assert found.source == "config.json"


def test_the_text_part_of_a_multimodal_model() -> None:
    config = {
        "model_type": "qwen2_5_vl",
        "tie_word_embeddings": False,
        "text_config": {"model_type": "qwen2_5_vl_text", "num_attention_heads": 28, "vocab_size": 9},
        "vision_config": {"num_heads": 16, "hidden_size": 1280},
    }
    found = model_facts(config)
    assert (found.num_attention_heads, found.vocab_size, found.hidden_size) == (28, 9, None)
    assert (found.model_type, found.vision, found.tie_word_embeddings) == ("qwen2_5_vl", True, False)


def test_names_of_other_architectures() -> None:
    found = model_facts({"n_head": 12, "n_layer": 6, "n_embd": 768, "n_routed_experts": 64, "n_shared_experts": 2})
    assert (found.num_attention_heads, found.num_hidden_layers, found.hidden_size) == (12, 6, 768)
    assert (found.num_experts, found.num_shared_experts) == (64, 2)


@pytest.mark.parametrize("value", ["28", 28.0, True, None, -1, [28], {"a": 1}, 10**40, float("nan")], ids=repr)
def test_odd_types_are_unknown(value: Any) -> None:
    found = model_facts({"num_attention_heads": value, "rope_scaling": value, "model_type": value})
    assert found.num_attention_heads is None
    assert found.rope_scaling_factor is None
    assert model_facts({"rope_scaling": {"factor": value}}).rope_scaling_factor in (None, 28.0)


@pytest.mark.parametrize(
    "config",
    ["", "{", "[1]", "null", "[" * 100_000, '{"a": ' * 50_000],
    ids=["empty", "half", "list", "null", "deep", "d"],
)
def test_what_is_no_configuration(tmp_path: Path, config: str) -> None:
    assert look_at_model(directory(tmp_path, config)) is None


def test_only_regular_files_of_a_sane_size_are_read(tmp_path: Path) -> None:
    assert look_at_model(tmp_path / "absent") is None
    assert look_at_model(f"{tmp_path}/a\0b") is None
    os.mkfifo(tmp_path / "config.json")
    assert look_at_model(tmp_path) is None  # and does not wait for a writer
    (tmp_path / "config.json").unlink()
    with (tmp_path / "config.json").open("wb") as stream:
        stream.truncate(CONFIG_LIMIT + 1)
    assert look_at_model(tmp_path) is None


def test_nothing_is_executed(tmp_path: Path) -> None:
    config = {**DENSE, "auto_map": {"AutoConfig": "configuration_evil.EvilConfig"}}
    (tmp_path / "configuration_evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert look_at_model(directory(tmp_path, config)) is not None
    assert not (tmp_path / "ran").exists()


def test_the_chat_template(tmp_path: Path) -> None:
    def found() -> bool | None:
        facts = look_at_model(tmp_path)
        assert facts is not None
        return facts.chat_template

    directory(tmp_path, DENSE)
    assert found() is None  # no tokenizer here: unknown
    directory(tmp_path, DENSE, tokenizer_config={"eos_token": "x"})
    assert found() is False
    directory(tmp_path, DENSE, tokenizer_config={"chat_template": "{{ messages }}"})
    assert found() is True
    directory(tmp_path, DENSE, tokenizer_config={"chat_template": [{"name": "default", "template": "x"}]})
    assert found() is True
    directory(tmp_path, DENSE, tokenizer_config={})
    (tmp_path / "chat_template.jinja").write_text("x")
    assert found() is True


def test_nothing_known_is_no_number() -> None:
    assert model_facts({}) == ModelFacts()
