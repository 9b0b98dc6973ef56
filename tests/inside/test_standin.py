"""The model that stands in at a rehearsal: of the same family, tiny, with the tokenizer that lies at hand."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")

from agentic_rl_inside import standin, tiny_model

QWEN2 = {"model_type": "qwen2", "num_attention_heads": 28, "num_key_value_heads": 4, "max_position_embeddings": 32768}


def made(tmp_path: Path, **request: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The manifest and the config.json of a stand-in."""
    found = standin.prepare({"out": str(tmp_path / "out"), "settings": {"v": 1}, **request})
    return found, json.loads((tmp_path / "out" / "model" / "config.json").read_text())


@pytest.mark.parametrize(
    ("facts", "architecture", "heads"),
    [
        (QWEN2, "Qwen2ForCausalLM", (7, 1)),
        ({"model_type": "qwen3", "num_attention_heads": 32, "num_key_value_heads": 8}, "Qwen3ForCausalLM", (8, 2)),
        ({"model_type": "llama", "num_attention_heads": 32, "num_key_value_heads": 32}, "LlamaForCausalLM", (4, 4)),
        (
            {"model_type": "qwen3_moe", "num_attention_heads": 32, "num_key_value_heads": 4, "num_experts": 128},
            "Qwen3MoeForCausalLM",
            (8, 1),
        ),
    ],
    ids=["qwen2", "qwen3", "llama", "experts"],
)
def test_the_family_stays(tmp_path, facts, architecture, heads):
    manifest, config = made(tmp_path, facts=facts)
    assert manifest["architecture"] == architecture and manifest["without_family"] == ""
    assert (config["num_attention_heads"], config["num_key_value_heads"]) == heads
    assert 50_000 < manifest["parameters"] < 1_000_000
    if "num_experts" in facts:
        experts = config.get("num_experts") or config["num_local_experts"]  # as this Transformers calls it
        assert 1 <= config["num_experts_per_tok"] < experts <= 8


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
def test_tied_embeddings_and_context_stay(tmp_path, tied):
    _, config = made(tmp_path, facts={**QWEN2, "tie_word_embeddings": tied})
    assert config["tie_word_embeddings"] is tied
    assert config["max_position_embeddings"] == 32768


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"model_type": "of_nobody"}, "of_nobody"),
        ({}, "nothing is known"),
        ({"model_type": "qwen2_5_vl"}, "senses beside text"),
    ],
    ids=["unknown", "nothing", "vision"],
)
def test_what_cannot_be_built_has_the_shape_of_qwen2_and_says_so(tmp_path, facts, why):
    manifest, config = made(tmp_path, facts={**facts, "num_attention_heads": 12, "num_key_value_heads": 2})
    assert why in manifest["without_family"]
    assert config["model_type"] == "qwen2"
    assert config["num_attention_heads"] == 6 * config["num_key_value_heads"]


def test_code_beside_a_model_is_never_run(tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    mapped = {"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"}
    (theirs / "config.json").write_text(json.dumps({"model_type": "evil", "auto_map": mapped}))
    (theirs / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    manifest, config = made(tmp_path, model=str(theirs), tokenizer=str(theirs), facts={})
    assert config["model_type"] == "qwen2" and manifest["without_family"] and not manifest["own_tokenizer"]
    assert not (tmp_path / "ran").exists()


def test_the_models_own_tokenizer_and_config_are_used(tmp_path):
    own = tiny_model.build_tokenizer()
    own.add_tokens([f"word{i}" for i in range(200)])
    own.chat_template = "{{ messages[0]['content'] }}!"
    own.save_pretrained(tmp_path / "m")
    config = {"model_type": "qwen3", "num_attention_heads": 16, "num_key_value_heads": 8, "vocab_size": 999,
              "hidden_size": 1024, "num_hidden_layers": 28, "tie_word_embeddings": True, "head_dim": 128}  # fmt: skip
    (tmp_path / "m" / "config.json").write_text(json.dumps(config))
    manifest, made_config = made(tmp_path, model=str(tmp_path / "m"), tokenizer=str(tmp_path / "m"))
    assert manifest["own_tokenizer"] and manifest["model_type"] == "qwen3"
    assert made_config["vocab_size"] == manifest["vocabulary"] == len(own)
    from transformers import AutoTokenizer

    for place in ("tokenizer", "model"):
        found: Any = AutoTokenizer.from_pretrained(tmp_path / "out" / place)
        assert found.chat_template == own.chat_template
        assert found.encode("word7 and 1") == own.encode("word7 and 1")


def test_any_conversation_can_be_written_a_token_a_byte(tmp_path):
    manifest, _ = made(tmp_path, facts=QWEN2, tokenizer=str(tmp_path / "nowhere"))
    assert manifest["without_tokenizer"] == "not on this machine"
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(tmp_path / "out" / "tokenizer")
    call = {"function": {"name": "f", "arguments": {"x": 1}}, "type": "function"}
    messages = [
        {"role": "system", "content": "你是助手 🙂"},
        {"role": "user", "content": [{"type": "text", "text": "a\tb"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "é"},
    ]
    schema = {"type": "function", "function": {"name": "f"}}
    text = tokenizer.apply_chat_template(messages, tools=[schema], add_generation_prompt=True, tokenize=False)
    assert all(part in text for part in ("你是助手 🙂", "a\tb", '"name": "f"', "é"))
    assert text.endswith("<|im_start|>assistant\n")
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_it_appears_whole_with_the_modes_of_agentsdk_and_is_made_once(tmp_path):
    made(tmp_path, facts=QWEN2)
    out = tmp_path / "out"
    for path in (out, *out.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o750 if path.is_dir() else 0o640)
    before = (out / "model" / "model.safetensors").stat().st_mtime_ns
    made(tmp_path, facts=QWEN2)
    assert (out / "model" / "model.safetensors").stat().st_mtime_ns == before
    made(tmp_path, facts={"model_type": "llama"}, settings={"v": 2})
    assert json.loads((out / "model" / "config.json").read_text())["model_type"] == "llama"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
