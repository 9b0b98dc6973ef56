"""Every row of document 000's tables is in the catalogue, as the document states it."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue import explain, load_catalogue
from agentic_rl_wizard.runner.catalogue.ranges import parse_range
from agentic_rl_wizard.runner.cli.launch import command as commands_run

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TABLES = {"": "000 first level", "mindspeed_rl": "000 mindspeed-rl", "verl": "000 verl"}
KINDS = {"List[str]": "list", "optional[int]": "int"}


def all_rows() -> list[dict[str, str]]:
    with (HERE / "document_000.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def rows() -> list[dict[str, str]]:
    """The rows of parameters: all but that of the command's option."""
    return [row for row in all_rows() if row["section"] != "command"]


def dotted(row: dict[str, str]) -> str:
    return f"{row['section']}.{row['key']}" if row["section"] else row["key"]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['section'] or 'first'}-{row['row']}-{row['key']}")
def test_row(row: dict[str, str]) -> None:
    resolved = load_catalogue().resolve(dotted(row))
    assert resolved is not None, "the documented name is not accepted"
    parameter, alias = resolved
    assert parameter.section == row["section"]
    assert alias == (row["key"] if row["key"] != parameter.name else None)

    expected = KINDS.get(row["type"], row["type"])
    assert parameter.kind == ("path" if parameter.name.endswith(("_path", "_files")) else expected)
    assert parameter.nullable == (row["type"] == "optional[int]" or parameter.name == "dataset_additional_keys")

    if row["default"]:
        documented: Any = yaml.safe_load(row["default"])
        assert parameter.default.document_known
        assert parameter.default.document == documented
        assert type(parameter.default.document) in (type(documented), float)
    else:
        assert not parameter.default.document_known

    if row["range"]:
        assert parameter.range == parse_range(row["range"])
    elif parameter.key != "top_k":  # the document gives none; -1 and up is what vLLM takes
        assert parameter.range is None
    assert [str(choice) for choice in parameter.choices] == (row["choices"].split(",") if row["choices"] else [])
    # use_stepwise_advantage stands twice in the first table; its first row counts.
    if (row["key"], row["row"]) != ("use_stepwise_advantage", "44"):
        assert parameter.source == f"{TABLES[row['section']]}, row {row['row']}"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_row_of_the_command(lang: str) -> None:
    options = [row for row in all_rows() if row["section"] == "command"]
    assert [row["key"] for row in options] == ["--config-path"]
    for asked in ("--config-path", "config_path"):
        explanation = explain(asked, lang)  # type: ignore[arg-type]
        assert (explanation.subject, explanation.key) == ("option", "--config-path")
        assert {section.id: section.lines for section in explanation.sections}["source"] == ("000 command, row 1",)
    parser = argparse.ArgumentParser()
    commands_run.add_parsers(parser.add_subparsers())
    assert parser.parse_args(["run", "--config-path", "job.yaml"]).config_path == "job.yaml"


def test_parameters_stand_in_the_order_of_the_documents() -> None:
    documented = [parameter.key for parameter in load_catalogue().parameters.values() if parameter.documented]
    catalogue = load_catalogue()
    expected: list[str] = []
    for row in rows():
        resolved = catalogue.resolve(dotted(row))
        assert resolved is not None
        if resolved[0].key not in expected:
            expected.append(resolved[0].key)
    assert documented == expected


def test_nothing_claims_to_be_documented_that_is_not() -> None:
    documented = {parameter.key for parameter in load_catalogue().parameters.values() if parameter.documented}
    assert len(documented) == len({dotted(row) for row in rows()}) == 43 + 13 + 39


def test_counts_of_the_software() -> None:
    catalogue = load_catalogue()
    assert {name: len(catalogue.section(name)) for name in ("", "mindspeed_rl", "verl")} == {
        "": 52,
        "mindspeed_rl": 27,
        "verl": 39,
    }


def test_documented_defaults_that_the_software_does_not_share() -> None:
    differing = {key: p.default for key, p in load_catalogue().parameters.items() if p.default.differs}
    assert {key: (d.document, d.software) for key, d in differing.items()} == {
        "entropy_coeff": (0.2, 0.001),
        "weight_decay": (0, 0.01),
        "verl.kl_loss_type": ("low_bar_kl", "low_var_kl"),
    }


def seed_document() -> Path | None:
    for parent in ROOT.parents:
        found = sorted((parent / "shared" / "seeds").glob("000*.txt"))
        if found:
            return found[0]
    return None


def test_the_documents_have_97_and_50_rows() -> None:
    counts = {section: sum(row["section"] == section for row in all_rows()) for section in ("command", *TABLES)}
    # 45 on the first level, the command's option among them; one key stands twice there.
    assert counts == {"command": 1, "": 44, "mindspeed_rl": 13, "verl": 39}
    assert len({row["key"] for row in rows() if not row["section"]}) == 43
    with (HERE / "document_004.tsv").open(encoding="utf-8", newline="") as file:
        assert (len(all_rows()), len(list(csv.DictReader(file, delimiter="\t")))) == (97, 50)


def test_fixture_agrees_with_the_document() -> None:
    path = seed_document()
    if path is None:
        pytest.skip("the document is not at hand")
    tables: list[list[tuple[str, str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|") or set(line) <= set("|-"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "参数名":
            tables.append([])
        else:
            tables[-1].append((cells[0], cells[1]))
    command, first, mindspeed_rl, verl = tables
    assert [cells[0] for cells in command] == [row["key"] for row in all_rows() if row["section"] == "command"]
    assert sum(map(len, tables)) == 97
    for section, table in (("", first), ("mindspeed_rl", mindspeed_rl), ("verl", verl)):
        assert [(row["key"], row["type"]) for row in rows() if row["section"] == section] == table
