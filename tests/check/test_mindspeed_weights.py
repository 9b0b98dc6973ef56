"""Weights to start from: Megatron's layout, cut for the configuration's degrees of parallelism."""

from __future__ import annotations

from pathlib import Path

import pytest
from files import MINDSPEED

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import check_document
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.document import apply_edits, parse_document
from agentic_rl_wizard.runner.facts import look_at_megatron

CODES = ("mindspeed-weights-layout", "mindspeed-weights-sizes")
NATIVE = (
    "megatron_training: {{global_batch_size: 8, seq_length: 64}}\nactor_config:\n  micro_batch_size: 1\n  load: {}\n"
)
SIZES = "  tensor_model_parallel_size: {}\n  pipeline_model_parallel_size: {}\n"


def weights(folder: Path, *ranks: str, iteration: str = "100") -> Path:
    folder.mkdir()
    (folder / "latest_checkpointed_iteration.txt").write_text(f"{iteration}\n")
    for rank in ranks:
        (folder / ("release" if iteration == "release" else f"iter_{int(iteration):07d}") / rank).mkdir(parents=True)
    return folder


def found(text: str, base: Path):
    document = parse_document(text)
    return [p for p in check_document(document, facts_for(document, base)) if p.code in CODES]


def agentsdk(load: Path, tensor: int, stages: int) -> str:
    return MINDSPEED.replace("/m/in", str(load)) + SIZES.format(tensor, stages)


@pytest.mark.parametrize("iteration", ["100", "release"])
def test_equal_sizes_pass(tmp_path: Path, iteration: str) -> None:
    flat = weights(tmp_path / "tp", *(f"mp_rank_{t:02d}" for t in range(4)), iteration=iteration)
    deep = weights(
        tmp_path / "pp", *(f"mp_rank_{t:02d}_{p:03d}" for t in range(2) for p in range(2)), iteration=iteration
    )
    assert found(agentsdk(flat, 4, 1), tmp_path) == []
    assert found(agentsdk(deep, 2, 2), tmp_path) == []


def test_other_sizes_are_refused_and_can_be_taken_over(tmp_path: Path) -> None:
    load = weights(tmp_path / "pp", *(f"mp_rank_{t:02d}_{p:03d}" for t in range(2) for p in range(2)))
    text = agentsdk(load, 4, 1)
    (problem,) = found(text, tmp_path)
    assert (problem.level, problem.code, problem.key) == ("error", CODES[1], "mindspeed_rl.tensor_model_parallel_size")
    assert "2 x 2" in problem_text(problem, "en").message
    assert found(apply_edits(text, problem.edits), tmp_path) == []


def test_weights_of_another_format(tmp_path: Path) -> None:
    load = tmp_path / "hf"
    load.mkdir()
    (load / "config.json").write_text("{}")
    (load / "model-00001.safetensors").write_bytes(b"")
    (problem,) = found(agentsdk(load, 4, 1), tmp_path)
    assert (problem.level, problem.code) == ("error", CODES[0])
    assert "Hugging Face" in problem_text(problem, "en").because
    (problem,) = found(NATIVE.format(load), tmp_path)
    assert (problem.level, problem.key) == ("warning", "actor_config.load")


def test_experts_and_unknown_formats_are_left_alone(tmp_path: Path) -> None:
    experts = weights(tmp_path / "ep", *(f"mp_rank_{t:02d}_000_{e:03d}" for t in range(2) for e in range(4)))
    assert found(agentsdk(experts, 4, 1), tmp_path) == []
    distributed = weights(tmp_path / "dist", "common.pt")
    assert found(agentsdk(distributed, 4, 1), tmp_path) == []
    assert found(NATIVE.format("./relative"), tmp_path) == []
    assert look_at_megatron(tmp_path / "nowhere") is None
