"""What AgentSDK's strict validator makes of PyYAML's values, as levels, codes and the value to write instead."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.catalogue import Parameter, Problem, load_catalogue, problem_text, validate_value
from agentic_rl_wizard.runner.catalogue.schema import broken_rules, document_schema, make_validator
from agentic_rl_wizard.runner.catalogue.show import printable

# YAML text of a value -> what is wrong with it ("" when nothing), and the value offered instead (... when none).
Case = tuple[str, str, str, Any]
CASES: list[Case] = [
    # float
    ("lr", "1e-6", "error wrong-type exponent", 1e-6),
    ("lr", "5e-7", "error wrong-type exponent", 5e-7),
    ("lr", "1e6", "error wrong-type exponent", 1e6),
    ("lr", "1.0e-6", "", ...),
    ("lr", "1.e-6", "", ...),
    ("lr", "0.000001", "", ...),
    ("lr", "1", "", ...),
    ("lr", "true", "error wrong-type boolean-word", ...),
    ("lr", "yes", "error wrong-type boolean-word", ...),
    ("lr", "'1.0'", "error wrong-type quoted-number", 1.0),
    ("lr", ".nan", "error not-finite", ...),
    ("lr", ".inf", "error not-finite", ...),
    ("clip_ratio", ".nan", "error not-finite", ...),
    ("lr", "0", "error out-of-range", ...),
    ("lr", "'-1.0'", "error wrong-type quoted-number", ...),  # what was meant would be refused as well
    ("lr", "", "error null-value", None),
    ("lr", "~", "error null-value", None),
    ("lr", "[1.0]", "error wrong-type list-for-scalar", ...),
    ("lr", "{a: 1}", "error wrong-type", ...),
    ("lr", "0x" + "f" * 400, "error not-finite", ...),
    # int
    ("max_steps", "4", "", ...),
    ("max_steps", "4.0", "error wrong-type decimal-for-integer", 4),
    ("max_steps", "4.5", "error wrong-type decimal-for-integer", ...),
    ("max_steps", "'4'", "error wrong-type quoted-number", 4),
    ("max_steps", "1e2", "error wrong-type exponent", 100),
    ("max_steps", "true", "error wrong-type boolean-word", ...),
    ("max_steps", "null", "error null-value", None),
    ("max_steps", "010", "", ...),  # 8: legal for the software; the document room warns about the spelling
    ("max_steps", "0x10", "", ...),
    ("max_steps", "1_000", "", ...),
    ("max_steps", "0", "error out-of-range", ...),
    ("max_steps", "-1", "error out-of-range", ...),
    # bool
    ("enforce_eager", "yes", "", ...),
    ("enforce_eager", "on", "", ...),
    ("enforce_eager", "True", "", ...),
    ("enforce_eager", "1", "error wrong-type number-for-boolean", True),
    ("enforce_eager", "0", "error wrong-type number-for-boolean", False),
    ("enforce_eager", "2", "error wrong-type", ...),
    ("enforce_eager", "'true'", "error wrong-type quoted-boolean", True),
    ("enforce_eager", "null", "error null-value", None),
    # str
    ("verl.experiment_name", "20260101", "error wrong-type number-for-text", "20260101"),
    ("verl.experiment_name", "2026-01-01", "error wrong-type date-for-text", "2026-01-01"),
    ("verl.experiment_name", "2026-01-01 12:00:00", "error wrong-type date-for-text", ...),
    ("verl.experiment_name", "1.10", "error wrong-type number-for-text", ...),  # 1.10 or 1.1: the loader forgot
    ("verl.experiment_name", "no", "error wrong-type boolean-word", ...),
    ("verl.experiment_name", "null", "error null-value", None),
    ("verl.experiment_name", "run-1", "", ...),
    ("verl.train_files", "[a.parquet, b.parquet]", "error wrong-type list-for-scalar", ...),
    ("verl.train_files", "!!binary aGk=", "error wrong-type", ...),
    # lists
    ("verl.ckpt_content", "model", "error wrong-type not-a-list", ["model"]),
    ("verl.ckpt_content", "[model, optimizer]", "", ...),
    ("verl.ckpt_content", "[]", "", ...),
    ("verl.ckpt_content", "[model, model]", "error not-unique", ["model"]),
    ("verl.ckpt_content", "[model, optimiser]", "error not-a-choice", ["model", "optimizer"]),
    ("verl.ckpt_content", "[model, 3]", "error wrong-item-type", ...),  # "3" is no choice either
    ("verl.ckpt_content", "[model, null]", "error wrong-item-type", ...),
    ("dataset_additional_keys", "[problem, answer]", "", ...),
    ("dataset_additional_keys", "[problem, 1]", "error wrong-item-type", ["problem", "1"]),
    ("dataset_additional_keys", "labels", "error wrong-type not-a-list", ["labels"]),
    ("dataset_additional_keys", "null", "", ...),
    # null where it is legal
    ("verl.total_training_steps", "null", "", ...),
    ("verl.total_training_steps", "None", "error wrong-type null-word", None),
    ("verl.total_training_steps", "0", "error out-of-range", ...),
    # ranges: what only the documents forbid is a warning
    ("min_p", "0", "warning out-of-documented-range", ...),
    ("min_p", "0.0", "warning out-of-documented-range", ...),
    ("min_p", "1.1", "error out-of-range", ...),
    ("kl_target", "0", "warning out-of-documented-range", ...),
    ("min_lr", "-0.1", "warning out-of-documented-range", ...),
    ("rollout_n", "64", "", ...),
    ("rollout_n", "65", "warning out-of-documented-range", ...),
    ("rollout_n", "0", "error out-of-range", ...),
    ("max_prompt_length", "131072", "", ...),
    ("max_prompt_length", "131073", "warning out-of-documented-range", ...),
    # the schema lets these pass, vLLM refuses them
    ("top_p", "0", "error out-of-range", ...),
    ("top_p", "1.0", "", ...),
    ("gpu_memory_utilization", "0", "error out-of-range", ...),
    ("gpu_memory_utilization", "1.0", "", ...),
    ("top_k", "-1", "", ...),
    ("top_k", "-2", "error out-of-range", ...),
    ("verl.test_freq", "-1", "", ...),
    ("verl.test_freq", "0", "error out-of-range", ...),
    ("verl.save_freq", "-1", "error out-of-range", ...),
    # choices
    ("verl.kl_loss_type", "low_bar_kl", "error misprint-value", "low_var_kl"),
    ("verl.kl_loss_type", "low_var_kl", "", ...),
    ("verl.adv_estimator", "GRPO", "error not-a-choice", "grpo"),
    ("verl.policy_loss_mode", "clip_cov", "error not-a-choice", "clip-cov"),
    ("train_backend", "ray", "error not-a-choice", ...),
    ("model_name", "qwen3-8b", "", ...),
    ("model_name", "qwen3-32b", "warning undocumented-choice", ...),
    # patterns
    ("agent_name", "math", "", ...),
    ("agent_name", "math-agent", "error bad-pattern", ...),
    ("agent_name", "_math", "warning undocumented-pattern", ...),
    ("agent_name", '"math\\n"', "error bad-pattern", ...),
    # known to spoil training
    ("entropy_coeff", "0.2", "hint harmful-default", ...),
    ("entropy_coeff", "0.01", "", ...),
]


def describe(problem: Problem) -> str:
    return " ".join(filter(None, (problem.level, problem.code, str(problem.params.get("reason", "")))))


@pytest.mark.parametrize(("key", "text", "expected", "better"), CASES, ids=lambda value: str(value)[:40])
def test_value(key: str, text: str, expected: str, better: Any) -> None:
    value = yaml.safe_load(f"x: {text}")["x"]
    problems = validate_value(load_catalogue().parameters[key], value)
    assert [describe(problem) for problem in problems] == ([expected] if expected else [])
    edits = [edit for problem in problems for edit in problem.edits]
    assert [edit.value for edit in edits] == ([] if better is ... else [better])
    for edit in edits:
        assert edit.key == key
        assert edit.kind == ("remove" if "null-value" in expected else "set")
        if edit.kind == "set":
            assert validate_value(load_catalogue().parameters[key], edit.value) == [], "the edit is no cure"


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)


@given(st.sampled_from(list(load_catalogue().parameters.values())), ODD)
@settings(deadline=None)
def test_no_value_is_too_odd(parameter: Parameter, value: Any) -> None:
    for problem in validate_value(parameter, value):
        assert problem.key == parameter.key
        for language in ("en", "zh"):
            text = problem_text(problem, language)
            assert text.message
            assert printable(text.message + text.because + text.fix, 0) == text.message + text.because + text.fix


def test_a_default_is_never_a_problem() -> None:
    for parameter in load_catalogue().parameters.values():
        if parameter.default.software_known:
            assert validate_value(parameter, parameter.default.software) == [], parameter.key


@pytest.mark.parametrize(("backend", "codes"), [("verl", []), ("mindspeed_rl", ["not-a-choice"])])
def test_presets_bind_only_mindspeed_rl(backend: str, codes: list[str]) -> None:
    parameter = load_catalogue().parameters["model_name"]
    assert [problem.code for problem in validate_value(parameter, "llama", backend)] == codes


def test_a_preset_is_only_a_warning_while_the_back_end_is_unknown() -> None:
    assert [p.level for p in validate_value(load_catalogue().parameters["model_name"], "llama")] == ["warning"]


GOOD = {
    "tokenizer_name_or_path": "/m",
    "model_name": "llama",
    "agent_name": "math",
    "agent_engine_wrapper_path": "/w.py",
    "train_backend": "verl",
    "verl": {"train_files": "/t.parquet", "val_files": "/v.parquet"},
}


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        ({}, []),
        ({"lr": 1}, []),
        ({"lr": "1e-6"}, ["type"]),
        ({"lrr": 1}, ["unknown"]),
        ({"train_files": "/t.parquet"}, ["unknown"]),
        ({"verl": {"train_files": "/t.parquet"}}, ["schema"]),
        ({"verl": {**GOOD["verl"], "policy_loss_model": "vanilla"}}, ["schema"]),
        ({"verl": None}, ["nullable"]),
        ({"mindspeed_rl": {"epochs": 1}}, ["schema"]),  # the unused section is checked as well
    ],
)
def test_document_schema(change: dict[str, Any], rules: list[str]) -> None:
    validator = make_validator(document_schema(load_catalogue()))
    broken = broken_rules(validator, {**GOOD, **change})
    assert [rule for rule in broken if rule] == rules or (rules == ["unknown"] and len(broken) == 1)


def test_document_schema_asks_for_what_is_required() -> None:
    validator = make_validator(document_schema(load_catalogue()))
    values = {key: value for key, value in GOOD.items() if key != "agent_name"}
    assert len(broken_rules(validator, values)) == 1
