"""AgentSDK's schema, names, relations and generations, row by row (facts/agentsdk.md 0-3)."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from agentsdk_rows import BPLUS, CHOICES, JUDGED, NAMES, RECOGNISED, RELATIONS, VALUES, VERSIONS, D, E
from files import MINDSPEED, VERL, check, codes, only

from agentic_rl_wizard.runner.catalogue import Problem
from agentic_rl_wizard.runner.check import World, generation_named, generation_of
from agentic_rl_wizard.runner.document import apply_edits, parse_document


def file_with(key: str, text: str) -> str:
    """A good file whose ``key`` has a value written so; the back end is the section's, else MindSpeed-RL."""
    section, _, name = key.rpartition(".")
    base = VERL if section == "verl" else MINDSPEED
    lines = [line for line in base.splitlines() if not line.strip().startswith(f"{name}:") or section]
    return "\n".join([*lines, f"  {name}: {text}"] if section else [f"{name}: {text}", *lines]) + "\n"


def errors(text: str, key: str = "", **world: Any) -> list[str]:
    found: list[Problem] = check(text, World(**world))
    return [p.code for p in found if p.level == "error" and (not key or p.key == key)]


@pytest.mark.parametrize(("key", "text", "code"), VALUES, ids=[f"{row[0]}-{row[1]}" for row in VALUES])
def test_value(key: str, text: str, code: str) -> None:
    own = {
        "wrong-type",
        "null-value",
        "out-of-range",
        "not-a-choice",
        "not-unique",
        "wrong-item-type",
        "misprint-value",
    }
    own |= {"clip-bounds-order", "value-unregistered", "dataset-keys-needed"}
    found = [c for c in errors(file_with(key, text), key) if c in own]
    assert found == ([code] if code else [])


@pytest.mark.parametrize("key", list(CHOICES))
def test_words(key: str) -> None:
    found = errors(file_with(key, CHOICES[key][1]), key)
    assert found[:1] in (["not-a-choice"], ["misprint-value"])


@pytest.mark.parametrize(("key", "text", "code"), NAMES, ids=[row[0] for row in NAMES])
def test_name(key: str, text: str, code: str) -> None:
    content = file_with(key, text)
    problem = only([p for p in check(content) if p.key == key], code)
    assert problem.level == "error"  # the schema forbids what it does not know
    if code != "unknown-key":
        assert errors(apply_edits(content, problem.edits)) == []


def test_documented_names_only_warn_where_they_are_translated() -> None:
    text = file_with("verl.kl_loss_coeff", "0.1")
    assert only(check(text, target="local"), "documented-name").level == "warning"


def test_the_unused_section_is_validated_too() -> None:
    text = MINDSPEED + "verl:\n  train_files: /d/t\n  val_files: /d/v\n  nonsense: 1\n  save_freq: -1\n"
    assert errors(text) == ["unknown-key", "out-of-range"]


@pytest.mark.parametrize(("lines", "code"), RELATIONS, ids=[f"{i}-{row[1] or 'ok'}" for i, row in enumerate(RELATIONS)])
def test_relation(lines: str, code: str) -> None:
    values: dict[str, Any] = yaml.safe_load(MINDSPEED)
    for line in lines.split("; "):
        key, _, text = line.partition(": ")
        section, _, name = key.rpartition(".")
        (values[section] if section else values)[name] = yaml.safe_load(text)
    found = errors(yaml.safe_dump(values))
    assert code in found if code else found == []


@pytest.mark.parametrize(("started", "asked", "warned"), [(1, 1, False), (2, 2, False), (1, 2, True), (2, 1, True)])
def test_machines_are_counted_twice(started: int, asked: int, warned: bool) -> None:
    text = VERL.replace("train_backend", f"num_node: {started}\ntrain_backend") + f"  nnodes: {asked}\n"
    found = [p for p in check(text) if p.code == "nodes-disagree"]
    assert [p.level for p in found] == ["warning"] * warned


# Generations.


@pytest.mark.parametrize(
    ("text", "generation"),
    RECOGNISED,
)
def test_recognised(text: str, generation: str) -> None:
    assert generation_of(parse_document(text).values) == generation


@pytest.mark.parametrize(
    ("version", "generation"),
    VERSIONS,
)
def test_version(version: str, generation: str | None) -> None:
    assert generation_named(version) == generation


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    JUDGED,
)
def test_judged_by_its_own_rules(text: str, version: str, expected: list[str]) -> None:
    assert sorted(errors(text, backend_version=version)) == sorted(expected)


def test_newer_generations_are_named_and_their_limits_told() -> None:
    for text, generation in ((D, "D"), (E, "E")):
        (problem,) = check(text)
        assert (problem.level, problem.code, problem.line) == ("warning", "generation-hydra", 1)
        assert problem.params["generation"] == generation
    assert codes(D, target="verl") == codes(E, target="local") == ["generation-hydra"]
    assert only(check(D, target="verl"), "generation-hydra").level == "error"


def test_a_pre_release_is_named() -> None:
    assert only(check(BPLUS), "generation-older").params["generation"] == "B+"
