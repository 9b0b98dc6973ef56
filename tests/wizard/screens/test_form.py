"""The form on the screen: typing, checks, sources, undo, reset, sections, language, sizes."""

import pytest
from textual.widgets import Input
from wizard_driving import SMALL, WIDE, field_text, form_of, go, opened, paste, retype, shown_text, until

from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.widgets.field import Field
from agentic_rl_wizard.wizard.widgets.fields_pane import FieldsPane
from agentic_rl_wizard.wizard.widgets.help_pane import HelpPane
from agentic_rl_wizard.wizard.widgets.section_list import SectionList
from agentic_rl_wizard.wizard.widgets.yaml_preview import YamlPreview


async def test_typing_changes_the_text_and_says_what_is_wrong(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "many")
        await until(pilot, lambda: form_of(app).document.get("top_k") == "many")
        await pilot.pause()
        assert "✗" in field_text(screen, "top_k") and "edited" in field_text(screen, "top_k")
        await retype(pilot, "25")
        await until(pilot, lambda: "top_k: 25\n" in form_of(app).text)
        await pilot.pause()
        assert "✗" not in field_text(screen, "top_k")


async def test_one_in_scientific_notation(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "lr")
        await retype(pilot, "3e-6")
        await until(pilot, lambda: form_of(app).document.get("lr") == 3e-6)
        assert screen.focused is not None and screen.focused.value == "3e-6"  # type: ignore[attr-defined]


async def test_keys_that_come_faster_than_they_are_worked_off(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "lr")
        line = screen.focused
        assert isinstance(line, Input)
        for _ in line.value:
            line.action_delete_left()
        for letter in "2.5e-6":
            line.insert_text_at_cursor(letter)
        await until(pilot, lambda: form_of(app).document.get("lr") == 2.5e-6)
        await pilot.pause(0.3)
        assert line.value == "2.5e-6"
        assert "lr: 2.5e-6   # rate\n" in form_of(app).text, "the line is where it was, with its comment"
        await pilot.press("ctrl+z")
        await until(pilot, lambda: line.value == "1.0e-6")


