"""The pane of trajectories, as somebody uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import until
from example_run import rollout, write_rollouts
from test_run_screen import loaded, text_of

from agentic_rl_wizard.runner.process.record import PLAN, ROLLOUTS
from agentic_rl_wizard.wizard.run_app import RunApp

Make = Callable[..., Path]
Open = Callable[..., RunApp]


def pane_of(app: RunApp):
    return app.run_screen.rollouts


async def opened(app: RunApp, pilot, step: int = 42, steps: int = 42) -> None:
    """Wait until the trajectories of a step are there."""
    await loaded(app, steps)
    await pilot.press("3")
    await shows(app, step)


async def shows(app: RunApp, step: int) -> None:
    pane = pane_of(app)
    await until(lambda: pane.view is not None and pane.view.info is not None and pane.view.info.step == step)
    await until(
        lambda: pane.text.entry is not None and pane.text.entry.step == step and pane.text.entry == pane.list.entry
    )


async def test_the_newest_step_is_shown_and_read_turn_by_turn(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        shown = text_of(app)
        for part in ("Step 42", "newest", "32 rollouts", "75% solved", "The number is 1."):
            assert part in shown, part
        assert "Assistant" not in shown
        await pilot.press("down", "enter")
        await until(lambda: pane_of(app).text.entry.index == 1)
        shown = text_of(app)
        for part in ("rollout 1 · group 1", "res_reward 1", "model 3.5s", "tools 0.8s", "Environment", "trained model"):
            assert part in shown + str(pane_of(app).text._lines), part
        await pilot.press("n")
        await until(lambda: pane_of(app).text.entry.index == 2)
        assert "✗ failed" in text_of(app)
        await pilot.press("escape")
        assert pane_of(app).list.has_focus
        assert "Asked → answered" in text_of(app)


async def test_steps_go_with_the_cursor_of_the_charts(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(app, pilot)
        await pilot.press("left")
        await shows(app, 41)
        assert app.run_screen.charts.cursor == 41
        assert "of 37–42" in text_of(app)
        await pilot.press("c")
        assert app.run_screen.focused_pane == "charts"
        await pilot.press("left", "left", "3")
        await shows(app, 39)
        await pilot.press("g", *"37", "enter")
        await shows(app, 37)
        await pilot.press("g", *"7", "enter")
        assert "no trajectories of step 7" in text_of(app)
        await pilot.press("escape", "f")
        await shows(app, 42)


async def test_the_newest_step_is_followed_until_somebody_moves(run_directory: Make, open_app: Open) -> None:
    directory = run_directory()
    app = open_app(directory)

    def add(step: int) -> None:
        with (directory / ROLLOUTS / "trajectories-0.jsonl").open("a", encoding="utf-8") as stream:
            stream.writelines(json.dumps(rollout(step, place)) + "\n" for place in range(4))

    async with app.run_test(size=(120, 40)) as pilot:
        await opened(app, pilot)
        add(43)
        await shows(app, 43)
        await pilot.press("left")
        await shows(app, 42)
        add(44)
        await until(lambda: pane_of(app).view.steps[-1].step == 44)
        assert pane_of(app).view.info.step == 42


async def test_sorted_chosen_and_searched(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(app, pilot)
        pane = pane_of(app)
        await pilot.press("s")
        rewards = [one.reward for one in pane.list.entries]
        assert rewards == sorted(rewards, reverse=True)
        assert "best first" in text_of(app)
        await pilot.press("L")
        assert {one.solved for one in pane.list.entries} == {False}
        await pilot.press("L", "L", "s", "s", "s")
        await pilot.press("slash", *"to 64")
        await until(lambda: pane.view.words == "to 64" and 0 < len(pane.list.entries) < 32 and not pane.view.loading)
        assert all("to 64" in one.asked for one in pane.list.entries)
        assert "“to 64”" in text_of(app)
        await pilot.press("enter")
        await until(lambda: "to 64" in "".join(text for line in pane.text._lines for text, _ in line))
        await pilot.press("slash", *" nowhere")
        await until(lambda: "No rollout of this step matches" in text_of(app))
        await pilot.press("escape")
        await until(lambda: len(pane.list.entries) == 32)


async def test_text_of_a_model_is_shown_and_never_obeyed(run_directory: Make, open_app: Open) -> None:
    directory = run_directory(steps=3)
    said = "\x1b]52;c;eA==\x07[red]api_key: sk-12345 \x00 [/"
    asked = "user\n[bold]hi[/] [link=x]y\x1b[2J\nassistant\n"
    row = {"input": asked, "output": said, "score": float("nan"), "password": "hunter2", "[b]": 1.0}
    (directory / ROLLOUTS / "9.jsonl").write_text(json.dumps(row) + "\n{cut off [bold]", encoding="utf-8")
    app = open_app(directory)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, 9, 3)
        assert "[bold]hi[/] [link=x]y" in text_of(app)
        assert "api_key: ***" in text_of(app)
        await pilot.press("enter")
        await pilot.pause()
        shown = text_of(app)
        assert "[red]api_key: ***" in shown
        assert "[b] 1" in shown
        assert "nan" in shown
        assert "hunter2" not in shown
        assert "\x1b" not in shown
        await pilot.press("escape")
        assert "can't be read" not in text_of(app)  # a last line that is being written is no mistake
        with (directory / ROLLOUTS / "9.jsonl").open("a") as stream:
            stream.write("\n")
        await until(lambda: "this line can't be read" in text_of(app))
        await pilot.press("end", "enter")
        await until(lambda: "{cut off [bold]" in text_of(app))


async def test_copy_and_save(
    run_directory: Make, open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm-256color")
    app = open_app(run_directory())
    copied: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await opened(app, pilot)
        await pilot.press("y", "S")
        await until(lambda: list(tmp_path.glob("*-step-42-rollout-0.txt")))
        assert "The number is 1." in copied[0]
        saved = next(tmp_path.glob("*-step-42-rollout-0.txt")).read_text()
        assert saved == copied[0] + "\n"
        assert "[Environment]" in saved


async def test_validation_is_apart(run_directory: Make, open_app: Open) -> None:
    directory = run_directory()
    app = open_app(directory)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await pilot.press("v")
        assert app._notifications
        folder = directory / ROLLOUTS / "validation"
        folder.mkdir()
        (folder / "40.jsonl").write_text(
            json.dumps({"input": "user\nq\nassistant\n", "output": "a", "score": 1}) + "\n"
        )
        await until(lambda: not pane_of(app).one_kind)
        await pilot.press("v")
        await shows(app, 40)
        assert "validation" in text_of(app)
        await pilot.press("v")
        await shows(app, 42)


@pytest.mark.parametrize(
    ("state", "plan", "words"),
    [
        ("running", ["trainer.rollout_data_dir=x"], "written at the end of each training step"),
        ("finished", ["trainer.rollout_data_dir=x"], "ended before a training step"),
        ("running", [], "only where trainer.rollout_data_dir"),
    ],
    ids=["waiting", "ended", "not-asked"],
)
async def test_an_empty_pane_says_why(
    state: str, plan: list[str], words: str, run_directory: Make, open_app: Open
) -> None:
    directory = run_directory(state, 0)
    (directory / PLAN).write_text(json.dumps({"argv": plan}))
    app = open_app(directory)
    async with app.run_test(size=(80, 24)) as pilot:
        await loaded(app, 0)
        await pilot.press("3", "enter", "left", "n", "s", "L", "y", "slash", "escape")
        await until(lambda: words in " ".join(text_of(app).split()))
        assert app.run_screen.is_current  # none of the keys opened or left anything


async def test_a_log_alone_has_no_trajectories(tmp_path: Path, open_app: Open) -> None:
    path = tmp_path / "some.log"
    path.write_text("step:1 - actor/entropy:0.5\n")
    app = open_app(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await until(lambda: "Only a log is shown" in text_of(app))
        assert "solved" not in text_of(app)  # the summary that stands above a list


async def test_language_and_size_change_at_run_time(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await pilot.press("f2", "enter")
        await until(lambda: "被训练的模型" in text_of(app))
        for size in ((30, 10), (1, 1), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert "第 42 步" in text_of(app)


async def test_many_trajectories_come_slice_by_slice(
    run_directory: Make, open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agentic_rl_wizard.wizard.store import rollouts

    monkeypatch.setattr(rollouts, "SLICE", 0.0)
    directory = run_directory(steps=0)
    write_rollouts(directory, 1, 40)
    app = open_app(directory)
    async with app.run_test(size=(80, 24)) as pilot:
        await loaded(app, 0)
        await pilot.press("3")
        await until(lambda: pane_of(app).view is not None and len(pane_of(app).view.entries) == 40)
        assert not pane_of(app).view.loading


async def test_what_trajectories_amount_to_has_charts_where_no_metric_tells_it(
    run_directory: Make, open_app: Open
) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        await pilot.press("2")
        await until(lambda: {"rollout_time", "reward_parts"} <= {chart.spec.id for chart in screen.charts.charts})
        assert screen.model.metrics.row(42)["rollouts/model_time/mean"] == pytest.approx(2.7)
        assert "rollouts/model_time/mean" not in screen.model.metrics.row(36)  # there are no trajectories of that step
