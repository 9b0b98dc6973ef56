"""`agentic-rl fix`: shown first, done when told to, nothing else touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "p"
    folder.mkdir()
    return folder


def broken(place: Path) -> Path:
    path = place / "c.yaml"
    path.write_text(
        "# keep me\nlr: 1e-6   # peak\ntrain_backend: verl\nverl:\ntrain_files: /d/a.parquet\npolicy_loss_model: gpg\n"
    )
    path.chmod(0o640)
    return path


FIXED = (
    "# keep me\nlr: 1.0e-6   # peak\ntrain_backend: verl\nverl:\n  train_files: /d/a.parquet\n  policy_loss_mode: gpg\n"
)


def fix(*arguments: object) -> int:
    return main(["fix", "--lang", "en", *map(str, arguments)])


def test_shows_a_diff_and_changes_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = broken(place)
    before = path.read_bytes()
    assert fix(path, "--no-paths") == 1
    out = capsys.readouterr().out
    assert "-lr: 1e-6   # peak\n+lr: 1.0e-6   # peak\n" in out
    assert "+  policy_loss_mode: gpg" in out
    assert path.read_bytes() == before


def test_fixes_and_keeps_the_old_text(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = broken(place)
    before = path.read_bytes()
    assert fix(path, "--no-paths", "--yes") == 0
    assert path.read_text() == FIXED
    assert (place / "c.yaml.~1~").read_bytes() == before
    assert fix(path, "--no-paths") == 0
    assert "nothing to fix" in capsys.readouterr().out


def test_modes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = place / "model"
    (model / "sub").mkdir(parents=True)
    (model / "sub" / "w.bin").write_text("x")
    outside = place / "outside"
    outside.write_text("x")
    outside.chmod(0o600)
    (model / "link").symlink_to(outside)
    for path in (model, model / "sub", model / "sub" / "w.bin"):
        path.chmod(0o777)
    config = place / "c.yaml"
    config.write_text(f"tokenizer_name_or_path: {model}\n")
    config.chmod(0o644)
    assert fix(config) == 1
    out = capsys.readouterr().out
    assert f"find {model} -type f -exec chmod 640 {{}} +" in out
    assert "lose access" in out
    assert f"chmod 640 {config}" in out
    assert model.stat().st_mode & 0o777 == 0o777
    fix(config, "--yes")
    modes = [path.stat().st_mode & 0o777 for path in (model, model / "sub", model / "sub" / "w.bin", config, outside)]
    assert modes == [0o750, 0o750, 0o640, 0o640, 0o600]  # what a link leads to is left alone


def test_a_cache_of_links_is_not_touched(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = place / "real"
    real.mkdir()
    real.chmod(0o755)
    (place / "link").symlink_to(real)
    config = place / "c.yaml"
    config.write_text(f"tokenizer_name_or_path: {place}/link\n")
    config.chmod(0o640)
    assert fix(config, "--yes") == 1
    assert "cp -rL" in capsys.readouterr().out
    assert real.stat().st_mode & 0o777 == 0o755


def test_a_file_that_cannot_be_read(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fix(place / "absent") == 2
    (place / "bad.yaml").write_text("a: [\n")
    assert fix(place / "bad.yaml") == 2
    assert "no file" in capsys.readouterr().err
