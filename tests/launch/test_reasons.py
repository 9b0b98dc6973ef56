"""Each variable of a plan has a reason with its source; secrets are masked wherever a plan is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from standin_environment import make_environment

from agentic_rl_wizard.runner.backends.environment import reasons_for
from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.catalogue.data import templates_root
from agentic_rl_wizard.runner.cli.launch.show_plan import show_plan

UNKNOWN = "the back end needs it"


def unexplained(plan: dict[str, Any]) -> list[str]:
    assert set(plan["env_reasons"]) == set(plan["env"])
    return [name for name, text in plan["env_reasons"].items() if text["en"] == UNKNOWN or "[" not in text["en"]]


def test_every_variable_of_the_ascend_back_ends(bench: Any) -> None:
    assert unexplained(bench.plan(bench.agentsdk())) == []
    assert unexplained(bench.plan(bench.factory(), "--devices", "0-3")) == []


def test_every_variable_of_a_direct_start(bench: Any, tmp_path: Path) -> None:
    bare = make_environment(tmp_path / "bare", (), {"verl": "0.6.1"})
    bench.python = bare.python
    plan = bench.plan(bench.factory(), "--devices", "0-3")
    assert plan["backend"] == "verl" and plan["env"]["ASCEND_RT_VISIBLE_DEVICES"] == "0,1,2,3"
    assert unexplained(plan) == []


def test_every_variable_that_mindspeed_rl_and_the_cpu_get() -> None:
    inside = Path(__file__).resolve().parents[2] / "runner" / "inside" / "agentic_rl_inside" / "cpu_overrides.yaml"
    cpu = [entry["name"] for entry in yaml.safe_load(inside.read_text())["environment"]]
    table = yaml.safe_load((templates_root() / "backends" / "env_mindspeed.yaml").read_text())
    mindspeed = [entry["name"] for entry in table["driver"]]
    reasons = reasons_for([*cpu, *mindspeed, "PYTHONPATH", "RAY_ADDRESS"], "mindspeed-rl")
    assert [name for name, text in reasons.items() if text["en"] == UNKNOWN] == []
    assert "Megatron" in reasons["PYTHONPATH"]["en"] and "Megatron" in reasons["PYTHONPATH"]["zh"]


def test_secrets_are_masked(bench: Any) -> None:
    config = bench.factory()
    config.write_text(config.read_text() + "env:\n  WANDB_API_KEY: hush-hush\n")
    shown = str(bench.plan(config))
    assert "hush-hush" not in shown and "WANDB_API_KEY: ***" in shown
    code, record = bench.run(config)
    assert code == 0, bench.said() + bench.log(record)
    assert "WANDB_API_KEY has 9 characters" in bench.log(record)  # the back end got it
    files = [path for path in Path(record.directory).rglob("*") if path.is_file()]
    assert [path.name for path in files if "hush-hush" in path.read_text(errors="replace")] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_plan_for_people(lang: str, capsys: Any) -> None:
    env = {"HCCL_IF_BASE_PORT": "1", "MY_TOKEN": "hush"}
    reasons = {"HCCL_IF_BASE_PORT": {"en": "two runs share a box [HCCL]", "zh": "多个任务共用一台机器 [HCCL]"}}
    plan = Plan("agentsdk", "26.0.0", "npu", ("/x/agentic_rl", "--config-path", "/r/c.yaml"), env, "/w", "p", "e",
                files={"resolved/c.yaml": "a: 1\n"}, env_reasons=reasons)  # fmt: skip
    show_plan(plan, lang)
    shown = capsys.readouterr().out
    assert reasons["HCCL_IF_BASE_PORT"][lang] in shown and "MY_TOKEN=***" in shown
    assert "resolved/c.yaml  (5 B)" in shown and "/x/agentic_rl --config-path /r/c.yaml" in shown


def test_a_template_of_each_kind_has_a_back_end() -> None:
    from agentic_rl_wizard.runner.backends.choose import candidates
    from agentic_rl_wizard.runner.catalogue.template import list_titles

    names = [title[0] for title in list_titles()]
    able = {name: candidates(yaml.safe_load(render_template(name, "en"))) for name in names}
    assert all(able.values()), able
