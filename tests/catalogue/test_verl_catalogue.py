"""The catalogue of verl's own keys: strict, apart from AgentSDK's, and in agreement with verl's packaged files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import (
    CatalogueError,
    load_catalogue,
    problem_text,
    read_catalogue,
    validate_value,
)
from agentic_rl_wizard.runner.catalogue.render import render_template
from agentic_rl_wizard.runner.catalogue.template import list_templates
from agentic_rl_wizard.runner.catalogue.verl_table import NEWEST, verl_table
from agentic_rl_wizard.runner.catalogue.versions import version_holds

VERSIONS = ("0.4.0", "0.4.1", "0.5.0", "0.6.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1", "main")
RECIPE_ONLY = {"rollout.n_gpus_per_node", "rollout.nnodes"}  # declared by the one-step-off-policy trainer alone
OPEN = ("reward_model.reward_kwargs.", "reward.reward_kwargs.")  # handed to the reward manager, declared by none


def chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.parametrize("family", ["agentsdk", "verl"])
def test_every_entry_speaks_both_languages(family: str) -> None:
    parameters = load_catalogue(family).parameters
    assert len(parameters) > 100
    for key, p in parameters.items():
        texts = [p.title, p.help, p.constraint, *p.notes, *p.without_effect.values(), *p.harmful.values()]
        for text in texts:
            assert text["en"].strip(), key
            assert text["zh"].strip(), key
            assert not chinese(text["en"]), key
            assert chinese(text["zh"]) or text is p.constraint or text is p.title, key
        # A title may be a term of the field (top_p); a sentence never is.
        assert chinese(p.help["zh"]), key


def test_keys_are_those_of_verl() -> None:
    for parameter in load_catalogue("verl").parameters.values():
        for spec, key in parameter.verl:
            if key in RECIPE_ONLY or key.startswith(OPEN):
                assert key not in verl_table()
                continue
            spans = verl_table()[key]
            declared = {version for version in VERSIONS if any(span.covers(version) for span in spans)}
            assert declared & {version for version in VERSIONS if version_holds(spec, version)}, (spec, key)


def test_what_agentsdk_hands_to_verl_is_described() -> None:
    native = load_catalogue("verl")
    handed = {key for p in load_catalogue().parameters.values() for _, key in p.verl}
    assert len(handed) > 60
    assert [key for key in sorted(handed) if native.resolve(key) is None] == []


@pytest.mark.parametrize(
    ("old", "new", "versions"),
    [
        (
            "actor_rollout_ref.actor.optim.warmup_style",
            "actor_rollout_ref.actor.optim.lr_scheduler_type",
            ("0.5.0", "0.6.0"),
        ),
        ("critic.model.fsdp_config.param_offload", "critic.fsdp.param_offload", ("0.7.1", "0.8.0")),
        ("reward_model.model.path", "reward.reward_model.model_path", ("0.7.0", "0.7.1")),
        ("custom_reward_function.path", "reward.custom_reward_function.path", ("0.7.0", "0.7.1")),
        (
            "actor_rollout_ref.actor.checkpoint.contents",
            "actor_rollout_ref.actor.checkpoint.save_contents",
            ("0.4.0", "0.4.1"),
        ),
        (
            "actor_rollout_ref.rollout.multi_turn.max_turns",
            "actor_rollout_ref.rollout.multi_turn.max_assistant_turns",
            ("0.4.0", "0.4.1"),
        ),
        ("ray_init.num_cpus", "ray_kwargs.ray_init.num_cpus", ("0.5.0", "0.6.0")),
    ],
)
def test_renamed_keys(old: str, new: str, versions: tuple[str, str]) -> None:
    catalogue = load_catalogue("verl")
    found = [catalogue.resolve(old), catalogue.resolve(new)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0][0] is found[1][0]
    assert found[0][0].verl_keys(versions[0]) == (old,)
    assert found[0][0].verl_keys(versions[1]) == (new,)
    assert {pair[1] for pair in found if pair} <= {None, old, new}


@pytest.mark.parametrize(
    ("key", "version", "default"),
    [
        ("actor_rollout_ref.model.use_remove_padding", "0.6.1", False),
        ("actor_rollout_ref.model.use_remove_padding", "0.7.0", True),
        ("actor_rollout_ref.rollout.mode", "0.6.1", "sync"),
        ("actor_rollout_ref.rollout.mode", "0.7.0", "async"),
        ("actor_rollout_ref.rollout.load_format", "0.5.0", "dummy_dtensor"),
        ("actor_rollout_ref.rollout.load_format", "0.6.0", "dummy"),
        ("actor_rollout_ref.rollout.max_num_seqs", "0.8.0", 1024),
        ("actor_rollout_ref.rollout.max_num_seqs", "0.9.1", 256),
        ("actor_rollout_ref.rollout.name", "0.5.0", "vllm"),
        ("actor_rollout_ref.rollout.name", "0.6.0", "???"),
        ("actor_rollout_ref.actor.use_kl_loss", "0.4.0", False),
        ("actor_rollout_ref.actor.use_kl_loss", "main", False),
        ("actor_rollout_ref.actor.optim.lr", "0.4.0", 1e-6),
        ("trainer.save_freq", "0.9.1", -1),
    ],
)
def test_defaults_by_version(key: str, version: str, default: object) -> None:
    spans = [span for span in verl_table()[key] if span.engine != "megatron" and span.covers(version)]
    assert [span.default for span in spans] == [default]


def test_the_newest_version_gives_the_default() -> None:
    parameters = load_catalogue("verl").parameters
    assert NEWEST == "0.9.1"
    assert parameters["reward_model.enable"].default.software is False  # that of reward.reward_model.enable
    assert not parameters["actor_rollout_ref.rollout.name"].default.software_known
    assert parameters["rollout.n_gpus_per_node"].default.software == 8
    assert parameters["trainer.total_training_steps"].nullable
    assert not parameters["trainer.save_freq"].nullable


@pytest.mark.parametrize(
    ("key", "value", "codes"),
    [
        ("data.train_files", ["a.parquet", "b.parquet"], []),
        ("actor_rollout_ref.model.target_modules", ["q_proj"], []),
        ("trainer.logger", "console", []),
        ("trainer.logger", 1, ["wrong-type"]),
        ("trainer.logger", ["console", "console"], []),
        ("trainer.logger", ["console", "mlflow"], []),
        ("trainer.logger", ["consol"], ["not-a-choice"]),
        ("actor_rollout_ref.rollout.max_model_len", None, []),
        ("actor_rollout_ref.rollout.max_model_len", "${data.max_prompt_length}", []),
        ("actor_rollout_ref.rollout.name", "my_engine", ["unknown-choice"]),
        ("actor_rollout_ref.rollout.name", "sglang", ["undocumented-choice"]),
        ("actor_rollout_ref.actor.policy_loss.loss_mode", "clip-cov", ["misprint-value"]),
        ("algorithm.adv_estimator", "gdpo", []),
        ("algorithm.adv_estimator", "gropo", ["unknown-choice"]),
        ("actor_rollout_ref.actor.kl_loss_type", "k3+", []),
        ("actor_rollout_ref.rollout.gpu_memory_utilization", 0, ["out-of-range"]),
        ("data.train_batch_size", 0, ["out-of-documented-range"]),
        ("data.train_batch_size", -1, ["out-of-range"]),
        ("reward_model.model.input_tokenizer", None, []),
        ("trainer.save_freq", 0, ["out-of-documented-range"]),
    ],
    ids=lambda value: str(value)[-24:],
)
def test_values(key: str, value: object, codes: list[str]) -> None:
    problems = validate_value(load_catalogue("verl").parameters[key], value)
    assert [problem.code for problem in problems] == codes
    for problem in problems:
        assert (problem.level == "error") == (
            problem.code in ("not-a-choice", "out-of-range", "misprint-value", "wrong-type")
        )


def test_words_that_nothing_reads_do_no_harm() -> None:
    parameters = load_catalogue("verl").parameters
    for key, level in (
        ("actor_rollout_ref.actor.kl_loss_type", "warning"),  # read only with use_kl_loss
        ("actor_rollout_ref.actor.policy_loss.loss_mode", "error"),  # always read
    ):
        wrong = next(iter(parameters[key].misprints))
        assert [(p.code, p.level) for p in validate_value(parameters[key], wrong)] == [("misprint-value", level)]


def test_no_default_of_verl_is_called_wrong() -> None:
    wrong: list[tuple[str, object]] = []
    for parameter in load_catalogue("verl").parameters.values():
        for _, key in parameter.verl:
            for span in verl_table().get(key, ()):
                problems = validate_value(parameter, span.default) if span.default != "???" else []
                wrong += [(key, span.default) for problem in problems if problem.level == "error"]
    assert wrong == []


def test_types_speak_of_verl() -> None:
    problem = validate_value(load_catalogue("verl").parameters["trainer.nnodes"], {"a": 1})[0]
    text = problem_text(problem, "en")
    assert "AgentSDK" not in f"{text.message} {text.because} {text.fix}"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("actor_rollout_ref.rolout.n", "actor_rollout_ref.rollout.n"),
        ("actor_rollout_ref.actor.n", "actor_rollout_ref.rollout.n"),
        ("data.train_batchsize", "data.train_batch_size"),
        ("lora_rnk", "actor_rollout_ref.model.lora_rank"),
        ("trainer.nnode", "trainer.nnodes"),
        ("actor_rollout_ref.rollout.lora_rank", "actor_rollout_ref.model.lora_rank"),
    ],
)
def test_nearest(name: str, nearest: str) -> None:
    assert load_catalogue("verl").nearest(name)[0].key == nearest


def test_agentsdk_stays_apart() -> None:
    catalogue = load_catalogue()
    native = load_catalogue("verl").parameters
    assert not set(catalogue.parameters) & set(native)
    for template in list_templates():
        text = render_template(template.name, "en", {}, False)
        assert ("actor_rollout_ref" in text) == (template.target == "ascendfactory")


def test_a_start_does_not_read_it() -> None:
    program = (
        "import sys\n"
        "from agentic_rl_wizard.runner.catalogue import data, explain, load_catalogue\n"
        "load_catalogue(); explain('lr'); explain('no-effect')\n"
        "from agentic_rl_wizard.runner.catalogue.load import _load\n"
        "sys.exit(_load.cache_info().currsize != 1)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("required_in: [lorra]", r"a.b: required_in: 'lorra' is none of grpo"),
        ("variants: [all]", r"a.b: variants: 'all' is none of grpo"),
        ("one_or_many: maybe", r"a.b: one_or_many: expected true or false"),
    ],
)
def test_slips_are_named(tmp_path: Path, field: str, message: str) -> None:
    group = "data:\n  title: {en: Data, zh: 数据}\n  help: {en: Data., zh: 数据。}\n"
    entry = f"a.b:\n  kind: str\n  title: {{en: A, zh: 甲}}\n  help: {{en: A., zh: 甲。}}\n  {field}\n"
    (tmp_path / "groups.yaml").write_text(group, encoding="utf-8")
    (tmp_path / "data.yaml").write_text(entry, encoding="utf-8")
    with pytest.raises(CatalogueError, match=message):
        read_catalogue(tmp_path, "verl")
