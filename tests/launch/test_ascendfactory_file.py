"""The copy of its file that AscendFactory gets, and what stands behind a program that was found."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.backends.ascendfactory.file import with_absolute_paths
from agentic_rl_wizard.runner.backends.ascendfactory.source import FactorySource
from agentic_rl_wizard.runner.backends.found_tool import installed
from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.catalogue.template import list_titles
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.tools import Tool
from agentic_rl_wizard.runner.facts.training import TrainingFacts

FACTORY = [title[0] for title in list_titles() if title[0].startswith("ascendfactory")]


@pytest.mark.parametrize("name", FACTORY)
def test_a_template_whose_paths_are_absolute_is_handed_as_it_is(name: str, tmp_path: Path) -> None:
    document = parse_document(render_template(name, "zh"))
    text, notes = with_absolute_paths(document, tmp_path)
    assert text == document.text and notes == ()


def test_only_paths_that_mean_a_place_here_are_changed(tmp_path: Path) -> None:
    (tmp_path / "train.parquet").write_text("")
    (tmp_path / "org").mkdir()
    text = (
        "af_output_dir: out  # mine\n"
        "backend_config:\n"
        "  data:\n"
        "    train_files: [train.parquet, ./more.parquet, 'hdfs://x/y']\n"
        "    val_files: ${oc.env:HOME}/v.parquet\n"
        "  actor_rollout_ref: {model: {path: Qwen/Qwen2.5-7B}}\n"
        "  trainer: {default_local_dir: ./ck}\n"
    )
    changed, notes = with_absolute_paths(parse_document(text), tmp_path)
    values = yaml.safe_load(changed)
    tree = values["backend_config"]
    assert values["af_output_dir"] == f"{tmp_path}/out" and "# mine" in changed
    assert tree["data"]["train_files"] == [f"{tmp_path}/train.parquet", f"{tmp_path}/more.parquet", "hdfs://x/y"]
    assert tree["data"]["val_files"] == "${oc.env:HOME}/v.parquet"
    assert tree["actor_rollout_ref"]["model"]["path"] == "Qwen/Qwen2.5-7B"
    assert {note.key for note in notes} >= {"af_output_dir", "backend_config.data.train_files"}


def test_where_the_checkpoints_are(tmp_path: Path) -> None:
    def place(text: str, experiment: str = "") -> str:
        found = FactorySource(parse_document(text)).checkpoint_directory(tmp_path / "w", tmp_path, experiment)
        return str(found.relative_to(tmp_path))

    tree = "backend_config: {trainer: {project_name: p}}\n"
    assert place(f"af_output_dir: o\naf_model_name: qwen\n{tree}") == "o/checkpoint_qwen"
    assert place(f"af_output_dir: o\naf_model_name: qwen\n{tree}", "e-2") == "o-2/checkpoint_qwen"
    assert place(f"af_output_dir: o\n{tree}") == "o"
    (tmp_path / "o" / "checkpoint_seen").mkdir(parents=True)
    assert place(f"af_output_dir: o\n{tree}") == "o/checkpoint_seen"
    assert place(tree) == "w/af_output"
    assert place("af_output_dir: o\nbackend_config: {trainer: {default_local_dir: ./c}}\n") == "c"


def test_two_installations_are_told() -> None:
    tool = Tool("agentic_rl", "/a/bin/agentic_rl", interpreter="/a/bin/python", others=("/b/agentic_rl",))
    found = installed("agentsdk", tool, "agentic_rl", ("agentic_rl",), "--config-path FILE",
                      TrainingFacts("/a/bin/python", versions={"agentic_rl": "26.0.0"}))  # fmt: skip
    assert found.present and found.version == "26.0.0"
    assert "/b/agentic_rl" in found.remark["en"] and "/b/agentic_rl" in found.remark["zh"]


@pytest.mark.parametrize("name", ["agentic_rl", "ascendfactory-cli", "npu-smi", "ray"])
def test_each_stand_in_says_that_it_is_one(bench: Any, name: str) -> None:
    options = {"agentic_rl": ["--config-path", "/no"], "npu-smi": ["info"], "ray": ["status"]}.get(name, [])
    done = subprocess.run([bench.environment.command(name), *options], capture_output=True, text=True)
    assert "[stand-in]" in done.stdout + done.stderr


def test_verl_started_directly_finds_the_checkpoints_of_ascendfactory(tmp_path: Path) -> None:
    from agentic_rl_wizard.runner.backends.source import source_of

    text = "af_output_dir: o\naf_model_name: qwen\nbackend_config: {data: {train_batch_size: 8}}\n"
    document = parse_document(text)
    direct = source_of(document).checkpoint_directory(tmp_path / "w", tmp_path)
    assert direct == FactorySource(document).checkpoint_directory(tmp_path / "w", tmp_path)
    assert source_of(document).checkpoint_directory(tmp_path / "w", tmp_path, "e-2") != direct
