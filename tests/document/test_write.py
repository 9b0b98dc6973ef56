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


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_the_mode_is_the_same_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "a.yaml", "x", new=True)
        write_atomically(tmp_path / "b.yaml", "x")
    finally:
        os.umask(before)
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.yaml", "b.yaml")} == {0o640}


def test_a_new_file_never_takes_a_name_that_is_taken(tmp_path):
    (tmp_path / "there.yaml").write_text("theirs")
    (tmp_path / "dangling.yaml").symlink_to("nowhere.yaml")
    for name in ("there.yaml", "dangling.yaml"):
        with pytest.raises(FileExistsError):
            write_atomically(tmp_path / name, "mine", new=True)
    assert (tmp_path / "there.yaml").read_text() == "theirs"
    assert not (tmp_path / "nowhere.yaml").exists()


def test_directories_devices_and_pipes_are_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(OSError, match=r"regular|directory"):
            write_atomically(tmp_path / name, "x")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "c.yaml"
    target.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_atomically(target, "new")
    with pytest.raises(OSError, match="space"):
        write_atomically(tmp_path / "other.yaml", "new", new=True)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["c.yaml"]
