"""Templates: the YAML that users get. Read snapshots/templates/ like documentation.

UPDATE_SNAPSHOTS=1 rewrites the snapshots.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agentic_rl_wizard.runner.catalogue import (
    CatalogueError,
    list_templates,
    load_catalogue,
    load_template,
    render_template,
    validate_value,
)
from agentic_rl_wizard.runner.catalogue.template import read_template
from agentic_rl_wizard.runner.catalogue.wrap import width, wrap
from agentic_rl_wizard.runner.catalogue.yaml_text import yaml_text
from agentic_rl_wizard.runner.native import leaves

SNAPSHOTS = Path(__file__).parent.parent.parent / "snapshots" / "templates"
FORMS = [
    (template.name, lang, minimal)
    for template in list_templates()
    for lang in ("en", "zh")
    for minimal in (False, True)
]
# Document 000's sample for verl, with its section back where it belongs.
SAMPLE = {
    "tokenizer_name_or_path": "/path/to/model",
    "model_name": "qwen2.5-7b",
    "agent_name": "math",
    "agent_engine_wrapper_path": "/path/to/rllm_engine_wrapper.py",
    "use_stepwise_advantage": False,
    "train_backend": "verl",
    "max_model_len": 10240,
    "gpu_memory_utilization": 0.7,
    "infer_tensor_parallel_size": 4,
    "max_tokens": 1024,
    "top_k": 10,
    "num_gpus_per_node": 4,
    "max_prompt_length": 1024,
    "max_num_seqs": 8,
    "rollout_n": 1,
    "lr": 0.000005,
    "entropy_coeff": 0.01,
    "use_tensorboard": True,
    "verl": {
        "total_epochs": 1,
        "total_training_steps": 100,
        "save_freq": 100,
        "train_batch_size": 4,
        "val_batch_size": 4,
        "project_name": "default-agent",
        "experiment_name": "default-experiment",
        "train_files": "/data/gsm8k/train.parquet",
        "val_files": "/data/gsm8k/test.parquet",
    },
}


def flat(values: dict[str, Any]) -> dict[str, Any]:
    """Dotted keys as templates name them: an AscendFactory file's tree without the key above it."""
    return {key.removeprefix("backend_config."): value for key, value in leaves(values)}


@pytest.mark.parametrize(("name", "lang", "minimal"), FORMS)
def test_snapshot(name: str, lang: str, minimal: bool) -> None:
    text = render_template(name, lang, minimal=minimal)  # type: ignore[arg-type]
    path = SNAPSHOTS / f"{name}.{lang}{'.minimal' if minimal else ''}.yaml"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_no_snapshot_is_left_over() -> None:
    expected = {f"{name}.{lang}{'.minimal' if minimal else ''}.yaml" for name, lang, minimal in FORMS}
    assert {path.name for path in SNAPSHOTS.iterdir()} == expected


@pytest.mark.parametrize(("name", "lang", "minimal"), FORMS)
def test_every_loader_reads_the_same(name: str, lang: str, minimal: bool) -> None:
    text = render_template(name, lang, minimal=minimal)  # type: ignore[arg-type]
    values = yaml.safe_load(text)
    template = load_template(name)
    assert flat(values) == {
        key: value for key, value in template.values.items() if not minimal or key in template.minimal
    }
    assert YAML(typ="safe").load(io.StringIO(text)) == values
    assert YAML(typ="rt").load(io.StringIO(text)) == values


@pytest.mark.parametrize(("name", "lang", "minimal"), FORMS)
def test_omegaconf_reads_the_same(name: str, lang: str, minimal: bool) -> None:
    omegaconf = pytest.importorskip("omegaconf")
    text = render_template(name, lang, minimal=minimal)  # type: ignore[arg-type]
    assert omegaconf.OmegaConf.to_container(omegaconf.OmegaConf.create(text)) == yaml.safe_load(text)


@pytest.mark.parametrize(("name", "lang", "minimal"), FORMS)
def test_form(name: str, lang: str, minimal: bool) -> None:
    text = render_template(name, lang, minimal=minimal)  # type: ignore[arg-type]
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\n\n\n" not in text
    for line in text.splitlines():
        assert line == line.rstrip()
        assert "\t" not in line
        # One column more where punctuation hangs over; a path is not cut.
        assert width(line) <= 101 or "/" in line.split(": ")[-1], line
    directives = re.findall(r"^# agentic-rl: target=(\w+)$", text, flags=re.MULTILINE)
    template = load_template(name)
    assert directives == ([template.target] if template.directive else [])
    if directives:
        assert text.startswith("# agentic-rl: ")


@pytest.mark.parametrize("name", [template.name for template in list_templates()])
def test_minimal_is_part_of_the_full_form_and_holds_what_is_required(name: str) -> None:
    full = flat(yaml.safe_load(render_template(name)))
    minimal = flat(yaml.safe_load(render_template(name, minimal=True)))
    assert minimal.items() <= full.items()
    template = load_template(name)
    needed = {
        key
        for key, parameter in load_catalogue(template.family).parameters.items()
        if parameter.section in ("", template.backend) and parameter.required_for(template.target)
    }
    assert needed <= set(minimal)


@pytest.mark.parametrize("name", [template.name for template in list_templates()])
def test_values_are_sound_and_have_an_effect(name: str) -> None:
    template = load_template(name)
    parameters = load_catalogue(template.family).parameters
    for key, value in template.values.items():
        assert validate_value(parameters[key], value, template.backend) == [], key
        if value is None:
            continue  # says that nothing is given
        for condition in parameters[key].effective_when:
            if condition.backend in ("", template.backend):
                decisive = parameters[condition.key]
                assert template.values.get(condition.key, decisive.default.value) in condition.values, key
    # A documented default that harms must not come in by silence.
    for key, parameter in parameters.items():
        if parameter.harmful and parameter.section in ("", template.backend):
            assert key in template.values


