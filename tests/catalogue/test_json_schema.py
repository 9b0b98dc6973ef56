"""JSON Schemas of the targets: accepted by a real validator, right about right and wrong files."""

import json

import pytest
import yaml
from jsonschema import Draft7Validator

from agentic_rl_wizard.runner.catalogue import list_templates, render_template
from agentic_rl_wizard.runner.catalogue.json_schema import SCHEMA_TARGETS, json_schema
from agentic_rl_wizard.runner.catalogue.render import modeline
from agentic_rl_wizard.runner.cli.main import main


def errors(target: str, text: str) -> list[str]:
    validator = Draft7Validator(json_schema(target))
    return sorted(".".join(map(str, e.absolute_path)) or e.message for e in validator.iter_errors(yaml.safe_load(text)))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("target", SCHEMA_TARGETS)
def test_schemas_are_valid_draft_7(target, lang):
    found = json_schema(target, lang)
    Draft7Validator.check_schema(found)
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("name", [template.name for template in list_templates()])
def test_every_template_is_valid_and_names_its_schema(name):
    template = next(t for t in list_templates() if t.name == name)
    text = render_template(name)
    assert modeline(template.target) in text.splitlines()[:2]
    assert errors("agentsdk" if template.target == "local" else template.target, text) == []


@pytest.mark.parametrize(
    ("target", "text", "wrong"),
    [
        ("agentsdk", "rollout_n: 0", ["rollout_n"]),
        ("agentsdk", "rollout_n: '2'", ["rollout_n"]),
        ("agentsdk", "top_p: 0.5\nlr: 1.0e-6", []),
        ("agentsdk", "train_backend: veRL", ["train_backend"]),
        ("agentsdk", "verl: {train_files: /t, val_files: /v, kl_loss_coeff: 0.1}", []),
        ("ascendfactory", "af_output_dir: /o\nbackend_config: {trainer: {nnodes: x}}", ["backend_config.trainer.nnodes"]),  # noqa: E501
        ("ascendfactory", "af_output_dir: /o\nbackend_config: {trainer: {nnodes: '${x.y}'}}", []),
        ("ascendfactory", "backend_config: {}", ["'af_output_dir' is a required property"]),
        ("verl", "data: {train_files: [/a, /b], max_prompt_length: 10}", []),
        ("verl", "data: {max_prompt_length: [1]}", ["data.max_prompt_length"]),
    ],
    ids=["range", "type", "fine", "choice", "alias", "tree-type", "interpolation", "required", "list", "no-list"],
)  # fmt: skip
def test_wrong_values_are_found_and_right_ones_pass(target, text, wrong):
    assert errors(target, text) == wrong


def test_unknown_keys_of_agentsdk_are_refused():
    assert any("bogus" in message for message in errors("agentsdk", "bogus: 1"))


def test_new_writes_the_schema_beside_the_file(tmp_path, capsys):
    assert main(["new", "ascendfactory-grpo", "-o", str(tmp_path / "a.yaml")]) == 0
    schema = tmp_path / ".agentic-rl" / "ascendfactory.schema.json"
    Draft7Validator.check_schema(json.loads(schema.read_text(encoding="utf-8")))
    assert (schema.stat().st_mode & 0o777, schema.parent.stat().st_mode & 0o777) == (0o640, 0o750)
    assert main(["new", "agentsdk-verl", "-o", str(tmp_path / "sub.yaml"), "--no-schema"]) == 0
    assert [path.name for path in schema.parent.iterdir()] == ["ascendfactory.schema.json"]
    capsys.readouterr()


def test_schema_command_prints_one(capsys):
    assert main(["schema", "--target", "verl", "--verl-version", "0.5.0", "--lang", "zh"]) == 0
    found = json.loads(capsys.readouterr().out)
    optim = found["properties"]["actor_rollout_ref"]["properties"]["actor"]["properties"]["optim"]["properties"]
    assert "warmup_style" in optim
