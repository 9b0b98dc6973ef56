"""Our plans of every variant are what the releases of verl judged (tools/oracle/plans.py), and all were accepted."""

from __future__ import annotations

import json

import pytest
from oracle.plans import RECORDED, digest, plan_of, variants

from agentic_rl_wizard.runner.backends.errors import PlanError

# A release that has no such trainer: (releases, code of our refusal).
ABSENT = {
    "one-step-off": ("0.4.1",),
    "one-step-off-megatron": ("0.4.1",),
    "fully-async": ("0.4.1", "0.5.0"),
}
JUDGED = json.loads(RECORDED.read_text(encoding="utf-8"))
FILES = dict(variants())


@pytest.mark.parametrize("release", list(JUDGED))
def test_every_plan_composes_and_validates_in_that_verl(release: str) -> None:
    found = JUDGED[release]
    assert {key.partition(" ")[0] for key in found} == set(FILES)
    refused = {key.partition(" ")[0] for key, one in found.items() if "refused" in one}
    assert refused == {name for name, releases in ABSENT.items() if release in releases}
    assert {key: one for key, one in found.items() if one.get("stage", "accept") != "accept"} == {}


@pytest.mark.parametrize("release", list(JUDGED))
def test_the_plans_are_still_those_that_were_judged(release: str) -> None:
    for key, one in JUDGED[release].items():
        name, _, device = key.partition(" ")
        if "refused" in one:
            with pytest.raises(PlanError) as refusal:
                plan_of(FILES[name], release, device)
            assert refusal.value.code == one["refused"] == "entry-point-absent"
        else:
            assert digest(plan_of(FILES[name], release, device)) == one["argv"], f"{key}: judge again: oracle.plans"
