"""Every failure of the catalogue is recognised in a line of its own, and a near miss is not."""

from pathlib import Path

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue.failures import load_failures
from agentic_rl_wizard.runner.stream import Diagnosis, diagnose_log, read_signatures

LINES = yaml.safe_load(Path(__file__).with_name("failure_lines.yaml").read_text(encoding="utf-8"))
ENTRIES = {entry["id"]: entry for entry in load_failures()["entries"]}
CASES = [(name, kind, n) for name, lines in LINES.items() for kind in ("hit", "miss") for n in range(len(lines[kind]))]


def judged(folder: Path, text: str) -> Diagnosis:
    path = folder / "some.log"
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return diagnose_log(path, read_signatures(load_failures()))


def test_every_failure_has_its_lines() -> None:
    assert set(LINES) == set(ENTRIES)


@pytest.mark.parametrize(("name", "kind", "n"), CASES, ids=[f"{name}-{kind}{n}" for name, kind, n in CASES])
def test_signature(tmp_path: Path, name: str, kind: str, n: int) -> None:
    found = judged(tmp_path, LINES[name][kind][n])
    notice = ENTRIES[name]["role"] == "notice"
    told = [one.id for one in (found.remarks if notice else found.causes)]
    assert (told[:1] == [name]) if kind == "hit" else (name not in told)
    if kind == "hit":
        assert found.failed is not notice


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry["signs"]])
def test_the_line_is_named(tmp_path: Path, name: str) -> None:
    text = LINES[name]["hit"][0]
    found = judged(tmp_path, "INFO one\nINFO two\n" + text)
    first = [*found.causes, *found.remarks][0]
    lines = ["", "INFO one", "INFO two", *text.split("\n")]
    assert first.line is not None
    assert first.line >= 3
    assert first.excerpt in " ".join(lines[first.line].split())
    assert first.parameters == (*ENTRIES[name]["parameters"], *ENTRIES[name]["environment"])
