"""`explain` knows verl's own keys, those of AscendFactory files, relations, and what becomes of each key."""

from __future__ import annotations

import pytest

from agentic_rl_wizard.runner.catalogue import explain, load_catalogue
from agentic_rl_wizard.runner.catalogue.explain import render_plain
from agentic_rl_wizard.runner.catalogue.texts import problem_catalogue
from agentic_rl_wizard.runner.catalogue.verl_table import verl_table


def sections(asked: str, lang: str = "en") -> dict[str, tuple[str, ...]]:
    return {section.id: section.lines for section in explain(asked, lang).sections}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "subject", "key"),
    [
        ("actor_rollout_ref.rollout.n", "parameter", "actor_rollout_ref.rollout.n"),
        ("rollout.n", "parameter", "actor_rollout_ref.rollout.n"),
        ("backend_config.data.train_batch_size", "parameter", "data.train_batch_size"),
        ("af_output_dir", "parameter", "af_output_dir"),
        (
            "engine_kwargs.vllm.disable_mm_preprocessor_cache",
            "parameter",
            "actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache",
        ),
        ("lora_rank", "parameter", "actor_rollout_ref.model.lora_rank"),
        ("actor_rollout_ref.actor.optim.warmup_style", "parameter", "actor_rollout_ref.actor.optim.lr_scheduler_type"),
        ("reward.reward_model.model_path", "parameter", "reward_model.model.path"),
        ("trainer.v1.sampler.max_off_policy_strategy", "verl-key", "trainer.v1.sampler.max_off_policy_strategy"),
        ("backend_config.trainer.v1.sync", "verl-key", "trainer.v1.sync"),
        ("train_batch_size", "parameter", "verl.train_batch_size"),
        ("lr", "parameter", "lr"),
    ],
    ids=lambda value: str(value)[-24:],
)
def test_found(asked: str, subject: str, key: str) -> None:
    explanation = explain(asked)
    assert (explanation.subject, explanation.key) == (subject, key)


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("backend_config.data.trian_batch_size", "backend_config.data.train_batch_size"),
        ("actor_rollout_ref.rolout.n", "actor_rollout_ref.rollout.n"),
        ("trainer.v1.sampler.max_off_policy_stratgy", "trainer.v1.sampler.max_off_policy_strategy"),
        ("backend_config.nothing_like_it.at_all", None),
    ],
)
def test_mistyped(asked: str, nearest: str | None) -> None:
    explanation = explain(asked)
    assert not explanation.found
    assert (explanation.nearest[0] if explanation.nearest else None) == nearest


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("backend_config", "critic: "),
        ("backend_config.data", "data.train_files - Training data"),
        ("actor_rollout_ref.rollout.agent", "actor_rollout_ref.rollout.agent.num_workers - Agent processes"),
        ("mindspeed_rl", "seq_length - "),
    ],
)
def test_sections(asked: str, line: str) -> None:
    explanation = explain(asked)
    assert (explanation.subject, explanation.key) == ("block", asked)
    assert any(one.startswith(line) for one in explanation.sections[0].lines)


@pytest.mark.parametrize("asked", ["", " ", "\0", ".", "a" * 10_000, "a." * 10_000, "backend_config.", "[red]x[/]"])
def test_nonsense_is_unknown(asked: str) -> None:
    explanation = explain(asked)
    assert not explanation.found
    assert explanation.nearest == ()


