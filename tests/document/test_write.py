"""Writing in one piece: mode, links, other people's changes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from agentic_rl_wizard.runner.document import FileChanged, write_atomically


def test_new_file_has_mode_640_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write_atomically(tmp_path / "a.yaml", "a: 1\r\n")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a.yaml").stat().st_mode) == 0o640
    assert (tmp_path / "a.yaml").read_bytes() == b"a: 1\r\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real.yaml"
    real.write_text("old")
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_file_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("theirs")
    with pytest.raises(FileChanged):
        write_atomically(path, "ours", expected="what we read")
    assert path.read_text() == "theirs"
    write_atomically(path, "ours", expected="theirs")
    assert path.read_text() == "ours"
    path.unlink()
    with pytest.raises(FileChanged, match="gone"):
        write_atomically(path, "again", expected="ours")


def test_a_failure_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]
