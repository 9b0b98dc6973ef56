"""Conversions: every key keeps its value, whatever the form can express."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.native.forms import FORMS, Form, to_form
from agentic_rl_wizard.runner.native.script import read_script
from agentic_rl_wizard.runner.native.settings import (
    Settings,
    settings_of_agentsdk,
    settings_of_script,
    settings_of_tree,
)
from agentic_rl_wizard.runner.native.verl_keys import verl_keys

SCRIPT = """python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo data.train_batch_size=128 data.train_files=/d/t.parquet \\
    actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.optim.lr=1e-6 \\
    actor_rollout_ref.actor.clip_ratio_high=0.28 actor_rollout_ref.actor.use_dynamic_bsz=False \\
    actor_rollout_ref.rollout.temperature=7 trainer.default_local_dir=${CKPT}/x \\
    +actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=4
"""


def again(text: str, form: str, version: str) -> Settings:
    if form == "verl-overrides":
        return settings_of_script(read_script(text), text)
    document = parse_document(text)
    assert document.readable, document.problems
    return settings_of_agentsdk(document, version) if form == "agentsdk" else settings_of_tree(document)


@pytest.mark.parametrize("version", ["0.5.0", "0.9.1"])
@pytest.mark.parametrize("form", FORMS)
def test_a_script_keeps_every_value(form, version):
    source = settings_of_script(read_script(SCRIPT))
    back = again(to_form(source, form, version).text, form, version)
    assert {key: back.values.get(key) for key in source.values} == source.values


def test_the_agentsdk_form_names_what_it_can_not_express():
    converted = to_form(settings_of_script(read_script(SCRIPT)), "agentsdk", "0.5.0")
    assert converted.kept["actor_rollout_ref.actor.use_dynamic_bsz"] == "launcher-sets"
    assert converted.kept["actor_rollout_ref.actor.clip_ratio_high"] == "no-parameter"
    assert "clip_ratio:" not in converted.text  # one parameter for three keys: it would change the other two
    assert converted.kept["trainer.default_local_dir"] == "no-parameter"
    assert "agent_engine_wrapper_path" in converted.missing
    assert "rollout_n: 8\n" in converted.text and "  train_batch_size: 128\n" in converted.text


def test_defaults_that_agentsdk_would_change_are_written_out():
    """verl's own default holds for a key that the source leaves out, not AgentSDK's."""
    text = to_form(settings_of_script(read_script("trainer.nnodes=1\n")), "agentsdk", "0.5.0").text
    back = settings_of_agentsdk(parse_document(text), "0.5.0")
    assert back.values["actor_rollout_ref.rollout.temperature"] == 1.0
    assert back.values["trainer.save_freq"] != 0


def test_undeclared_keys_get_a_plus_and_declared_ones_none():
    text = to_form(settings_of_script(read_script("a.b=1\ntrainer.nnodes=1\n")), "verl-overrides", "0.9.1").text
    assert " +a.b=1 " in text and " trainer.nnodes=1 " in text


@pytest.mark.parametrize("form", ["ascendfactory", "verl"])
def test_a_plus_survives_in_a_tree_where_it_is_needed(form: Form):
    """The sign says that a key is meant; a key without one stays without, so that the check can still doubt it."""
    open_key = "actor_rollout_ref.model.override_config.x"
    source = f"+mine.thing=3 ++trainer.nnodes=1 +{open_key}=0.5 other.thing=4\n"
    made = to_form(settings_of_script(read_script(source)), form, "0.9.1")
    found = again(made.text, form, "0.9.1")
    assert found.values == {"mine.thing": 3, "trainer.nnodes": 1, open_key: 0.5, "other.thing": 4}
    assert found.added == {"mine.thing"}
    assert made.noted == {"mine.thing": "undeclared", "other.thing": "unknown"}


def test_parameters_of_the_agent_survive_the_way_through_every_form():
    source = "train_backend: verl\nagent_name: math\nmax_steps: 3\nmy_own: [1, x]\nrollout_n: 2\n"
    found = settings_of_agentsdk(parse_document(source), "0.5.0")
    for form in ("ascendfactory", "verl-overrides", "verl", "agentsdk"):
        text = to_form(found, form, "0.5.0").text
        found = again(text, form, "0.5.0")
    document = parse_document(text)
    assert (document.get("agent_name"), document.get("max_steps"), document.get("my_own")) == ("math", 3, [1, "x"])
    assert document.get("rollout_n") == 2


def test_texts_that_omegaconf_reads_as_numbers_are_numbers():
    found = settings_of_tree(
        parse_document("actor_rollout_ref: {actor: {optim: {lr: 1e-6}}}\ntrainer: {project_name: '1e-6'}\n")
    )
    assert found.values == {"actor_rollout_ref.actor.optim.lr": 1e-6, "trainer.project_name": "1e-6"}


def test_the_output_directory_of_ascendfactory_comes_back():
    found = settings_of_tree(parse_document("af_output_dir: /o\nbackend_config: {trainer: {nnodes: 2}}\n"))
    script = to_form(found, "verl-overrides", "0.9.1").text
    assert to_form(again(script, "verl-overrides", "0.9.1"), "ascendfactory", "0.9.1").text.startswith(
        "af_output_dir: /o\n"
    )


KEYS = sorted(key for key, default in verl_keys("0.9.1").items() if not default.startswith(("{", "'${")))
values = (
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="$\x00\r\n"), max_size=8)
    | st.lists(st.integers(0, 9) | st.sampled_from(["console", "a b", "yes", "1e-6", ""]), max_size=3)
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), values, min_size=1, max_size=8), st.sampled_from(FORMS))
def test_any_values_survive(found, form):
    back = again(to_form(Settings(dict(found)), form, "0.9.1").text, form, "0.9.1")
    kept = {key: back.values.get(key, "absent") for key in found}
    assert kept == found
    if form != "agentsdk":  # whose parameters of kind float make 0.0 of 0
        assert {k: type(v) for k, v in kept.items()} == {k: type(v) for k, v in found.items()}


EXAMPLES = Path(__file__).parents[2].parent / "shared" / "cases" / "scripts"


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="no scripts of other people at hand")
def test_other_peoples_scripts_keep_every_value():
    for path in sorted(EXAMPLES.glob("**/*.sh")):
        source = settings_of_script(read_script(path.read_text(encoding="utf-8")))
        for form in FORMS:
            back = again(to_form(source, form, "0.9.1").text, form, "0.9.1")
            assert {key: back.values.get(key) for key in source.values} == source.values, (path.name, form)
