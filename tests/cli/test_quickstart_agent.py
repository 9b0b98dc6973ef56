"""`agentic-rl quickstart --agent`: what lies in its folder, and what a second call does with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.check import check_document
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.cli.inside import INSIDE
from agentic_rl_wizard.runner.cli.launch import launch
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.cli.quickstart import command as commands_quickstart
from agentic_rl_wizard.runner.document import read_document


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Model and data after a warm-up of two steps; the training itself is only noted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AGENTIC_RL_PYTHON", sys.executable)
    found: list[Any] = []

    def make(out: Path, python: str, seed: int, lang: str, words: Any, task: str) -> int:
        sys.path.insert(0, str(INSIDE))
        from agentic_rl_inside.quickstart import prepare

        prepare(out, seed, lambda _: None, steps=2, task=task)
        return 0

    monkeypatch.setattr(commands_quickstart, "make_quick_data", make)
    monkeypatch.setattr(launch, "launch", lambda wish, *_, **__: found.append(wish) or 0)
    return found


def test_everything_is_made_and_checks_clean(
    started: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["quickstart", "--agent", "--seed", "3", "--steps", "7", "--lang", "zh", "--plain"]) == 0
    folder = tmp_path / "quickstart-agent"
    assert sorted(path.name for path in folder.iterdir()) == ["agent.yaml", "game", "guess_the_number.py"]
    assert [wish.config for wish in started] == [folder / "agent.yaml"]
    document = read_document(folder / "agent.yaml")
    assert document.get("verl.total_training_steps") == document.get("verl.save_freq") == 7
    assert check_document(document, facts_for(document, folder, cache=False)) == []
    assert "猜数字" in (folder / "guess_the_number.py").read_text("utf-8")
    assert "最多五轮" in capsys.readouterr().out


def test_again_goes_on_and_leaves_the_persons_wrapper_alone(started: list[Any], tmp_path: Path) -> None:
    assert main(["quickstart", "--agent", "--dir", "here", "--lang", "en", "--plain"]) == 0
    wrapper = tmp_path / "here" / "guess_the_number.py"
    wrapper.write_text("mine")
    before = (tmp_path / "here" / "agent.yaml").read_bytes()
    assert main(["quickstart", "--agent", "--dir", "here", "--lang", "en", "--plain"]) == 0
    assert (wrapper.read_text(), (tmp_path / "here" / "agent.yaml").read_bytes()) == ("mine", before)
    assert len(started) == 2


def test_the_two_quick_starts_do_not_share_a_folder(started: list[Any], tmp_path: Path) -> None:
    assert main(["quickstart", "--agent", "--lang", "en", "--plain"]) == 0
    assert main(["quickstart", "--lang", "en", "--plain"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["quickstart", "quickstart-agent"]
    assert [wish.config.name for wish in started] == ["agent.yaml", "quickstart.yaml"]
