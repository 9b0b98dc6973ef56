"""References to runs that are none: the commands say so, whatever the name or the folder holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main


@pytest.mark.parametrize("command", ["status", "rollouts", "diagnose", "bundle"])
@pytest.mark.parametrize(
    "reference", ["\x1b[2J", "\u202eabc", "a" * 5000, "half", "null"], ids=["escape", "rlo", "long", "half", "null"]
)
def test_no_run(
    command: str, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, text in (("half", '{"id": "x", "state": "running"}'), ("null", '{"id": null, "project": 3}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(text)
    assert main([command, reference, "--lang", "en"]) == 2
    out, err = capsys.readouterr()
    assert err
    assert "\x1b" not in out + err
    assert "\u202e" not in out + err
