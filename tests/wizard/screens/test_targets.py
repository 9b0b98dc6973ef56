"""Files of every target on the screen: a template of AscendFactory, an imported script, a refused start."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList
from wizard_driving import SMALL, WIDE, form_of, form_screen, go, opened, retype, shown_text, until

from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form import rooms
from agentic_rl_wizard.wizard.form.drafts import Drafts
from agentic_rl_wizard.wizard.screens.ask import AskScreen
from agentic_rl_wizard.wizard.screens.save import SaveScreen
from agentic_rl_wizard.wizard.widgets.fields_pane import FieldsPane

N = "backend_config.actor_rollout_ref.rollout.n"


async def test_template_of_ascendfactory_is_edited_and_saved(start: WizardApp, tmp_path: Path) -> None:
    async with start.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: "ascendfactory-long-sequence " in shown_text(start))
        options = start.screen.query_one(OptionList)
        options.highlighted = options.get_option_index("template:ascendfactory-grpo")
        await pilot.press("enter")
        screen = await opened(start, pilot)
        before = form_of(start).text
        await go(pilot, screen, N)
        await retype(pilot, "16")
        await until(pilot, lambda: form_of(start).document.get(N) == 16)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(start.screen, SaveScreen))
        await pilot.press("enter")
        saved = tmp_path / "ascendfactory-grpo.yaml"
        await until(pilot, saved.exists)
        changed = [(a, b) for a, b in zip(before.split("\n"), saved.read_text().split("\n"), strict=True) if a != b]
        assert len(changed) == 1 and changed[0][1].strip() == '"n": 16'


async def test_field_far_down_another_page_is_brought_into_view(tmp_path: Path) -> None:
    app = WizardApp(None, "ascendfactory-grpo", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, N)
        pane = screen.query_one(FieldsPane)
        await until(pilot, lambda: screen.field is not None and screen.field.region in pane.region)


async def test_every_template_is_offered_in_its_order(start: WizardApp) -> None:
    async with start.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "agentsdk-verl" in shown_text(start))
        rows = start.screen.query_one(OptionList).options
        offered = [row.id.partition(":")[2] for row in rows if row.id and row.id.startswith("template:")]
        assert offered == [one.name for one in rooms.templates()] and len(offered) > 8


async def test_launch_script_becomes_a_new_form(start: WizardApp, tmp_path: Path) -> None:
    script = (
        "#!/bin/bash\npython3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=7 data.train_files=$D/a.parquet\n"
    )
    (tmp_path / "run.sh").write_text(script)
    async with start.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: "agentsdk-verl" in shown_text(start))
        await pilot.press("ctrl+o", *"run.sh", "enter")
        await until(pilot, lambda: isinstance(start.screen, AskScreen))
        await until(pilot, lambda: "run.sh" in shown_text(start))
        assert "variables that the script does not set" in shown_text(start)
        await pilot.press("enter")
        await opened(start, pilot)
        assert form_of(start).document.get(N) == 7 and form_of(start).origin.path is None
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(start.screen, SaveScreen))
        await pilot.press("enter")
        await until(pilot, (tmp_path / "run.yaml").exists)
    assert (tmp_path / "run.sh").read_text() == script


@pytest.mark.parametrize(
    "text", ["agentic_ai:\n  a: 1\n", "defaults:\n  - x: 1\nagentic_ai: []\n"], ids=["some", "none"]
)
async def test_file_without_a_catalogue_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / "h.yaml").write_text(text)
    app = WizardApp(tmp_path / "h.yaml", "", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until(pilot, lambda: "No catalogue describes files of this shape" in shown_text(app))
        await until(pilot, lambda: "agentic_ai" in shown_text(app))
        await pilot.press("f6", "f7", "escape", "f4", "escape")
        await pilot.pause()
        assert form_of(app).text == text


async def test_start_that_is_refused_shows_why(tmp_path: Path) -> None:
    (tmp_path / "h.yaml").write_text("agentic_ai:\n  a: 1\n")
    app = WizardApp(tmp_path / "h.yaml", "", Drafts(tmp_path / "drafts"))
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot)
        screen = form_screen(app)
        screen.run_worker(screen._launch(tmp_path / "h.yaml"))
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await until(pilot, lambda: "The run did not start" in shown_text(app))
        shown = shown_text(app)
        assert "Traceback" not in shown and "h.yaml" in shown
