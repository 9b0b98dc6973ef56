"""Verdicts on the shared cases of MindSpeed-RL and AgentSDK, where the folder is at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from files import check

from agentic_rl_wizard.runner.catalogue import Problem
from agentic_rl_wizard.runner.check import World, generation_of, shape_of
from agentic_rl_wizard.runner.document import parse_document

ROOTS = [parent / "shared" / "cases" for parent in Path(__file__).resolve().parents]
ROOT = next((root for root in ROOTS if root.is_dir()), None)
MINDSPEED_CASES = sorted((ROOT / "configs").glob("4*.yaml")) if ROOT else []
REAL = sorted((ROOT / "real_configs").glob("*.yaml")) if ROOT else []

# Generation of a file, by the letter its name begins with; pre-releases (b1, b3, b4) may be B or B+ as well.
LETTERS = {"a": "A", "b": "BC", "d": "D", "e": "E"}
# What agentic_rl 26.0.0 really refuses in a published file: keys of another pre-release.
REFUSED = {"b4": {"misplaced-key"}}


def errors(text: str, version: str = "") -> list[Problem]:
    return [p for p in check(text, World(backend_version=version)) if p.level == "error"]


@pytest.mark.parametrize("path", MINDSPEED_CASES, ids=[path.stem[:12] for path in MINDSPEED_CASES])
def test_mindspeed_case(path: Path) -> None:
    case: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    text = yaml.safe_dump(case["config"])
    assert shape_of(parse_document(text).values) == "mindspeed-rl"
    for version in ("", str(case["version"])):
        assert bool(errors(text, version)) == (case["expect"]["verdict"] == "error")


@pytest.mark.parametrize("path", REAL, ids=[path.stem[:12] for path in REAL])
def test_real_configuration(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    values = parse_document(text).values
    generation = generation_of(values)
    assert generation[0] in LETTERS[path.name[0]]
    assert {p.code for p in errors(text)} == REFUSED.get(path.name[:2], set())
    assert errors(text, generation) == []


@pytest.mark.skipif(ROOT is None, reason="the shared cases are not beside the repository")
def test_the_folder_holds_what_is_judged_here() -> None:
    assert MINDSPEED_CASES
    assert REAL
