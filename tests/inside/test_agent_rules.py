"""Every rule's line is found by the failure catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_inside.agent.rules import RULES, WrapperProblem, tell

CATALOGUE = yaml.safe_load(
    (Path(__file__).resolve().parents[2] / "templates" / "failures" / "agent.yaml").read_text(encoding="utf-8")
)
SOURCES = (Path(__file__).resolve().parents[2] / "runner" / "inside" / "agentic_rl_inside").rglob("*.py")
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_one_entry_explains_each_rule(rule: str) -> None:
    lines = [WrapperProblem(rule, "so", "7").line("dropped"), WrapperProblem(rule, "so").line("", "warning")]
    found = [
        name for name, entry in CATALOGUE.items() if any(re.search(s, line) for s in entry["signs"] for line in lines)
    ]
    assert len(found) == 1
    assert f'"{rule}"' in TEXT


def test_a_problem_is_one_line_behind_its_traceback(capfd: Any) -> None:
    tell(WrapperProblem("wrapper-raised", "ValueError:\n  no", "7", "Traceback\n  at home\n"), "dropped")
    assert capfd.readouterr().err == (
        "Traceback\n  at home\n[agentic-rl wrapper] error task=7 rule=wrapper-raised: ValueError: no; dropped\n"
    )
