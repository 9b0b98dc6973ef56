"""Why a run ended is told in the language of whoever looks, whoever started it."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.process.reasons import TEXTS, give_reason, reason_text
from agentic_rl_wizard.runner.process.record import RunRecord


def a_record(tmp_path: Path, **values: Any) -> RunRecord:
    return RunRecord("run-1", str(tmp_path), "p", "e", **values)


def test_both_languages_through_the_file(tmp_path: Path) -> None:
    record = a_record(tmp_path, state="failed")
    give_reason(record, "killed-by-kernel", signal="SIGKILL")
    give_reason(record, "removed", count=3)
    record.write()
    again = RunRecord.read(tmp_path)
    assert again.reason == reason_text(again, "en")
    assert again.reason == "killed by SIGKILL (the kernel does that when memory runs out); 3 processes removed"
    assert reason_text(again, "zh") == "被信号 SIGKILL 终止（内存耗尽时内核会这样做）；清除了 3 个进程"


def test_what_a_log_says_is_not_translated(tmp_path: Path) -> None:
    record = a_record(tmp_path)
    give_reason(record, "log", text="KeyError: '{x}'")
    assert reason_text(record, "zh") == reason_text(record, "en") == "KeyError: '{x}'"


@pytest.mark.parametrize("codes", [[], [{"code": "of-a-later-version"}]], ids=["none", "unknown"])
def test_without_known_codes_the_words_stand(tmp_path: Path, codes: list[dict[str, Any]]) -> None:
    assert reason_text(a_record(tmp_path, reason="as written", reason_codes=codes), "zh") == "as written"


def test_more_said_about_a_run_of_an_older_version(tmp_path: Path) -> None:
    record = a_record(tmp_path, reason="as written")
    give_reason(record, "one-removed", count=1)
    assert reason_text(record, "zh") == "as written；清除了 1 个进程"
    assert record.reason == "as written; 1 process removed"


@pytest.mark.parametrize("code", TEXTS)
def test_every_reason_has_both_languages(code: str) -> None:
    names = [{name for _, name, _, _ in string.Formatter().parse(TEXTS[code][lang]) if name} for lang in ("en", "zh")]
    assert set(TEXTS[code]) == {"en", "zh"} and names[0] == names[1]
