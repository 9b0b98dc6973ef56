"""Atomic writes."""

import os
import stat

import pytest

from agentic_rl_wizard.runner.document import FileChanged, write_atomically


def test_mode_content_and_no_leftovers(tmp_path):
    target = tmp_path / "c.yaml"
    write_atomically(target, "a: 1\r\n中文")
    assert target.read_bytes() == "a: 1\r\n中文".encode()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["c.yaml"]


def test_a_change_by_somebody_else_is_never_overwritten(tmp_path):
    target = tmp_path / "c.yaml"
    target.write_text("theirs")
    with pytest.raises(FileChanged):
        write_atomically(target, "mine", expected="as it was")
    assert target.read_text() == "theirs"
    write_atomically(target, "mine", expected="theirs")
    assert target.read_text() == "mine"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.yaml").write_text("old")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    write_atomically(tmp_path / "link.yaml", "new")
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real.yaml").read_text() == "new"


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "c.yaml"
    target.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["c.yaml"]
