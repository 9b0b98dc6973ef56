"""Drafts: kept, offered when their wizard is gone, removed."""

import json
from pathlib import Path

import pytest

from agentic_rl_wizard.wizard.form.drafts import KEPT, Draft, Drafts, birth_of
from agentic_rl_wizard.wizard.form.opening import from_draft

GONE = 2**22 + 7  # no process has that number


@pytest.fixture
def drafts(tmp_path: Path) -> Drafts:
    return Drafts(tmp_path / "drafts")


def test_draft_of_a_dead_wizard_is_offered(drafts: Drafts) -> None:
    kept = drafts.write(Draft("a: 2\n", "a: 1\n", path="/x/c.yaml", pid=GONE))
    [found] = drafts.waiting()
    assert (found.text, found.base, found.id) == ("a: 2\n", "a: 1\n", kept.id)
    assert drafts.waiting_for(Path("/x/c.yaml"), "") == found
    assert drafts.waiting_for(Path("/x/other.yaml"), "") is None
    assert drafts.waiting_for(None, "agentsdk-verl") is None


def test_draft_of_a_template(drafts: Drafts) -> None:
    drafts.write(Draft("a: 2\n", "a: 1\n", template="agentsdk-verl", pid=GONE))
    assert drafts.waiting_for(None, "agentsdk-verl") is not None
    assert drafts.waiting_for(None, "local-quickstart") is None


def test_draft_of_a_living_wizard_is_not(drafts: Drafts) -> None:
    drafts.write(Draft("a", "a", pid=1, birth=birth_of(1)))
    assert drafts.waiting() == []


def test_another_process_of_the_same_number_is_not_the_wizard(drafts: Drafts) -> None:
    drafts.write(Draft("a", "a", pid=1, birth="12345678901"))
    assert len(drafts.waiting()) == 1


def test_one_file_per_wizard_mode_640(drafts: Drafts) -> None:
    first = drafts.write(Draft("a: 2\n", "a: 1\n", pid=GONE))
    drafts.write(Draft("a: 3\n", "a: 1\n", pid=GONE, id=first.id))
    [file] = drafts.folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o640 and drafts.folder.stat().st_mode & 0o027 == 0
    assert json.loads(file.read_text())["text"] == "a: 3\n"


def test_removed(drafts: Drafts) -> None:
    drafts.remove(drafts.write(Draft("a", "b", pid=GONE)).id)
    drafts.remove("")
    drafts.remove("../../etc/passwd")
    assert drafts.waiting() == []


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"text": 1}', '{"format": 9}', "\x00", '{"text": "a"}'])
def test_broken_draft_files_are_passed_over(drafts: Drafts, content: str) -> None:
    drafts.folder.mkdir(parents=True)
    (drafts.folder / "x.json").write_text(content)
    assert drafts.waiting() == []


def test_old_ones_are_forgotten(drafts: Drafts) -> None:
    for number in range(KEPT + 3):
        drafts.write(Draft(str(number), "", pid=GONE))
    assert len(drafts.waiting()) == KEPT == len(list(drafts.folder.iterdir()))


def test_going_on_with_a_draft() -> None:
    base = "train_backend: verl\ntop_k: 1\n"
    form = from_draft(Draft("train_backend: verl\ntop_k: 2\n", base, disk=base, path="/x/c.yaml", pid=GONE)).form
    assert form is not None
    assert form.dirty and form.source("top_k") == "edited"
    form.undo()
    assert form.text == base and not form.dirty
