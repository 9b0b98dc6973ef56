"""Command lines in the shape of verl's example scripts: accepted, on a machine that has what they ask for."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.machine import Machine
from agentic_rl_wizard.runner.facts.model import ModelFacts

OWN = Path(__file__).parent / "example_runs"
# A checkout of verl beside the repository, one folder a tag (`0.5.0/examples`): the scripts themselves are tried too.
TAGS = next((p / "verl_tags" for p in Path(__file__).resolve().parents if (p / "verl_tags").is_dir()), None)
TWO_NODES = Machine(accelerator="npu", devices=16, nodes=2, device_memory_gib=64, free_device_memory_gib=63)
QWEN = ModelFacts(num_attention_heads=28, num_key_value_heads=4, num_hidden_layers=28, hidden_size=3584)


def read_script(text: str) -> dict[str, Any]:
    """The overrides of the first command line that starts verl's trainer."""
    joined = text.replace("\\\n", " ")
    line = next((line for line in joined.splitlines() if "verl.trainer.main_ppo" in line), "")
    words = shlex.split(line.partition("verl.trainer.main_ppo")[2], comments=True)
    pairs = (word.partition("=") for word in words if "=" in word and not word.startswith("-"))
    return {key: yaml.safe_load(value) if value else None for key, _, value in pairs}


def errors_of(keys: dict[str, Any], version: str, world: World | None = None) -> list[tuple[str, str]]:
    text = yaml.safe_dump(keys, sort_keys=False)
    world = world or World(machine=TWO_NODES, model=QWEN, verl_version=version)
    return [(p.code, p.key) for p in check_document(parse_document(text), world, "verl") if p.level == "error"]


def runs() -> list[Any]:
    found = []
    for file in sorted(OWN.glob("*.sh")):
        text = file.read_text(encoding="utf-8")
        versions = next(line for line in text.splitlines() if line.startswith("# versions: ")).split()[2:]
        found += [pytest.param(text, version, id=f"{file.stem}-{version}") for version in versions]
    return found


@pytest.mark.parametrize(("text", "version"), runs())
def test_accepted(text: str, version: str) -> None:
    keys = read_script(text)
    assert len(keys) > 10
    assert errors_of(keys, version) == []


def test_the_reader_and_the_check_see_the_values() -> None:
    keys = read_script((OWN / "grpo.sh").read_text(encoding="utf-8"))
    assert keys["data.train_batch_size"] == 1024 and keys["trainer.logger"] == ["console", "wandb"]
    keys["actor_rollout_ref.rollout.tensor_model_parallel_size"] = 3
    assert {code for code, _ in errors_of(keys, "0.9.1")} == {"rollout-parallel-not-divisible", "heads-not-divisible"}


@pytest.mark.skipif(TAGS is None, reason="no checkout of verl's tags here")
def test_scripts_of_the_tags_are_accepted() -> None:
    assert TAGS is not None
    wrong: list[str] = []
    for file in sorted(TAGS.glob("*/examples/**/*.sh")):
        keys = read_script(file.read_text(encoding="utf-8", errors="replace"))
        version = file.relative_to(TAGS).parts[0]
        found = errors_of(keys, version, World(verl_version=version)) if keys else []
        wrong += [f"{file.relative_to(TAGS)}: {error}" for error in found]
    assert wrong == []
