"""Saving: exact bytes, mode, backups, conflicts, read-only targets, links."""

import os
from pathlib import Path

import pytest

from agentic_rl_wizard.wizard.form import rooms
from agentic_rl_wizard.wizard.form.opening import from_template, open_file
from agentic_rl_wizard.wizard.form.saving import changed_on_disk, save, suggested_name
from agentic_rl_wizard.wizard.form.state import Form

TEXT = "# c\ntrain_backend: verl\ntop_k: 10  \n\nverl:\n  total_epochs: 2   # two\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "c.yaml"
    path.write_bytes(TEXT.encode())
    return path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def opened(path: Path) -> Form:
    form = open_file(path).form
    assert form is not None
    return form


def test_saving_without_an_edit_writes_nothing(file: Path, state: Path) -> None:
    before = file.stat()
    assert save(opened(file), file, folder=state).outcome == "unchanged"
    assert file.stat().st_mtime_ns == before.st_mtime_ns and file.read_text() == TEXT


def test_one_edit_one_line_mode_640_and_a_backup(file: Path, state: Path) -> None:
    form = opened(file)
    form.set("verl.total_epochs", 3)
    result = save(form, file, folder=state)
    assert result.outcome == "saved" and not form.dirty
    assert file.read_bytes() == TEXT.replace("total_epochs: 2", "total_epochs: 3").encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert result.backup == file.with_name("c.yaml.bak-1")
    assert result.backup.read_text() == TEXT


def test_own_file_needs_no_second_backup(file: Path, state: Path) -> None:
    form = opened(file)
    for number in (3, 4, 5):
        form.set("verl.total_epochs", number)
        save(form, file, folder=state)
    assert sorted(one.name for one in file.parent.glob("*.bak-*")) == ["c.yaml.bak-1"]


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_line_ends_and_bom_stay(tmp_path: Path, state: Path, ends: str) -> None:
    path = tmp_path / "w.yaml"
    path.write_bytes(("\ufeff" if ends == "\n" else "").encode() + TEXT.replace("\n", ends).encode())
    before = path.read_bytes()
    form = opened(path)
    form.set("top_k", 11)
    assert save(form, path, folder=state).outcome == "saved"
    assert path.read_bytes() == before.replace(b"top_k: 10", b"top_k: 11")


def test_file_changed_meanwhile_is_not_overwritten(file: Path, state: Path) -> None:
    form = opened(file)
    form.set("top_k", 11)
    file.write_text(TEXT + "seed: 1\n")
    assert changed_on_disk(form)
    assert save(form, file, folder=state).outcome == "changed_on_disk"
    assert file.read_text() == TEXT + "seed: 1\n"
    result = save(form, file, force=True, folder=state)
    assert result.backup is not None and result.backup.read_text() == TEXT + "seed: 1\n"


def test_reload_takes_theirs_and_undo_brings_mine_back(file: Path) -> None:
    form = opened(file)
    form.set("top_k", 11)
    mine = form.text
    form.reload(TEXT + "seed: 1\n", file)
    assert form.text == TEXT + "seed: 1\n" and not form.dirty
    form.undo()
    assert form.text == mine


def test_removed_file_is_a_conflict_that_saving_mends(file: Path, state: Path) -> None:
    form = opened(file)
    form.set("top_k", 11)
    file.unlink()
    assert changed_on_disk(form)
    assert save(form, file, folder=state).outcome == "saved"


def test_another_file_is_not_overwritten(file: Path, state: Path) -> None:
    form = from_template("agentsdk-verl").form
    assert form is not None
    assert save(form, file, folder=state).outcome == "exists"
    assert file.read_text() == TEXT


def test_read_only_file_and_folder(file: Path, state: Path) -> None:
    form = opened(file)
    form.set("top_k", 11)
    file.chmod(0o440)
    assert save(form, file, folder=state).outcome == "read_only"
    assert file.read_text() == TEXT


def test_missing_folder_and_folder_as_target(file: Path, state: Path) -> None:
    form = opened(file)
    assert save(form, file.parent / "no" / "x.yaml", folder=state).outcome == "no_folder"
    assert save(form, file.parent, folder=state).outcome == "a_folder"


def test_link_stays_a_link(file: Path, state: Path) -> None:
    link = file.with_name("link.yaml")
    link.symlink_to(file)
    form = opened(link)
    form.set("top_k", 11)
    assert save(form, link, folder=state).outcome == "saved"
    assert link.is_symlink() and "top_k: 11" in file.read_text()


def test_full_disk_is_told_and_nothing_is_lost(file: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = opened(file)
    form.set("top_k", 11)

    def full(path: Path, text: str) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(rooms, "write", full)
    result = save(form, file, folder=state)
    assert (result.outcome, result.reason) == ("failed", os.strerror(28))
    assert file.read_text() == TEXT and form.dirty


def test_suggested_name_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form = from_template("agentsdk-verl").form
    assert form is not None
    assert suggested_name(form) == "agentsdk-verl.yaml"
    (tmp_path / "agentsdk-verl.yaml").touch()
    assert suggested_name(form) == "agentsdk-verl-2.yaml"
