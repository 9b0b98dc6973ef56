"""Search, problems, differences, keys."""

from wizard_driving import SMALL, WIDE, form_of, go, opened, retype, shown_text, until

from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.keys import FORM_KEYS
from agentic_rl_wizard.wizard.screens.diff import DiffScreen
from agentic_rl_wizard.wizard.screens.help import KeysScreen, keys_text
from agentic_rl_wizard.wizard.screens.problems import ProblemsScreen
from agentic_rl_wizard.wizard.screens.search import SearchScreen


async def test_search_in_the_other_language_goes_to_the_field(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        await pilot.press("ctrl+f")
        await until(pilot, lambda: isinstance(app.screen, SearchScreen))
        await pilot.press("学", "习", "率")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.key == "lr")
        assert screen.field is not None and screen.field.parameter.key == "lr"


async def test_search_without_a_hit_changes_nothing(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        before = screen.field
        await pilot.press("ctrl+f", *"zzzz", "down", "enter")
        await until(pilot, lambda: app.screen is screen)
        assert screen.field is before


async def test_problems_are_listed_and_jumped_to(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "verl.total_epochs")
        await retype(pilot, "none")
        await pilot.press("ctrl+n", "f4")
        await until(pilot, lambda: isinstance(app.screen, ProblemsScreen))
        assert isinstance(app.screen, ProblemsScreen)
        keys = [problem.key for problem in app.screen._problems]
        await pilot.press(*["down"] * keys.index("verl.total_epochs"), "enter")
        await until(pilot, lambda: app.screen is screen)
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.key == "verl.total_epochs")


async def test_remedy_of_a_problem_can_be_undone(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        form_of(app).replace(form_of(app).text.replace("lr: 1.0e-6", "lr: 1e-6"))
        before = form_of(app).text
        await go(pilot, screen, "lr")
        form_of(app).check_all()
        await pilot.press("ctrl+g")
        await until(pilot, lambda: form_of(app).document.get("lr") == 1e-6)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: form_of(app).text == before)


async def test_differences_from_file_and_template(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen))
        await pilot.pause()
        text = shown_text(app)
        assert "- top_k: 10" in text and "+ top_k: 7" in text and "+1 -1" in text
        await pilot.press("tab")
        await pilot.pause()
        assert "my own comment" in shown_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)


async def test_help_lists_every_key(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, KeysScreen))
        text = keys_text().plain
        assert all(key.shown in text for key in FORM_KEYS)
        assert "wizard." not in text, "every key has its words"


async def test_no_key_fails_in_tmux() -> None:
    bad = {"ctrl+b", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h", "ctrl+enter"}
    keys = {one for key in FORM_KEYS for one in key.key.split(",")}
    assert not keys & bad
    assert len(keys) == sum(len(key.key.split(",")) for key in FORM_KEYS), "one meaning a key"
