"""What our check passes, the original's schema takes as we write it; what the schema refuses, our check refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from standin_environment import COMMANDS

from agentic_rl_wizard.runner.backends.agentsdk.file import resolve
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.catalogue.template import list_templates
from agentic_rl_wizard.runner.catalogue.yaml_text import yaml_text
from agentic_rl_wizard.runner.check import check_document
from agentic_rl_wizard.runner.document import parse_document

sys.path.insert(0, str(COMMANDS))
from standin_schema import rows, validate

# Problems that AgentSDK's own schema is the judge of.
SCHEMA = {"unknown-key", "documented-name", "misplaced-key", "wrong-type", "out-of-range", "not-a-choice"}
SCHEMA |= {"required-missing", "section-missing", "bad-item", "misprint-value", "repeated-items"}


def refused(text: str) -> str:
    """What the original's schema says; "" when it takes the file."""
    try:
        validate(yaml.safe_load(text), "C", paths=False)
    except ValueError as error:
        return str(error)
    return ""


def errors(text: str) -> list[str]:
    """Codes of the errors; ``elsewhere`` stands for a value that the schema takes and vLLM refuses."""
    judges = {key: parameter.judge for key, parameter in load_catalogue().parameters.items()}
    found = [p for p in check_document(parse_document(text), None, "agentsdk") if p.level == "error"]
    return ["elsewhere" if judges.get(p.key) and p.code == "out-of-range" else p.code for p in found]


def written(text: str) -> str:
    return resolve(parse_document(text), load_catalogue(), "C", Path("/"), {}).text


@pytest.mark.parametrize("name", ["agentsdk-verl", "agentsdk-mindspeed-rl"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("minimal", [True, False], ids=["short", "full"])
def test_every_template_of_agentsdk(name: str, lang: Any, minimal: bool) -> None:
    assert name in [template.name for template in list_templates()]
    text = render_template(name, lang, minimal=minimal)
    assert refused(text) == ""
    resolved = written(text)
    assert refused(resolved) == ""
    assert yaml.safe_load(resolved) == yaml.safe_load(text)


def values_of(kind: str, rule: str) -> st.SearchStrategy[Any]:
    """Mostly values of the right type, in and out of range; some of another type."""
    kind = kind.rstrip("?")
    numbers = {
        "int": st.sampled_from([-1, 0, 1, 2, 7, 4096]),
        "float": st.sampled_from([-0.5, 0.0, 1e-6, 0.3, 1.0, 1.5, 2]),
    }
    if kind in numbers:
        own = numbers[kind]
    elif kind == "bool":
        own = st.booleans()
    elif kind == "enum":
        own = st.sampled_from([*rule.split("|"), "none-of-them"])
    elif kind == "enums":
        own = st.lists(st.sampled_from([*rule.split("|"), "weights"]), max_size=3)
    elif kind == "list":
        own = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=2)
    else:
        own = st.sampled_from(["x", "word_1"])
    odd = st.sampled_from(["1e-6", "text", 1, 1.5, True, None, [1]])
    return st.integers(0, 7).flatmap(lambda number: odd if number == 0 else own)


BASE: dict[str, dict[str, Any]] = {
    "verl": {"tokenizer_name_or_path": "/m", "model_name": "qwen3-8b", "agent_name": "a",
             "agent_engine_wrapper_path": "/w.py", "train_backend": "verl",
             "verl": {"train_files": "/t", "val_files": "/v"}},
    "mindspeed_rl": {"tokenizer_name_or_path": "/m", "model_name": "qwen3-8b", "agent_name": "a",
                     "agent_engine_wrapper_path": "/w.py", "train_backend": "mindspeed_rl",
                     "dataset_additional_keys": ["p"],
                     "mindspeed_rl": {"data_path": "/d", "load_params_path": "/l", "save_params_path": "/s"}},
}  # fmt: skip
FREE = [row for row in rows() if row[2] != "path" and row[1] not in ("train_backend", "model_name") and "C" in row[5]]


@st.composite
def configurations(draw: Any) -> str:
    backend = draw(st.sampled_from(sorted(BASE)))
    values = {**BASE[backend], backend: dict(BASE[backend][backend])}
    able = [row for row in FREE if row[0] in ("-", backend)]
    for section, name, kind, _, rule, _ in draw(
        st.lists(st.sampled_from(able), max_size=6, unique_by=lambda r: tuple(r[:2]))
    ):
        target = values if section == "-" else values[section]
        target[name] = draw(values_of(kind, rule))
    if draw(st.integers(0, 9)) == 0:
        values[draw(st.sampled_from(["seq_len", "verl_x", "rolout_n"]))] = 1
    return "".join(
        f"{key}: {yaml_text(value)}\n" if not isinstance(value, dict)
        else f"{key}:\n" + "".join(f"  {inner}: {yaml_text(deep)}\n" for inner, deep in value.items())
        for key, value in values.items()
    )  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(configurations())
def test_check_and_schema_agree_and_what_we_write_is_taken(text: str) -> None:
    said, found = refused(text), errors(text)
    if said:
        assert found, f"{text}\n{said}"
    if not found:
        resolved = written(text)
        assert refused(resolved) == "", resolved
        assert yaml.safe_load(resolved) == yaml.safe_load(text)
    elif not said:
        assert not set(found) & SCHEMA, f"{text}\n{found}"


@pytest.mark.parametrize("generation", ["B", "B+", "C"])
@pytest.mark.parametrize("name", ["agentsdk-verl", "agentsdk-mindspeed-rl"])
def test_older_dialects_lose_the_keys_they_would_refuse_and_say_so(name: str, generation: Any) -> None:
    values = {"max_steps": 7, "test_only": True, "actor_rollout_dispatch_size": 4}
    text = render_template(name, "en", values, minimal=True)
    resolved = resolve(parse_document(text), load_catalogue(), generation, Path("/"), {})
    found = yaml.safe_load(resolved.text)
    validate(found, generation, paths=False)
    dropped = {note.key for note in resolved.notes if note.kind == "ignored"}
    assert dropped == {"B": {"max_steps", "test_only"}, "B+": {"max_steps"}, "C": set()}[generation] | (
        {"actor_rollout_dispatch_size"} if generation != "C" and "verl" in name else set()
    )
    if generation != "C" and "verl" not in name:
        assert found["mindspeed_rl"]["actor_rollout_dispatch_size"] == 4
