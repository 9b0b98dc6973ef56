"""The table of releases that belong together, the clashes, and the texts of the findings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.findings import GROUPS, fill, finding_entries
from agentic_rl_wizard.runner.catalogue.software_table import (
    allows,
    base_version,
    clashes,
    combination_for,
    combinations,
    nearest_release,
    unmet,
)

ROOT = Path(__file__).resolve().parents[2]
CHINESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")


@pytest.mark.parametrize(
    ("wanted", "version", "expected"),
    [
        (("2.5.1",), "2.5.1.post1", True),
        (("2.5.1",), "2.5.1+cpu", True),
        (("2.5.1",), "2.5.10", False),
        (("8.3.RC1",), "8.3.rc1", True),
        (("8.3.RC1",), "8.3.RC2", False),
        (("26.0",), "26.0.rc1", True),
        (("25",), "25.5.0", True),
        (("0.16",), "0.16.1", True),
        ((">=3.10,<3.12"), "3.11.9", True),
        ((">=3.10,<3.12"), "3.12.1", False),
        ("+cu", "2.9.0+cu128", True),
        ("+cu", "2.9.0+cpu", False),
        ("", "anything", True),
    ],
    ids=["post", "local", "longer", "case", "rc", "short", "major", "minor", "in", "out", "cuda", "cpu", "any"],
)
def test_versions(wanted, version, expected):
    assert allows(wanted, version) is expected


def test_rows():
    assert combination_for("vllm-ascend", "0.11.0rc1").versions["torch"] == ("2.7.1",)
    assert combination_for("verl", "0.7.3") is None
    assert nearest_release("verl", "0.7.3") == "0.7.1"
    assert nearest_release("verl", "0.1") == "0.4.0"
    assert nearest_release("nothing", "1") == ""
    assert all(row.source and row.versions for row in combinations())
    names = [(row.software, row.release) for row in combinations()]
    assert len(names) == len(set(names))


def test_every_row_of_verl_agrees_with_the_row_of_its_vllm_ascend():
    """Two documents about one stack: what both name must overlap, or one of them is copied wrongly."""
    for row in combinations():
        for release in row.versions.get("vllm-ascend", ()) if row.software == "verl" else ():
            inner = combination_for("vllm-ascend", release)
            assert inner is not None, release
            for name in ("torch", "torch-npu", "vllm", "cann"):
                ours, theirs = row.versions[name], inner.versions[name]
                assert any(allows(theirs, one) or allows(ours, other) for one in ours for other in theirs), (row, name)


def test_requirements():
    have = {"torch": "2.8.0+cpu", "numpy": "2.1.0", "torch-npu": "2.8.0", "transformers": "4.57.6"}
    asked = [
        "torch==2.8.0",
        "numpy<2.0.0",
        "torch_npu (==2.8.0.post2)",
        "transformers!=5.6.0,<5.11,>=4.57.4",
        "absent>9",
    ]
    assert [name for _, name, _ in unmet(asked, have)] == ["numpy", "torch-npu"]
    assert unmet(["numpy>=3; python_version > '3.11'", "ray[default]>=2"], have) == []
    assert unmet(["transformers~=3.0", "numpy==2.*"], have) == []
    assert base_version("2.8.0.post2") == "2.8.0"


def test_each_text_is_chinese_in_chinese_and_not_in_english():
    for entry in (*finding_entries().values(), *(clash.entry for clash in clashes().values())):
        for text in (entry.seen, entry.because, entry.cure):
            assert not CHINESE.search(text["en"]), entry.id
        for text in (entry.seen, entry.because):
            assert not text["zh"] or CHINESE.search(text["zh"]), entry.id
        assert bool(entry.because["en"]) == bool(entry.cure["en"]), entry.id


def test_values_are_data():
    params = {"name": "a{name}\x1b[31m", "list": ["x", "y"], "words": {"en": "good", "zh": "好"}}
    assert "\x1b" not in fill("{name}", params, "en")
    assert fill("{list}", params, "zh") == "x、y"
    assert fill("{words}[?, {none}?].", params, "en") == "good."


def test_each_finding_has_a_text_and_each_text_a_finding():
    used = set()
    for path in (ROOT / "runner" / "doctor").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                strings = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                used |= {one for one in strings if isinstance(one, str) and "-" in one and " " not in one}
    used -= {"npu-smi"}
    assert used == set(finding_entries())
    assert GROUPS
