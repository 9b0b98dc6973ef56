"""Save and run, broken files, signs without Unicode, the command's other forms."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from wizard_driving import SMALL, WIDE, field_text, form_of, go, opened, retype, shown_text, until

from agentic_rl_wizard.wizard import launch, main
from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form.drafts import Drafts
from agentic_rl_wizard.wizard.screens.ask import AskScreen
from agentic_rl_wizard.wizard.screens.problems import ProblemsScreen
from agentic_rl_wizard.wizard.widgets import signs


def command(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let another program stand in for the command line."""
    monkeypatch.setattr(launch, "run_argv", lambda path: [sys.executable, "-c", code, str(path)])


async def test_run_saves_starts_and_leaves_for_the_run(
    app: WizardApp, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(monkeypatch, "import sys; print('started', open(sys.argv[1]).read().count('top_k: 7'))")
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))  # the paths of the file do not exist
        await pilot.click("#run")
        await until(pilot, lambda: app.return_value == "last")
    assert "top_k: 7" in file.read_text()


async def test_run_that_does_not_start_says_why(app: WizardApp, monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, "import sys; print('no \\x1b[31mverl here'); sys.exit(3)")
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.click("#run")
        await until(pilot, lambda: "verl here" in shown_text(app))
        assert "\x1b" not in shown_text(app) and "code 3" in shown_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, AskScreen))


async def test_run_with_errors_can_lead_to_the_problems(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ProblemsScreen))
        assert isinstance(app.screen, ProblemsScreen)


async def test_started_run_is_found_in_what_the_command_says(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    command(monkeypatch, "print('nothing known')")
    launched = await launch.start_detached(file)
    assert (launched.run, launched.code) == ("last", 0)
    assert launch.run_argv.__name__ == "<lambda>"


async def test_broken_yaml_is_shown_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("train_backend: verl\nlr: [1\n")
    app = WizardApp(path, "", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await until(pilot, lambda: form_of(app).findings.count("error"))
        await go(pilot, screen, "top_k")
        await pilot.press("5")
        await until(pilot, lambda: "Not changed" in field_text(screen, "top_k"))
        assert form_of(app).text == path.read_text()


async def test_shared_anchor_is_not_changed_behind_ones_back(tmp_path: Path) -> None:
    path = tmp_path / "anchor.yaml"
    path.write_text("train_backend: verl\ntop_k: &k 10\nmax_num_seqs: *k\nverl:\n  total_epochs: 1\n")
    app = WizardApp(path, "", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.pause(0.2)
        seen = form_of(app).document
        assert seen.get("max_num_seqs") == 10, "either refused, or written out: never a silent change of the other"


async def test_keys_of_the_start_screen_are_shown(start: WizardApp) -> None:
    async with start.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "agentsdk-verl" in shown_text(start))
        await pilot.press("f1")
        await until(pilot, lambda: "save and start a run" in shown_text(start))
        assert "save and start a run" in shown_text(start)


def test_every_sign_has_an_ascii_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(signs.ASCII) == set(signs.UNICODE)
    assert all(text.isascii() for text in signs.ASCII.values())
    monkeypatch.setenv("AGENTIC_RL_ASCII", "1")
    signs.ascii_only.cache_clear()
    try:
        assert signs.sign("done") == "+"
    finally:
        monkeypatch.undo()
        signs.ascii_only.cache_clear()


def test_view_of_a_missing_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["view", str(tmp_path / "none.log"), "--lang", "en"]) == 2
    assert "none.log" in capsys.readouterr().err
