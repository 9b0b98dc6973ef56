import json
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main

LOG = "INFO fine\n(W pid=7) torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2 GiB, api_key=abc123\n"


def test_any_log_in_both_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "theirs.log"
    log.write_text(LOG)
    texts: dict[str, str] = {}
    for lang in ("en", "zh"):
        assert main(["diagnose", str(log), "--lang", lang]) == 0
        texts[lang] = capsys.readouterr().out
        assert "npu-out-of-memory" in texts[lang]
        assert "gpu_memory_utilization" in texts[lang]
        assert "abc123" not in texts[lang]
    assert "line 2" in texts["en"]
    assert "第 2 行" in texts["zh"]


def test_json_has_the_fields_of_the_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "theirs.log"
    log.write_text(LOG)
    assert main(["diagnose", str(log), "--json", "--lang", "en"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failed"] is True
    first = told["causes"][0]
    assert set(first) == {"id", "line", "excerpt", "cause", "remedy", "parameters"}
    assert first["line"] == 2


def test_a_good_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "good.log"
    log.write_text("Total training steps: 1\nstep:1 - critic/rewards/mean:0.5\n" + LOG)
    assert main(["diagnose", str(log), "--lang", "en"]) == 0
    assert "ended well (step 1 of 1)" in capsys.readouterr().out


def test_nothing_to_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(tmp_path / "none.log")]) == 2
    assert "none.log" in capsys.readouterr().err
