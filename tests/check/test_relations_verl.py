"""Every relation of verl, both sides of its edge, by version (rows: relations_verl.yaml)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue import Problem, problem_text
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.check.verl import VERL_RELATIONS
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.checkpoints import CheckpointFacts
from agentic_rl_wizard.runner.facts.dataset import DatasetFacts
from agentic_rl_wizard.runner.facts.machine import Machine
from agentic_rl_wizard.runner.facts.model import ModelFacts

ROWS = yaml.safe_load((Path(__file__).parent / "relations_verl.yaml").read_text(encoding="utf-8"))
SHORT = {"A": "actor_rollout_ref.actor", "R": "actor_rollout_ref.rollout", "F": "actor_rollout_ref.ref"}
SHORT |= {"M": "actor_rollout_ref.model", "T": "trainer", "D": "data"}
AGENTSDK_ONLY = {"wrapper-prompt-length", "wrapper-response-length"}
EXCHANGED = {"clip-bounds-order"}  # two values change places


def long(key: str) -> str:
    head, _, rest = key.partition(".")
    return f"{SHORT[head]}.{rest}" if head in SHORT else key


def problems(row: dict[str, Any]) -> list[Problem]:
    text = yaml.safe_dump({long(key): value for key, value in row["keys"].items()}, sort_keys=False)
    machine = {"accelerator": "npu", "devices": None, **row["machine"]} if "machine" in row else None
    data = dict(row.get("data", {}))
    if "columns" in data:
        data["columns"] = tuple(data["columns"])
    world = World(
        machine=Machine(**machine) if machine else None,
        model=ModelFacts(**row["model"]) if "model" in row else None,
        dataset=DatasetFacts(**data) if data else None,
        checkpoint=CheckpointFacts(**row["checkpoint"]) if "checkpoint" in row else None,
        verl_version=str(row["v"]),
    )
    return check_document(parse_document(text), world, "verl")


@pytest.mark.parametrize("row", ROWS, ids=[str(row["id"]).replace(" ", "-") for row in ROWS])
def test_row(row: dict[str, Any]) -> None:
    found = problems(row)
    levels = {p.code: p.level for p in found}
    for code, level in row.get("gives", {}).items():
        assert levels.get(code) == level, [(p.level, p.code) for p in found]
    for code in row.get("without", ()):
        assert code not in levels
    for problem in found:
        for lang in ("en", "zh"):
            words = problem_text(problem, lang)
            assert words.message and not set("{}") & set(words.message + words.because + words.fix)


def test_every_relation_has_a_row() -> None:
    violated = {code for row in ROWS for code in row.get("gives", {})}
    kept = {code for row in ROWS for code in row.get("without", ())}
    tried = violated & kept
    assert {relation.code for relation in VERL_RELATIONS} - tried - AGENTSDK_ONLY == set()


def test_what_is_offered_satisfies_the_relation() -> None:
    tried = 0
    for row in ROWS:
        keys = {long(key): value for key, value in row["keys"].items()}
        for problem in problems(row):
            if problem.code not in row.get("gives", {}) or not problem.edits or problem.edits[0].kind != "set":
                continue
            # Several edits are several ways out, save where two values change places.
            ways = [problem.edits] if problem.code in EXCHANGED else [(edit,) for edit in problem.edits]
            for way in ways:
                repaired = keys | {edit.key: edit.value for edit in way}
                assert problem.code not in {p.code for p in problems({**row, "keys": repaired})}, (row["id"], way)
                tried += 1
    assert tried > 40