def test_a_key_of_verl_says_everything() -> None:
    found = sections("backend_config.actor_rollout_ref.actor.use_kl_loss")
    assert found["asked"][0].startswith("a key of an AscendFactory file")
    assert found["default"] == ("software: false", "documents: true")
    assert found["in-verl"] == ("0.4.0 and later: default false",)
    assert found["file"] == ("AscendFactory: backend_config.actor_rollout_ref.actor.use_kl_loss",)
    assert found["agentsdk"] == ("verl.use_kl_loss",)
    assert any(line.startswith("two-kl-terms") for line in found["relations"])
    assert found["source"] == ("004, row 22",)
    assert sections("actor_rollout_ref.rollout.n")["mindspeed_rl"] == ("n_samples_per_prompt",)
    assert sections("critic.model.path")["variants"] == ("must be set for PPO (document 004)",)
    assert sections("data.val_files")["variants"] == ("must be set in every file (document 004)",)
    assert sections("af_output_dir")["file"] == ("AscendFactory: af_output_dir",)
    assert sections("af_output_dir")["in-verl"] == ("no key of verl",)
    assert sections("rollout.n_gpus_per_node")["in-verl"] == ("declared by no version of main_ppo",)
    assert sections("trainer.val_only")["source"] == ("verl only; the documents do not mention it",)


def test_versions_and_moves() -> None:
    lines = sections("actor_rollout_ref.model.use_remove_padding")["in-verl"]
    assert lines[:2] == ("0.4.0 to 0.6.1, FSDP: default false", "0.7.0 and later, FSDP: default true")
    moved = sections("reward_model.model.path")["in-verl"]
    assert moved[0].startswith("reward_model.model.path: 0.4.0 to 0.7.0: default ")
    assert moved[1:] == ("reward.reward_model.model_path: 0.7.1 and later: default null",)
    gone = sections("actor_rollout_ref.rollout.multi_turn.completion_callback")["in-verl"]
    assert gone == ("0.4.1 to 0.5.0: default null", "not declared by 0.9.1")
    assert sections("actor_rollout_ref.rollout.name")["in-verl"][-1] == "0.6.0 and later: default none, must be set"


def relations(asked: str) -> set[str]:
    return {line.partition(":")[0].partition(" (")[0] for line in sections(asked).get("relations", ())}


def test_relations() -> None:
    assert (
        "batch-not-divisible (verl <0.6): train_batch_size * n % (n_gpus_per_node * nnodes) == 0"
        in sections("rollout_n")["relations"]
    )
    # A relation of MindSpeed-RL is none of verl's keys, though one AgentSDK parameter becomes both.
    assert {"batch-not-divisible", "micro-batch-not-divisible"} <= relations("rollout_n")
    assert "batch-not-divisible" in relations("actor_rollout_ref.rollout.n")
    assert "micro-batch-not-divisible" not in relations("actor_rollout_ref.rollout.n")
    # Nor is what only agentic_rl's wrapper asks for.
    assert "wrapper-response-length" in relations("max_model_len")
    assert "wrapper-response-length" not in relations("actor_rollout_ref.rollout.max_model_len")
    assert relations("lr") == set()


def test_what_a_back_end_does_not_know_is_said() -> None:
    assert sections("agent_name")["verl"] == ("no key of verl",)
    assert sections("use_stepwise_advantage")["dead"][0].startswith("agentic_rl with verl: ")
    assert "verl" not in sections("mindspeed_rl.seq_length")
    assert sections("verl.test_freq")["dead"][0].startswith("agentic_rl with verl: ")


def test_relations_name_keys_that_exist() -> None:
    native, agentsdk = load_catalogue("verl"), load_catalogue()
    blocks = ("megatron_training", "actor_config", "rl_config", "generate_config", "ref_config", "reward_config")
    unknown = [
        (entry.code, key)
        for entry in problem_catalogue().values()
        for key in entry.keys
        if agentsdk.resolve(key) is None
        and native.resolve(key) is None
        and key not in verl_table()
        and not any(one.startswith(key + ".") for one in verl_table())
        and key.partition(".")[0] not in blocks
    ]
    assert unknown == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_everything_can_be_explained(lang: str) -> None:
    for key in load_catalogue("verl").parameters:
        explanation = explain(key, lang)  # type: ignore[arg-type]
        assert explanation.key == key
        text = render_plain(explanation, lang)  # type: ignore[arg-type]
        assert "{0}" not in text
        assert key in text
    for key in list(verl_table())[::7]:
        assert explain(key, lang).found  # type: ignore[arg-type]
