"""Every template checks clean on the machine it is made for, in both forms and for each version that may read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import Problem, Template, list_templates, render_template
from agentic_rl_wizard.runner.check import World, check_document, target_of
from agentic_rl_wizard.runner.cli.check.machine_profile import read_profile
from agentic_rl_wizard.runner.cli.gather.model_for import model_for
from agentic_rl_wizard.runner.document import parse_document

VERSIONS = ("0.5.0", "0.6.1", "0.9.1")  # of AscendFactory's verl; the other targets have one each


def found(template: Template, version: str, *, minimal: bool, machine: str = "") -> list[Problem]:
    """The problems of a template as it is written, with the shape of its model and without a look at its paths."""
    document = parse_document(render_template(template.name, "en", minimal=minimal))
    world = World(model=model_for(document, Path(), target_of(document), look=False), verl_version=version)
    profile = read_profile(machine or template.machine)
    assert profile.ok
    return check_document(document, profile.applied_to(world))


CASES = [
    (template, version, minimal)
    for template in list_templates()
    for version in (VERSIONS if template.target == "ascendfactory" else ("",))
    for minimal in (False, True)
]


@pytest.mark.parametrize(
    ("template", "version", "minimal"), CASES, ids=[f"{t.name}-{v}-{'min' if m else 'full'}" for t, v, m in CASES]
)
def test_clean_on_its_machine(template: Template, version: str, minimal: bool) -> None:
    assert template.machine
    wrong = [p for p in found(template, version, minimal=minimal) if p.level != "hint"]
    assert [(p.level, p.code, p.key, p.params) for p in wrong] == []


def test_the_machine_counts() -> None:
    grpo = next(template for template in list_templates() if template.name == "ascendfactory-grpo")
    assert "no-accelerator" in {p.code for p in found(grpo, "0.9.1", minimal=False, machine="cpu")}
