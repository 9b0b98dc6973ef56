"""Every row of document 004's table is in the catalogue of verl's keys, as the document states it."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue import load_catalogue, validate_value

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Words of the document's marks -> variant; 必修改 beside them makes the row required.
VARIANTS = {
    "PPO算法": "ppo",
    "多轮对话Agent训练": "multi-turn",
    "多模态模型": "multimodal",
    "Lora": "lora",
    "one-step-off-policy": "one-step-off",
}
# Long sequences and resuming have no mark; the rows' texts tell what they are for.
BY_TEXT = {16: ["long-sequence"], 17: ["long-sequence"], 33: ["resume"], 34: ["resume"]}


def rows() -> list[dict[str, str]]:
    with (HERE / "document_004.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['row']}-{row['key'].removeprefix('backend_config.')}")
def test_row(row: dict[str, str]) -> None:
    written = row["key"].removeprefix("backend_config.")
    resolved = load_catalogue("verl").resolve(written)
    assert resolved is not None, "the documented key is not accepted"
    parameter = resolved[0]
    assert parameter.source == f"004, row {row['row']}"
    # The document shortens one key; every other stands in the file as the document writes it.
    shortened = written.startswith("engine_kwargs.")
    assert parameter.file_key("ascendfactory") == (
        f"backend_config.actor_rollout_ref.rollout.{written}" if shortened else row["key"]
    )

    required, _, variant = row["mark"].partition(":")
    mark = variant or ("" if required in ("required", "optional") else required)
    assert parameter.required == (row["mark"] == "required")
    assert parameter.required_for("ascendfactory") == parameter.required
    assert not parameter.required_for("verl"), "verl itself has a default"
    assert list(parameter.required_in) == ([variant] if variant else [])
    assert list(parameter.variants) == BY_TEXT.get(int(row["row"]), [mark] if mark else [])

    assert parameter.default.document_known == bool(row["default"])
    if row["default"]:
        assert parameter.default.document == yaml.safe_load(row["default"])
    if row["choices"]:
        assert sorted(map(str, parameter.choices)) == sorted(row["choices"].split(","))
    example: Any = yaml.safe_load(row["example"]) if row["example"] else None
    assert parameter.example == example
    assert validate_value(parameter, example) == [] or row["example"] == ""


def test_counts() -> None:
    assert len(rows()) == 50
    documented = [parameter for parameter in load_catalogue("verl").parameters.values() if parameter.documented]
    assert [parameter.source for parameter in documented] == [f"004, row {number}" for number in range(1, 51)]


def test_documented_defaults_that_verl_does_not_share() -> None:
    differing = {key: p.default for key, p in load_catalogue("verl").parameters.items() if p.default.differs}
    assert {key: (d.document, d.software) for key, d in differing.items()} == {
        "actor_rollout_ref.actor.use_kl_loss": (True, False),  # false in every version
        "actor_rollout_ref.rollout.mode": ("sync", "async"),  # since 0.7
        "data.return_raw_chat": (False, True),  # since 0.7
    }


def test_what_each_variant_must_set() -> None:
    parameters = load_catalogue("verl").parameters.values()
    always = {p.key for p in parameters if p.needed_in("grpo")}
    assert always == {"af_output_dir", "data.train_files", "data.val_files", "actor_rollout_ref.model.path"}
    extra = {
        variant: sorted(p.key for p in parameters if p.needed_in(variant) and p.key not in always)
        for variant in ("ppo", "multi-turn", "lora", "one-step-off", "resume", "multimodal", "long-sequence")
    }
    assert extra.pop("ppo") == ["critic.model.path", "reward_model.model.path"]
    assert extra.pop("multi-turn") == [
        "actor_rollout_ref.rollout.mode",
        "actor_rollout_ref.rollout.multi_turn.enable",
        "actor_rollout_ref.rollout.multi_turn.tool_config_path",
        "data.return_raw_chat",
    ]
    assert set(map(tuple, extra.values())) == {()}


@pytest.mark.parametrize(
    ("family", "key", "levels"),
    [("verl", "trainer.save_freq", []), ("agentsdk", "verl.save_freq", ["error"])],
    ids=["004", "000"],
)
def test_never_saving_is_legal_in_004_only(family: str, key: str, levels: list[str]) -> None:
    parameter = load_catalogue(family).parameters[key]
    assert [problem.level for problem in validate_value(parameter, -1)] == levels
    assert validate_value(parameter, 10) == []


def table_of(text: str) -> list[list[str]]:
    """The rows of the document's table, which has lost its line ends: key, sample, description."""
    cells = [cell.strip() for cell in text.partition("|:---|:---|:---|")[2].split("|")]
    cells = [cell.replace("\\", "") for cell in cells if cell]
    return [cells[index : index + 3] for index in range(0, len(cells), 3)]


def mark_of(description: str) -> str:
    """The mark in front of a description, as the fixture writes it."""
    found = re.match(r"【([^】]*)】", re.sub(r"[*\s]", "", description))
    if found is None:
        return ""
    words = found[1].removesuffix("必修改")
    required = "required" if found[1] != words else ""
    if words == "可选":
        return "optional"
    return ":".join(filter(None, (required, VARIANTS[words]))) if words else required


def test_fixture_agrees_with_the_document() -> None:
    found = next((p for parent in ROOT.parents for p in sorted((parent / "shared" / "seeds").glob("004*.txt"))), None)
    if found is None:
        pytest.skip("the document is not at hand")
    table = table_of(found.read_text(encoding="utf-8"))
    assert len(table) == 50
    assert [row["key"] for row in rows()] == [key for key, _, _ in table]
    assert [row["mark"] for row in rows()] == [mark_of(description) for _, _, description in table]
    stated = r"默认(?:值为|为|选择)?\s*['\"]?([-\w.]+)"
    defaults = [re.search(stated, description, re.ASCII) for _, _, description in table]
    assert [row["default"] for row in rows()] == [match[1] if match else "" for match in defaults]
    for row, (_, sample, _) in zip(rows(), table, strict=True):
        if row["example"]:  # paths are left out
            written = yaml.safe_load(sample)
            assert yaml.safe_load(row["example"]) == (float(written) if written == "1e-6" else written)
