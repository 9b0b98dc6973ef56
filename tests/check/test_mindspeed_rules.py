"""Every relation of MindSpeed-RL on both sides of its edge, for the versions it holds for (backends.md 1.3, M1-M24)."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from files import check
from mindspeed_rows import ALL, BASE, GBS, NPUS, PP, RL, ROWS, TP, G, S, T

from agentic_rl_wizard.runner.catalogue import Problem, problem_text
from agentic_rl_wizard.runner.catalogue.texts import problem_catalogue
from agentic_rl_wizard.runner.check import World
from agentic_rl_wizard.runner.check.mindspeed import RULES
from agentic_rl_wizard.runner.document import apply_edits
from agentic_rl_wizard.runner.facts.machine import Machine
from agentic_rl_wizard.runner.facts.model import ModelFacts


def text_of(changes: dict[str, Any], *, nested: bool = True) -> str:
    """The base file with changes; nested as MindSpeed-RL ships it, or flat dotted keys."""
    values = BASE | changes
    if not nested:
        return yaml.safe_dump(values, sort_keys=False)
    tree: dict[str, Any] = {}
    for key, value in values.items():
        place = tree
        *parents, name = key.split(".")
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = value
    return yaml.safe_dump(tree, sort_keys=False)


def judged(changes: dict[str, Any], version: str = "2.3.0", nested: bool = True, **world: Any) -> list[Problem]:
    return check(text_of(changes, nested=nested), World(backend_version=version, **world))


def test_the_base_is_fine_for_every_version() -> None:
    for version in ALL:
        assert judged({}, version) == []
        assert judged({}, version, nested=False) == []


@pytest.mark.parametrize(("row", "code", "bad", "good", "versions"), ROWS, ids=[row[0] for row in ROWS])
def test_row(row: str, code: str, bad: dict[str, Any], good: dict[str, Any], versions: tuple[str, ...]) -> None:
    for version in ALL:
        found = [p for p in judged(bad, version) if p.code == code]
        if version in versions:
            assert found, version
            assert {p.level for p in found} == {"error"}
            assert code in {p.code for p in judged(bad, version, nested=False)}, version
            assert code not in {p.code for p in judged(good, version)}, version
        elif not row.startswith(("M6-2.2", "M7", "M5")):  # whose other versions have rows of their own
            assert not found, version
    problem = next(p for p in judged(bad, versions[0]) if p.code == code)
    text = text_of(bad)
    assert problem.line > 0
    for lang in ("en", "zh"):
        words = problem_text(problem, lang)
        assert "{" not in words.message + words.because + words.fix
        assert "?" not in words.message
    if problem.edits:
        repaired = check(apply_edits(text, problem.edits), World(backend_version=versions[0]))
        assert (problem.key, code) not in {(p.key, p.code) for p in repaired}


def test_no_shipped_hint_is_an_error() -> None:
    # M24: three files that ship live with the first, one with the second.
    short = judged({G + "max_num_batched_tokens": 1024, S + "max_tokens": 4000, RL + "max_prompt_length": 2048})
    assert {(p.code, p.level) for p in short} == {
        ("mindspeed-batched-tokens", "hint"), ("mindspeed-response-length", "hint"),
    }  # fmt: skip


GRAPH = {G + "torchair_graph": True}
MACHINE = Machine("npu", 16, 16, cpus=192, nodes=1)


@pytest.mark.parametrize(
    ("changes", "machine", "code", "level"),
    [
        ({NPUS: 32, GBS: 64}, MACHINE, "mindspeed-devices-too-few", "error"),
        ({NPUS: 32, GBS: 64}, Machine("npu", 16, 16, nodes=2), "", ""),
        ({NPUS: 32, GBS: 64}, Machine("npu", 16, 16), "", ""),
        ({NPUS: 16}, Machine("npu", 16, 16, ray_devices=8), "mindspeed-devices-too-few", "error"),
        ({NPUS: 24, GBS: 48}, Machine("npu", 16, 16, nodes=2), "mindspeed-whole-nodes", "warning"),
        ({}, Machine("npu", 16, 16, cpus=127, nodes=1), "mindspeed-cores", "error"),
        ({}, Machine("npu", 16, 16, cpus=128, nodes=1), "", ""),
        ({RL + "num_cpus_for_placement_group": 4}, Machine("npu", 16, 16, cpus=64, nodes=1), "", ""),
        ({GBS: 48}, Machine("npu", 16, 16, nodes=5), "global-batch-not-divisible", "error"),
        ({}, Machine("cpu", 0, 0, cpus=8, nodes=1), "no-accelerator", "warning"),
        (GRAPH, Machine("npu", 16, 16, env={"TASK_QUEUE_ENABLE": "2"}), "mindspeed-graph-mode", "warning"),
        (GRAPH, Machine("npu", 16, 16, env={"TASK_QUEUE_ENABLE": "1"}), "", ""),
    ],
)  # fmt: skip
def test_machine(changes: dict[str, Any], machine: Machine, code: str, level: str) -> None:
    found = [(p.code, p.level) for p in judged(changes, "2.3.0", machine=machine)]
    assert found == ([(code, level)] if code else [])


def test_nodes_count_from_2_2_on() -> None:
    assert judged({GBS: 48}, "2.1.0", machine=Machine("npu", 16, 16, nodes=5)) == []


def test_the_model_is_the_preset_unless_a_profile_says_otherwise() -> None:
    small = ModelFacts(source="config.json", num_attention_heads=3)
    assert judged({TP: 4, PP: 1}, model=small) == []  # the tokenizer's folder decides nothing
    told = ModelFacts(source="profile", num_attention_heads=30, num_key_value_heads=10)
    assert "mindspeed-heads" in [p.code for p in judged({TP: 4, PP: 1}, model=told)]
    written = {"model.mine.num_attention_heads": 30, T + "model": "mine", TP: 4, PP: 1}
    assert "mindspeed-heads" in [p.code for p in judged(written)]
    assert judged({T + "model": "somebody's", TP: 8, PP: 1}) == []


def test_the_context_of_the_model() -> None:
    model = ModelFacts(source="config.json", max_position_embeddings=4096)
    assert judged({}, model=model) == []
    (problem,) = judged({G + "max_model_len": 4097}, model=model)
    assert (problem.code, problem.level) == ("mindspeed-context-limit", "error")
    allowed = Machine("npu", 16, 16, env={"VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1"})
    assert [p.level for p in judged({G + "max_model_len": 4097}, model=model, machine=allowed)] == ["warning"]


def test_what_the_file_leaves_at_its_defaults_is_nobodys_mistake() -> None:
    assert [p.code for p in check("rl_config:\n  kl_horizon: 5\n")] == ["mindspeed-value-missing"]


def test_every_rule_has_a_text_with_its_keys() -> None:
    entries = problem_catalogue()
    for rule in RULES:
        assert entries[rule.code].keys, rule.code
    assert {f"M{n}" for n in range(1, 25)} == {rule.number for rule in RULES if rule.number}
