"""Saving from the screen, drafts, conflicts, the way back, hang-up."""

from pathlib import Path

from wizard_driving import TEXT, WIDE, form_of, go, opened, retype, shown_text, until

from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form.drafts import Draft, Drafts
from agentic_rl_wizard.wizard.screens.ask import AskScreen
from agentic_rl_wizard.wizard.screens.diff import DiffScreen
from agentic_rl_wizard.wizard.screens.save import SaveScreen
from agentic_rl_wizard.wizard.screens.start import StartScreen

GONE = 2**22 + 7


async def test_save_writes_the_edited_line(app: WizardApp, file: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.press("f9")
        await until(pilot, lambda: file.read_text() == TEXT.replace("top_k: 10", "top_k: 7"))
        await until(pilot, lambda: not form_of(app).dirty)
        assert app.drafts.waiting() == [] and not list(app.drafts.folder.glob("*"))


async def test_template_asks_for_a_name(start: WizardApp, tmp_path: Path) -> None:
    async with start.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: isinstance(start.screen, StartScreen) and "agentsdk-verl" in shown_text(start))
        await pilot.press("enter")
        await opened(start, pilot)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(start.screen, SaveScreen))
        await pilot.press("enter")
        await until(pilot, lambda: form_of(start).origin.path == tmp_path / "agentsdk-verl.yaml")
        assert (tmp_path / "agentsdk-verl.yaml").read_text() == form_of(start).text


async def test_file_rewritten_by_another_process(app: WizardApp, file: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        theirs = TEXT + "seed: 3\n"
        file.write_text(theirs)
        screen._look_at_disk()
        await until(pilot, lambda: "changed on disk" in shown_text(app))
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("enter")  # reload and show diff
        await until(pilot, lambda: isinstance(app.screen, DiffScreen))
        assert form_of(app).text == theirs == file.read_text()
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: "top_k: 7" in form_of(app).text)


async def test_overwriting_keeps_theirs_as_a_backup(app: WizardApp, file: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        file.write_text("theirs: 1\n")
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.click("#overwrite")
        await until(pilot, lambda: "top_k: 7" in file.read_text())
        assert file.with_name("c.yaml.bak-1").read_text() == "theirs: 1\n"


async def test_read_only_target_asks_for_another_name(app: WizardApp, file: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        file.chmod(0o440)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        await pilot.pause()
        assert "read-only" in shown_text(app)
        await pilot.press("ctrl+u", *"other.yaml", "enter")
        await until(pilot, lambda: file.with_name("other.yaml").exists())
        assert file.read_text() == TEXT


async def test_draft_survives_and_is_offered(app: WizardApp, file: Path, tmp_path: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await until(pilot, lambda: list(app.drafts.folder.glob("*.json")))
        app.hang_up()
    [kept] = app.drafts.folder.glob("*.json")
    assert "top_k: 7" in kept.read_text()
    kept.write_text(kept.read_text().replace(f'"pid": {__import__("os").getpid()}', f'"pid": {GONE}'))

    again = WizardApp(file, "", Drafts(tmp_path / "drafts"))
    async with again.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: isinstance(again.screen, AskScreen))
        await pilot.press("enter")
        await opened(again, pilot)
        assert form_of(again).document.get("top_k") == 7
        await pilot.press("f9")
        await until(pilot, lambda: "top_k: 7" in file.read_text())
        await until(pilot, lambda: not list(again.drafts.folder.glob("*.json")))


async def test_draft_is_listed_on_the_start_screen_and_can_be_dropped(start: WizardApp) -> None:
    start.drafts.write(Draft("top_k: 2\n", "top_k: 1\n", path="/x/mine.yaml", pid=GONE))
    async with start.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: "mine.yaml" in shown_text(start))
        await pilot.press("home", "delete")
        await until(pilot, lambda: "mine.yaml" not in shown_text(start))
        assert start.drafts.waiting() == []


async def test_back_to_the_start_keeps_the_draft(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        assert list(app.drafts.folder.glob("*.json"))


async def test_missing_file_is_begun_from_a_template(tmp_path: Path) -> None:
    app = WizardApp(tmp_path / "none.yaml", "", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until(pilot, lambda: "does not exist yet" in shown_text(app))
        assert isinstance(app.screen, StartScreen)
        await pilot.press("enter")
        await opened(app, pilot)
        await pilot.press("f9")
        await until(pilot, (tmp_path / "none.yaml").exists)