def test_header_lines_fit_as_they_are() -> None:
    for template in list_templates():
        for text in template.header.values():
            assert all(width(line) <= 98 for line in text.splitlines()), template.name


def test_agentsdk_verl_carries_the_documents_sample() -> None:
    values = yaml.safe_load(render_template("agentsdk-verl"))
    assert flat(SAMPLE).items() <= flat(values).items()


SAMPLE_MINDSPEED = {key: value for key, value in SAMPLE.items() if key != "verl"} | {
    "train_backend": "mindspeed_rl",
    "dataset_additional_keys": ["problem", "answer"],
    "mindspeed_rl": {
        "data_path": "/path/to/data",
        "load_params_path": "/path/to/params",
        "save_params_path": "/path/to/save_params",
    },
}


def test_agentsdk_mindspeed_rl_carries_the_documents_sample() -> None:
    values = yaml.safe_load(render_template("agentsdk-mindspeed-rl"))
    assert flat(SAMPLE_MINDSPEED).items() <= flat(values).items()


def test_document_004_examples_stand_in_its_templates() -> None:
    """Each row's example value is that of some template, but for three of which the document itself warns."""
    templates = [template for template in list_templates() if template.target == "ascendfactory"]
    elsewhere = {
        "critic.model.path",  # the document repeats the policy's path
        "reward_model.model.path",  # ... and advises against it
        "actor_rollout_ref.actor.ppo_max_token_len_per_gpu",  # 2048 has no effect without dynamic batch sizes
    }
    rows = [p for p in load_catalogue("verl").parameters.values() if p.documented and p.key not in elsewhere]
    assert len(rows) == 50 - len(elsewhere)
    rows = [parameter for parameter in rows if parameter.example is not None]
    missing = [
        (parameter.key, parameter.example)
        for parameter in rows
        if not any(t.values.get(parameter.key, ...) == parameter.example for t in templates)
    ]
    assert missing == []


def test_a_variant_sets_what_the_document_asks_for() -> None:
    for template in list_templates():
        if template.target == "ascendfactory":
            wanted = {p.key for p in load_catalogue("verl").parameters.values() if template.variant in p.required_in}
            assert wanted <= template.values.keys(), template.name
            assert wanted <= template.minimal, template.name


def test_given_values_replace_add_and_unmark() -> None:
    given = {"tokenizer_name_or_path": "/models/通义 7b", "lr": 1e-7, "verl.grad_clip": 2.0, "kl_coef": 0.1}
    text = render_template("agentsdk-verl", "en", given, minimal=True)
    loaded = flat(yaml.safe_load(text))
    assert given.items() <= loaded.items()
    assert "lr: 1.0e-7\n" in text
    marked = re.findall(r"# \[SET\].*\n(?:\s*#.*\n)*\s*(\w+):", text)
    assert marked == ["agent_name", "agent_engine_wrapper_path", "train_files", "val_files"]


def test_unknown_template_and_key() -> None:
    with pytest.raises(KeyError):
        render_template("nothing")
    with pytest.raises(KeyError):
        render_template("../parameters/groups")
    with pytest.raises(KeyError):
        render_template("agentsdk-verl", values={"verl.lr": 1})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": {"optimizer": {"lrr": 1}}}, "the group optimizer has no parameter 'lrr'"),
        ({"values": {"nothing": {}}}, "there is no group 'nothing'"),
        ({"set": ["lr"]}, "set: the template has no value for 'lr'"),
        ({"target": "mars"}, "target: 'mars' is none of"),
        ({"title": {"en": "a"}}, "title: the text in 'zh' is missing"),
        ({"vaules": {}}, "unknown field 'vaules'"),
    ],
)
def test_a_slip_in_a_template_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    both = {"en": "a", "zh": "b"}
    good = {"target": "agentsdk", "backend": "verl", "title": both, "description": both, "header": both, "values": {}}
    path = tmp_path / "broken.yaml"
    path.write_text(yaml.safe_dump({**good, **change}), encoding="utf-8")
    with pytest.raises(CatalogueError, match=re.escape(message)):
        read_template(path)


ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18), 10**18),
    st.floats(allow_nan=False),
    ANY_TEXT,
    st.lists(ANY_TEXT, max_size=3),
    st.sampled_from(
        ["yes", "No", "on", "1e5", "1_000", "0o7", "2026-01-01", "1:30", "~", "null", ".inf", "=", "<<", "-"]
    ),
)


@given(ANY_VALUE)
def test_every_value_comes_back_from_every_loader(value: Any) -> None:
    text = f"key: {yaml_text(value)}\n"
    assert yaml.safe_load(text) == {"key": value}
    assert type(yaml.safe_load(text)["key"]) is type(value)
    assert YAML(typ="safe").load(text) == {"key": value}


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)), max_size=60), st.integers(10, 40))
def test_wrapping_loses_nothing(text: str, columns: int) -> None:
    assert "".join("".join(wrap(text, columns)).split()) == "".join(text.split())


def test_wrapping_counts_chinese_as_two_and_never_begins_with_punctuation() -> None:
    lines = wrap("训练数据，验证数据，以及模型。", 10)
    assert all(width(line) <= 12 for line in lines)
    assert not any(line[0] in "，。" for line in lines)
    assert wrap("one two three", 7) == ["one two", "three"]
