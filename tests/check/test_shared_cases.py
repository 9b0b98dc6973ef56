"""Public mistakes, as collected beside the repository; skipped where the collection is missing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue import Problem
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.checkpoints import CheckpointFacts
from agentic_rl_wizard.runner.facts.dataset import DatasetFacts
from agentic_rl_wizard.runner.facts.machine import Machine
from agentic_rl_wizard.runner.facts.model import ModelFacts

FOLDER = next(
    (
        p / "shared" / "cases" / "configs"
        for p in Path(__file__).resolve().parents
        if (p / "shared/cases/configs").is_dir()
    ),
    None,
)
FILES = sorted(FOLDER.glob("*.yaml")) if FOLDER else []
FRAMEWORKS = ("verl", "vllm", "vllm-ascend")
# words of a rule -> the codes that speak of it
RULES = {
    "rollout_tp == 0": {"rollout-parallel-not-divisible", "heads-not-divisible"},
    "batch rows": {"batch-not-divisible", "batch-not-for-workers"},
    "devices in the Ray cluster": {"cluster-too-small"},
    "use_dynamic_bsz": {"token-limit-too-low"},
    "max_position_embeddings": {"model-context-too-short"},
    "parquet has": {"dataset-columns-missing"},
    "enable_chunked_prefill": {"chunked-prefill-off"},
    "multi_turn": {"tools-unused"},
    "resume": {"resume-other-world"},
    "micro) == 0": {"micro-batch-uneven"},
    "free device memory": {"device-memory-taken"},
    "kl_loss_type": {"word-unknown"},
}


def world_of(case: dict[str, Any]) -> World:
    facts, version = case.get("facts") or {}, str(case.get("version", ""))
    ranks = [m for f in facts.get("checkpoint_files", ()) if (m := re.search(r"world_size_(\d+)_", f))]
    machine = None
    if facts.keys() & {"ray_devices", "npu_free_gib", "visible_devices"}:
        machine = Machine(
            accelerator="npu" if "npu_free_gib" in facts else None,
            devices=facts.get("visible_devices"),
            ray_devices=facts.get("ray_devices"),
            device_memory_gib=facts.get("npu_total_gib"),
            free_device_memory_gib=facts.get("npu_free_gib"),
        )
    columns = facts.get("parquet_columns")
    return World(
        machine=machine,
        model=ModelFacts(**facts["model"]) if "model" in facts else None,
        dataset=DatasetFacts(columns=tuple(columns)) if columns else None,
        checkpoint=CheckpointFacts(world_size=int(ranks[0][1])) if ranks else None,
        verl_version=version if case["framework"] == "verl" else "",
    )


def problems_of(case: dict[str, Any]) -> list[Problem]:
    text = yaml.safe_dump(case["config"], sort_keys=False)
    return check_document(parse_document(text), world_of(case), "verl")


def cases() -> list[Any]:
    loaded = [(file.stem, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in FILES]
    return [pytest.param(case, id=stem[:24]) for stem, case in loaded if case["framework"] in FRAMEWORKS]


@pytest.mark.skipif(not FILES, reason="the collection is not here")
@pytest.mark.parametrize("case", cases())
def test_verdict(case: dict[str, Any]) -> None:
    found = problems_of(case)
    errors = {p.code for p in found if p.level == "error"}
    verdict = case["expect"]["verdict"]
    if verdict != "error":
        assert errors == set()
        assert verdict != "warn" or any(p.level == "warning" for p in found)
        return
    wanted = {
        code for rule in case["expect"]["rules"] for words, codes in RULES.items() if words in rule for code in codes
    }
    assert errors & wanted, f"{sorted(errors)} of {sorted(wanted)}"


def test_the_words_of_rules_are_codes() -> None:
    from agentic_rl_wizard.runner.catalogue import problem_codes

    assert set().union(*RULES.values()) <= set(problem_codes())
