"""What a foreign interpreter says is shown without escape codes and without secrets, by every command that asks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main

SAYS = """#!/bin/sh
printf '\\033[2J\\033]0;title\\007fatal %s of %s with %s\\n' "$WANDB_API_KEY" "$https_proxy" "$HF_TOKEN" >&2
exit 9
"""


@pytest.mark.parametrize(
    ("command", "code"),
    [("check", 0), ("plan", 3), ("run", 3), ("backends", 3), ("doctor", 3), ("agent", 0)],
)
def test_words_of_the_interpreter(
    command: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("WANDB_API_KEY", "0123456789abcdef")
    monkeypatch.setenv("HF_TOKEN", "hf_0123456789")
    monkeypatch.setenv("https_proxy", "http://me:pa55word@proxy:80")
    python = tmp_path / "python"
    python.write_text(SAYS)
    python.chmod(0o755)
    (tmp_path / "tiny" / "model").mkdir(parents=True)
    for name in ("train", "heldout"):
        (tmp_path / "tiny" / f"{name}.parquet").write_bytes(b"PAR1")
    assert main(["new", "local-quickstart", "-o", "c.yaml", "--no-schema"]) == 0
    assert main(["agent", "new", "w"]) == 0
    capsys.readouterr()
    words = {"backends": [command], "doctor": [command], "agent": ["agent", "check", "w.py"]}
    assert main([*words.get(command, [command, "c.yaml"]), "--python", str(python), "--lang", "en"]) == code
    out, err = capsys.readouterr()
    assert "fatal *** of http://***@proxy:80 with ***" in " ".join((out + err).split())
    assert "\x1b" not in out + err
    assert not (tmp_path / "runs").exists()
