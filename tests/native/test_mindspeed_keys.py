"""MindSpeed-RL's keys by version, its presets, and which version stands for another."""

from __future__ import annotations

import pytest

from agentic_rl_wizard.runner.native import (
    MINDSPEED_VERSIONS,
    agentsdk_mindspeed_constants,
    known_mindspeed,
    mindspeed_default,
    mindspeed_keys,
    mindspeed_preset,
    mindspeed_table,
    versions_knowing,
)


@pytest.mark.parametrize(
    ("version", "known"),
    [
        ("", "2.3.0"),
        ("2.3.0/master", "2.3.0"),
        ("v2.2", "2.2.0"),
        ("2.2.5", "2.2.0"),
        ("1.0", "2.0.0"),
        ("main", "master"),
    ],
)
def test_known_version(version: str, known: str) -> None:
    assert known_mindspeed(version) == known


def test_keys_move_between_versions() -> None:
    assert versions_knowing("megatron_training.variable_seq_lengths") == ["2.0.0", "2.1.0", "2.2.0", "master"]
    assert versions_knowing("actor_config.no_pad_to_seq_lengths") == ["2.3.0", "master"]
    assert versions_knowing("rl_config.share_backbone") == ["master"]
    assert versions_knowing("rl_config.nonsense") == versions_knowing("trainer.nnodes") == []
    assert len(mindspeed_keys("2.0.0")) < len(mindspeed_keys("2.3.0")) < len(mindspeed_keys("master"))


def test_defaults_are_values() -> None:
    for version in MINDSPEED_VERSIONS:
        for table, name in mindspeed_keys(version):
            prefix = {"megatron": "actor_config", "rl": "rl_config", "generate": "generate_config"}.get(table)
            if prefix:
                mindspeed_default(f"{prefix}.{name}", version)
    assert mindspeed_default("actor_config.bf16", "2.0.0") is False
    assert mindspeed_default("megatron_training.bf16", "2.3.0") is True
    assert mindspeed_default("generate_config.sampling_config.max_tokens", "2.3.0") == 128
    with pytest.raises(KeyError):
        mindspeed_default("megatron_training.reset_attention_mask", "2.1.0")


def test_constants_of_agentsdk_are_keys_of_its_mindspeed() -> None:
    for key, _ in agentsdk_mindspeed_constants():
        assert mindspeed_table(key) in mindspeed_keys("2.2.0"), key


def test_presets() -> None:
    assert mindspeed_preset("qwen25_7b") == mindspeed_preset("qwen2.5-7b")
    moe = mindspeed_preset("qwen3_30b_a3b")
    assert (moe["num_layers"], moe["num_query_groups"], moe["num_experts"]) == (48, 4, 128)
    assert mindspeed_preset("deepseekv3_671b")["group_query_attention"] is False
    assert mindspeed_preset("nobody") == {}
