"""Which model a file means on each back end, and where its facts come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.known_models import known_models, model_of_hub, model_of_preset
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.cli.gather.model_for import model_for
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts import FACT_NAMES, model_facts
from agentic_rl_wizard.wizard.form.checker import Checker

VERL = (
    "tokenizer_name_or_path: {path}\nmodel_name: qwen3-8b\ntrain_backend: verl\nverl: {{train_files: /d/a.parquet}}\n"
)
MINDSPEED = "tokenizer_name_or_path: {path}\nmodel_name: {name}\ntrain_backend: mindspeed_rl\nmindspeed_rl: {{lr: 1}}\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": 12, "model_type": "own"}))
    return folder


def heads(text: str, base: Path = Path("/")) -> int | None:
    found = model_for(parse_document(text), base)
    return found.num_attention_heads if found is not None else None


def test_verl_reads_the_model_that_the_tokenizer_path_names(model: Path) -> None:
    assert heads(VERL.format(path=model)) == 12  # not those of model_name, which verl never uses
    assert heads(VERL.format(path="model"), model.parent) == 12
    assert heads(VERL.format(path="/nowhere")) is None


def test_mindspeed_takes_the_preset_not_the_tokenizer(model: Path) -> None:
    assert heads(MINDSPEED.format(path=model, name="qwen2.5-7b")) == 28
    assert heads(MINDSPEED.format(path=model, name="qwen3-235b-a22b")) == 64
    assert heads(MINDSPEED.format(path=model, name="own-model")) is None


def test_a_hub_name_needs_no_files(tmp_path: Path) -> None:
    assert heads(VERL.format(path="Qwen/Qwen2.5-14B-Instruct"), tmp_path) == 40
    assert heads(VERL.format(path="qwen/qwen3-30b-a3b"), tmp_path) == 32
    assert heads(VERL.format(path="Qwen/Qwen9-1B"), tmp_path) is None


def test_files_on_the_disk_win_over_the_hub_name(tmp_path: Path) -> None:
    folder = tmp_path / "Qwen" / "Qwen3-8B"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"num_attention_heads": 6}')
    assert heads(VERL.format(path="Qwen/Qwen3-8B"), tmp_path) == 6


def test_the_preset_of_the_oldest_generation() -> None:
    names = ("tokenizer_name_or_path", "data_path", "load_params_path", "save_params_path", "agent_name")
    text = "".join(f"{name}: /x\n" for name in names) + "train_iters: 5\nagent_engine_wrapper_path: /x.py\n"
    assert heads(text) == 28


@pytest.mark.parametrize(
    "text",
    [
        "actor_rollout_ref: {model: {path: Qwen/Qwen3-8B}}\n",
        "actor_rollout_ref.model.path: Qwen/Qwen3-8B\nactor_rollout_ref: {}\n",
        "backend_config: {actor_rollout_ref: {model: {path: Qwen/Qwen3-8B}}}\naf_output_dir: /x\n",
        "megatron_training: {model: qwen3_8b}\nrl_config: {}\n",
    ],
    ids=["tree", "flat", "ascendfactory", "mindspeed-rl"],
)
def test_native_files(text: str) -> None:
    assert heads(text) == 32


@pytest.mark.parametrize(
    "text", ["", "a: 1\n", "tokenizer_name_or_path: 7\n", 'tokenizer_name_or_path: "a\\0b"\n'], ids=repr
)
def test_files_without_a_model(text: str) -> None:
    assert heads(text) is None


def test_the_world_of_a_file_has_the_model(model: Path) -> None:
    world = facts_for(parse_document(VERL.format(path=model)), model.parent)
    assert world.model is not None
    assert world.model.num_attention_heads == 12


def test_the_wizard_follows_another_model_name() -> None:
    checker = Checker()
    for name, expected in (("qwen3-8b", 32), ("qwen2.5-7b", 28)):
        checker.check(parse_document(MINDSPEED.format(path="/x", name=name)))
        assert checker._seen is not None and checker._seen.model is not None
        assert checker._seen.model.num_attention_heads == expected


PRESETS = {
    "deepseekv3_671b": (61, 7168, 18432, 128, 129280),
    "qwen25_7b": (28, 3584, 18944, 28, 152064),
    "qwen25_32b": (64, 5120, 27648, 40, 152064),
    "qwen3_8b": (36, 4096, 12288, 32, 151936),
    "qwen3_30b_a3b": (48, 2048, 6144, 32, 151936),
    "qwen3_32b": (64, 5120, 25600, 64, 151936),
    "qwen3_235b_a22b": (94, 4096, 12288, 64, 151936),
}


@pytest.mark.parametrize("name", PRESETS)
def test_mindspeeds_presets(name: str) -> None:
    known = model_of_preset(name)
    assert known is not None
    found = model_facts(known.values)
    shape = (found.num_hidden_layers, found.hidden_size, found.intermediate_size, found.num_attention_heads)
    assert (*shape, found.vocab_size) == PRESETS[name]


@pytest.mark.parametrize(
    "name", ["qwen2.5-7b", "qwen3-0.6b", "qwen3-4b", "qwen3-8b", "qwen3-30b-a3b", "qwen3-32b", "qwen3-235b-a22b"]
)
def test_presets_of_agentsdk(name: str) -> None:
    assert model_of_preset(name) is not None


def test_known_models_are_complete_and_unambiguous() -> None:
    names: list[str] = []
    for known in known_models().values():
        assert set(known.values) <= set(FACT_NAMES), known.name
        found = model_facts(known.values)
        for fact in ("num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "parameters"):
            assert getattr(found, fact), f"{known.name}: {fact}"
        names += [*map(str.lower, known.hub), *known.presets]
        assert all(model_of_hub(name) is known for name in known.hub)
    assert len(names) == len(set(names))
