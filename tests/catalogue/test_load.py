"""The loader is strict: a slip in a data file is named with file, parameter and field."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import CatalogueError, load_catalogue, read_catalogue, templates_root
from agentic_rl_wizard.runner.catalogue.load import PARAMETER_FIELDS
from agentic_rl_wizard.runner.catalogue.texts import RELATION_FIELDS

GROUPS = """
optimizer:
  title: {en: Optimizer, zh: 优化器}
  help: {en: Steps., zh: 步长。}
"""
GOOD = """
lr:
  kind: float
  row: 31
  default: 1.0e-6
  range: "(0, inf)"
  title: {en: Learning rate, zh: 学习率}
  help: {en: How far a step goes., zh: 步长。}
"""


def catalogue_of(folder: Path, parameters: str, groups: str = GROUPS, name: str = "optimizer"):
    (folder / "groups.yaml").write_text(groups, encoding="utf-8")
    (folder / f"{name}.yaml").write_text(parameters, encoding="utf-8")
    return read_catalogue(folder)


def test_one_entry_is_a_parameter(tmp_path: Path) -> None:
    parameter = catalogue_of(tmp_path, GOOD).parameters["lr"]
    assert parameter.group == "optimizer"
    assert parameter.default.document == parameter.default.software == 1e-6
    assert parameter.constraint == {"en": "a number above 0", "zh": "大于 0 的数值"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  range:", "  rnage:", r"optimizer.yaml: lr: unknown field 'rnage' \(did you mean 'range'\?\)"),
        (", zh: 学习率}", "}", r"optimizer.yaml: lr: title: the text in 'zh' is missing"),
        ("zh: 步长。", "zh: ''", r"lr: help: the text in 'zh' is missing"),
        ("zh: 步长。", "zh: 步长。, fr: pas", r"lr: help: only en, zh are languages"),
        ("kind: float", "kind: flaot", r"lr: kind: 'flaot' is none of"),
        ("(0, inf)", "0..inf", r"lr: range: not an interval"),
        ("row: 31", "row: many", r"lr: row: expected the number of a row"),
        ("default: 1.0e-6", "default: {documented: 1}", r"lr: default: unknown field 'documented'"),
        ("row: 31", "nullable: maybe", r"lr: nullable: expected true or false"),
        ('range: "(0, inf)"', "unit: step", r"lr: constraint: missing"),
        ("row: 31", "verl: [{versions: about 0.5, key: a}]", r"lr: verl: versions: not a version range"),
        ("row: 31", "effective_when: [{key: nowhere, values: [1]}]", r"effective_when: unknown parameter 'nowhere'"),
        ("row: 31", "without_effect: {mars: {en: a, zh: b}}", r"without_effect: 'mars' is none of"),
        ("row: 31", "names: {Z: lr}", r"names: 'Z' is none of the generations"),
        (GOOD, "lr: 3", r"optimizer.yaml: lr: expected a mapping"),
        (GOOD, "- lr", r"optimizer.yaml: expected a mapping of parameters"),
        (GOOD, "lr: [", r"optimizer.yaml: "),
    ],
)
def test_slips_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(CatalogueError, match=message):
        catalogue_of(tmp_path, GOOD.replace(old, new))


def test_a_file_without_its_group_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"optimiser.yaml: no group 'optimiser' in groups.yaml"):
        catalogue_of(tmp_path, GOOD, name="optimiser")


def test_a_parameter_declared_twice_is_named(tmp_path: Path) -> None:
    groups = GROUPS + GROUPS.replace("optimizer", "other")
    (tmp_path / "other.yaml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(CatalogueError, match="lr: declared twice"):
        catalogue_of(tmp_path, GOOD, groups)


def test_every_parameter_has_a_group_of_its_section() -> None:
    catalogue = load_catalogue()
    for parameter in catalogue.parameters.values():
        assert catalogue.groups[parameter.group].section == parameter.section
    assert all(catalogue.group(name) for name in catalogue.groups), "a group without parameters"


def test_conditions_name_values_that_the_parameter_can_have() -> None:
    catalogue = load_catalogue()
    for parameter in catalogue.parameters.values():
        for condition in parameter.effective_when:
            decisive = catalogue.parameters[condition.key]
            allowed = decisive.choices or (True, False)
            assert set(condition.values) <= set(allowed), parameter.key
            assert set(condition.values) != set(allowed), "a condition that always holds"


def test_aliases_hide_no_parameter() -> None:
    catalogue = load_catalogue()
    for parameter in catalogue.parameters.values():
        for alias in parameter.aliases:
            key = f"{parameter.section}.{alias}" if parameter.section else alias
            assert key not in catalogue.parameters
            assert catalogue.resolve(key) == (parameter, alias)


def test_data_lie_in_the_installed_package() -> None:
    assert (templates_root() / "parameters" / "groups.yaml").is_file()
    assert templates_root().parts[-1] == "templates"


def test_the_catalogue_loads_neither_screen_nor_cerberus() -> None:
    program = (
        "import sys\n"
        "from agentic_rl_wizard.runner.catalogue import load_catalogue\n"
        "load_catalogue()\n"
        "heavy = {'cerberus', 'textual', 'questionary', 'torch', 'ray', 'verl', 'ruamel.yaml'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_field_is_explained_in_the_guide(lang: str) -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / lang / "add-a-parameter.md").read_text(encoding="utf-8")
    parameters, problems = re.split(r"^## (?:Problem texts|问题文案)$", guide, flags=re.MULTILINE)

    def fields(part: str) -> set[str]:
        table = {line.split("|")[1] for line in part.splitlines() if line.startswith("| `")}
        return set(re.findall(r"`(\w+)`", " ".join(table)))

    assert fields(parameters) == PARAMETER_FIELDS
    assert fields(problems) == set(RELATION_FIELDS)
