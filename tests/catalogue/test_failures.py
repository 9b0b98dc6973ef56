from pathlib import Path
from typing import Any

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue import CatalogueError
from agentic_rl_wizard.runner.catalogue.failures import load_failures, read_failures

TEXT = {"en": "a", "zh": "b"}
GOOD: dict[str, Any] = {"signs": ["boom"], "cause": TEXT, "remedy": TEXT, "source": "x"}


def test_every_failure_names_something_to_do_in_both_languages() -> None:
    entries = load_failures()["entries"]
    assert len(entries) > 60
    for entry in entries:
        for text in (entry["cause"], entry["remedy"]):
            assert set(text) == {"en", "zh"}
            assert any("\u4e00" <= char <= "\u9fff" for char in text["zh"]), entry["id"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signs": ["(a"]}, "signs"),
        ({"signs": ["(a)b"]}, "write \\(\\?:"),
        ({"signs": []}, "either by signs or by a metric"),
        ({"context": "any"}, "needed with"),
        ({"role": "reason"}, "none of"),
        ({"remedy": {"en": "a"}}, "zh"),
        ({"sings": ["a"]}, "did you mean 'signs'"),
    ],
    ids=["broken", "group", "none", "words", "role", "language", "slip"],
)
def test_a_slip_in_the_data_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    (tmp_path / "noise.yaml").write_text("noise: []\nreasons: {}\n")
    (tmp_path / "some.yaml").write_text(yaml.safe_dump({"bang": {**GOOD, **change}}))
    with pytest.raises(CatalogueError, match=words):
        read_failures(tmp_path)