async def test_only_one_section_is_mounted(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        first = {field.parameter.group for field in screen.query(Field)}
        await pilot.press("ctrl+n")
        await pilot.pause()
        second = {field.parameter.group for field in screen.query(Field)}
        assert len(first) == len(second) == 1 and first != second
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert {field.parameter.group for field in screen.query(Field)} == first


async def test_arrows_in_the_section_list_show_the_section(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await pilot.press("escape", "down", "down")
        await until(pilot, lambda: {field.parameter.group for field in screen.query(Field)} == {"cluster"})
        await pilot.press("enter")
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.group == "cluster")
        assert screen.field is not None and screen.field.has_focus_within


async def test_every_section_can_be_shown(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        for section in form_of(app).sections:
            await screen.show_section(section)
            assert len(screen.query(Field)) == len(section.parameters)


async def test_help_follows_the_cursor(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "lr")
        await pilot.pause()
        text = shown_text(app)
        assert ("Learning rate" in text and "actor.optim.lr" in text.replace("\n", "")) or "optim.lr" in text
        assert screen.query_one(HelpPane).display and "line 7" in text


async def test_undo_and_redo_jump_to_the_field(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        before = form_of(app).text
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await go(pilot, screen, "verl.total_epochs")
        await retype(pilot, "9")
        await until(pilot, lambda: form_of(app).document.get("verl.total_epochs") == 9)
        after = form_of(app).text
        await pilot.press("ctrl+z")
        await until(pilot, lambda: form_of(app).document.get("verl.total_epochs") == 2)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: form_of(app).text == before)
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.key == "top_k")
        assert screen.focused is not None and screen.focused.value == "10"  # type: ignore[attr-defined]
        await pilot.press("ctrl+y", "ctrl+y")
        await until(pilot, lambda: form_of(app).text == after)


async def test_reset_shows_the_default(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await pilot.press("f8")
        await until(pilot, lambda: not form_of(app).present("top_k"))
        await pilot.pause()
        assert "20  (default)" in field_text(screen, "top_k")


async def test_switch_choice_and_list(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "enforce_eager")
        await pilot.press("space")
        await until(pilot, lambda: form_of(app).document.get("enforce_eager") is False)
        await go(pilot, screen, "dtype")
        await pilot.press("right")
        await until(pilot, lambda: form_of(app).document.get("dtype") == "float16")
        await go(pilot, screen, "verl.ckpt_content")
        await pilot.press("right", "space")
        await until(pilot, lambda: "optimizer" not in form_of(app).document.get("verl.ckpt_content", "optimizer"))
        document = form_of(app).document
        assert (document.get("enforce_eager"), document.get("dtype")) == (False, "float16")
        assert "model" in document.get("verl.ckpt_content")


async def test_free_list_takes_items_and_gives_them_back(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        form_of(app).set("train_backend", "mindspeed_rl")
        await pilot.pause(0.3)
        await go(pilot, screen, "dataset_additional_keys")
        await pilot.press(*"problem", "enter", *"answer", "enter")
        await until(pilot, lambda: form_of(app).document.get("dataset_additional_keys") == ["problem", "answer"])
        await pilot.press("backspace")
        await until(pilot, lambda: form_of(app).document.get("dataset_additional_keys") == ["problem"])
        await paste(app, "a\nb\nc\n")
        await until(pilot, lambda: form_of(app).document.get("dataset_additional_keys") == ["problem", "a", "b", "c"])
        assert "dataset_additional_keys" in form_of(app).text and "answer" not in form_of(app).text


async def test_back_end_changes_sections_and_controls(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "train_backend")
        await pilot.press("right")
        await until(pilot, lambda: form_of(app).back_end == "mindspeed_rl")
        await pilot.pause(0.3)
        assert "mindspeed_rl:" in shown_text(app)
        assert screen.field is not None and screen.field.parameter.key == "train_backend"


async def test_language_switches_at_run_time_and_keeps_the_place(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        assert "采样" not in shown_text(app)
        await pilot.press("f2")
        await pilot.pause()
        text = shown_text(app).replace(" ", "")
        assert "采样" in text and "已修改" in text and "保存" in text
        assert screen.field is not None and screen.field.parameter.key == "top_k"
        await pilot.press("f2")
        await pilot.pause()
        assert "edited" in shown_text(app)


async def test_preview_marks_the_changed_line(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await pilot.press("f6", "f6")
        await go(pilot, screen, "top_k")
        await retype(pilot, "7")
        await pilot.pause(0.3)
        preview = screen.query_one(YamlPreview)
        assert preview.display
        [line] = [line for line in shown_text(app).split("\n") if "top_k: 7" in line]
        assert "8▎" in line


async def test_section_marks(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await retype(pilot, "x")

        def row() -> str:
            return next(line[:27] for line in shown_text(app).split("\n") if "Sampling" in line[:27])

        await until(pilot, lambda: "✗" in row())
        assert row().strip().startswith("✗") and " 1" in row()
        assert screen.query_one(SectionList).section is not None


async def test_the_field_of_the_cursor_is_in_view_after_a_change_of_the_size(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "agent_engine_wrapper_path")
        await until(pilot, lambda: "does not exist" in shown_text(app))
        await pilot.resize_terminal(20, 5)
        await pilot.pause(0.3)
        await pilot.resize_terminal(*SMALL)
        await until(pilot, lambda: "Agent wrapper" in shown_text(app))
        assert "/path/to/wrapper.py" in shown_text(app)


@pytest.mark.parametrize("size", [(20, 5), (1, 1), (10, 40), (300, 100)])
async def test_any_size_and_back(app: WizardApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = await opened(app, pilot)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.press("x")
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        await go(pilot, screen, "lr")
        assert "Learning rate" in shown_text(app)


async def test_ten_thousand_pasted_lines(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "agent_name")
        await pilot.press("ctrl+u")
        await paste(app, "planner\n" + "x" * 100 + "\n" * 10_000)
        await until(pilot, lambda: form_of(app).document.get("agent_name") == "planner")
        await pilot.pause()
        assert "only the first was taken" in " ".join(field_text(screen, "agent_name").split())


FAMILY = "👨\u200d👩\u200d👧agent"
STRANGE = ["[bold]x[/bold]", "[@click=app.quit]x[/]", "e\u0301\u0301\u0301x", FAMILY, "\x1b[31mred", "学 习"]


@pytest.mark.parametrize("typed", STRANGE)
async def test_strange_text_is_only_text(app: WizardApp, typed: str) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "agent_name")
        await pilot.press("end", "ctrl+u")
        await paste(app, typed)
        await pilot.pause(0.3)
        assert form_of(app).document.get("agent_name") == typed.replace("\x1b", "")
        assert "\x1b" not in shown_text(app)
        await pilot.press("f6")
        await pilot.pause(0.2)


async def test_mouse(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await pilot.click(SectionList, offset=(5, 5))
        await until(pilot, lambda: {field.parameter.group for field in screen.query(Field)} == {"sampling"})
        await pilot.click("KeyBar", offset=(1, 0))
        await pilot.pause()
        assert "save and start a run" in shown_text(app)


async def test_enter_goes_to_the_next_field_and_the_last_button_to_the_next_section(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "top_k")
        await pilot.press("enter")
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.key == "top_p")
        screen.query_one(FieldsPane).query_one(".next-section").focus()
        await pilot.press("enter")
        await until(pilot, lambda: screen.field is not None and screen.field.parameter.group != "sampling")
        assert screen.field is not None and screen.field.parameter.group != "sampling"


async def test_path_is_completed_and_looked_up(app: WizardApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(app, pilot)
        await go(pilot, screen, "agent_engine_wrapper_path")
        await retype(pilot, "./c.y")
        await pilot.pause(0.3)
        await pilot.press("right")
        line = screen.focused
        assert isinstance(line, Input)
        await until(pilot, lambda: line.value == "./c.yaml")
        await until(pilot, lambda: "file exists" in field_text(screen, "agent_engine_wrapper_path"))
        await retype(pilot, "/no/such")
        await until(pilot, lambda: "/no/such does not" in field_text(screen, "agent_engine_wrapper_path"))
