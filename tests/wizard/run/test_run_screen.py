from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import until
from example_run import data_of
from textual.pilot import Pilot
from textual.widgets import Input

from agentic_rl_wizard.runner.process.record import METRICS, RECORD, RunRecord
from agentic_rl_wizard.wizard import i18n, run_app
from agentic_rl_wizard.wizard.run_app import RunApp, open_run
from agentic_rl_wizard.wizard.screens.run_ask import AskRun
from agentic_rl_wizard.wizard.screens.run_screen import RunScreen
from agentic_rl_wizard.wizard.store.run_keys import KEYS
from agentic_rl_wizard.wizard.store.run_model import RunModel
from agentic_rl_wizard.wizard.widgets.chart import Chart
from agentic_rl_wizard.wizard.widgets.confirm import Confirm

Open = Callable[..., RunApp]
Make = Callable[..., Path]


def text_of(app: RunApp) -> str:
    rows = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in rows)


async def loaded(app: RunApp, steps: int = 42) -> RunScreen:
    screen = app.run_screen
    await until(lambda: len(screen.model.metrics.steps) == steps)
    await until(lambda: screen.reader.levels.done >= screen.reader.index.line_count - 1)
    return screen


async def test_header_tells_where_the_run_stands(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)):
        await loaded(app)
        text = text_of(app)
        for expected in ("● Running", "demo / calculator_agent", "Step 42 of 60", "70%", "11.5s/step", "0.149 → 0.762",
                         "Checkpoint step 40", "verl 0.9.1 · 8 x Ascend 910B2", "left"):  # fmt: skip
            assert expected in text, expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("finished", ["✔ Finished"]),
        ("failed", ["✘ Failed", "exit code 1", "NPU out of memory", "gpu_memory_utilization"]),
        ("stopped", ["■ Stopped"]),
        ("lost", ["? Lost"]),
    ],
)
async def test_ended_runs(state: str, expected: list[str], run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory(state, 20))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app, 20)
        for part in expected:
            assert part in text_of(app), part
        assert "left" not in text_of(app).split("\n")[1]
        await pilot.press("X")
        assert not isinstance(app.screen, Confirm)


async def test_the_cause_comes_from_the_log_where_no_event_names_it(run_directory: Make, open_app: Open) -> None:
    directory = run_directory("failed", 5)
    (directory / "events.jsonl").write_text("")
    app = open_app(directory)
    async with app.run_test(size=(120, 40)):
        await until(lambda: app.run_screen.model.failure is not None)
        assert "NPU out of memory" in app.run_screen.model.failure.excerpt
        assert "gpu_memory_utilization" in app.run_screen.model.failure.parameters


async def test_new_metrics_and_a_new_state_appear(run_directory: Make, open_app: Open) -> None:
    directory = run_directory(steps=3)
    app = open_app(directory)
    async with app.run_test(size=(120, 40)):
        await loaded(app, 3)
        with (directory / METRICS).open("a") as stream:
            stream.write(
                json.dumps({"step": 4, "time": 1.0, "data": {**data_of(4), "actor/kl_loss": None}}) + "\n{broken\n"
            )
        record = RunRecord.read(directory)
        record.state = "finished"
        record.write()
        await until(lambda: "Step 4 of 60" in text_of(app) and "✔ Finished" in text_of(app))
        assert app.run_screen.model.metrics.steps[-1] == 4


async def test_no_metrics_yet_says_so(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory("starting", 0))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        assert "No metrics yet" in text_of(app)
        assert "loading the model" in text_of(app)
        await pilot.press("4")
        assert "No samples yet" in text_of(app)


async def test_only_charts_with_data_are_shown(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)):
        screen = await loaded(app)
        await until(lambda: screen.charts.charts)
        shown = {chart.spec.id for chart in screen.charts.charts}
        assert {"reward", "length", "kl", "entropy", "throughput"} <= shown
        assert not {"memory", "staleness"} & shown


async def test_from_a_chart_to_the_log_and_back(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        await pilot.press("2", "left", "left", "left")
        assert screen.charts.cursor == 40
        assert "step 40" in text_of(app)
        await pilot.press("enter")
        lines = screen.log_pane.lines
        assert lines.has_focus
        assert "step:40 " in lines.text_of_row(lines.row)
        await pilot.press("home", "c")
        assert screen.charts.cursor == 1
        assert screen.focused_pane == "charts"
        await pilot.press("escape")
        assert screen.charts.cursor is None


async def test_a_click_puts_the_cursor(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        chart = screen.query_one("#chart-reward", Chart)
        await pilot.click(chart, offset=(chart.outer_size.width - 2, 4))
        assert screen.charts.cursor == 42


async def test_smoothing_and_log_axis(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        await pilot.press("2", "s", "down", "l")
        assert all(chart.smoothing == 0.6 for chart in screen.charts.charts)
        assert [chart.log_axis for chart in screen.charts.charts][:2] == [False, True]
        await pilot.press("z")  # the whole width: beside the log a long legend leaves no room for the note
        await until(lambda: "smoothed 0.6" in text_of(app))


async def test_another_run_is_drawn_behind(run_directory: Make, open_app: Open) -> None:
    other = run_directory("finished", 60)
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        await pilot.press("o")
        await until(lambda: isinstance(app.screen, AskRun))
        app.screen.query_one(Input).value = str(other)
        await pilot.press("enter")
        await until(lambda: screen.charts.overlay is not None)
        chart = screen.query_one("#chart-reward", Chart)
        assert max(x for points in chart._overlay.values() for x, _ in points) == 60
        await pilot.press("o")
        assert screen.charts.overlay is None


async def test_what_is_no_run_is_not_drawn(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        await pilot.press("o", *"nowhere[b]", "enter")
        await until(lambda: any("nowhere[b]" in note.message for note in app._notifications))
        assert screen.charts.overlay is None


async def stop_dialog(pilot: Pilot[Any], app: RunApp) -> None:
    await pilot.press("X")
    await until(lambda: isinstance(app.screen, Confirm))
    await pilot.pause()


@pytest.mark.parametrize(("keys", "expected"), [(("right", "enter"), [False]), (("right", "right", "enter"), [True])])
async def test_stop_asks_and_stops_once(
    keys: tuple[str, ...], expected: list[bool], run_directory: Make, open_app: Open
) -> None:
    asked: list[bool] = []
    app = open_app(run_directory(), lambda _record, at_once: asked.append(at_once))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await stop_dialog(pilot, app)
        for part in ("at step 40", "Keep watching", "Stop gently", "Stop now"):
            assert part in text_of(app), part
        await pilot.press(*keys)
        await until(lambda: asked)
        await pilot.pause(0.2)
        assert asked == expected


@pytest.mark.parametrize("keys", [("escape",), ("enter",), ("right", "left", "enter")])
async def test_stop_is_not_done_by_accident(keys: tuple[str, ...], run_directory: Make, open_app: Open) -> None:
    asked: list[bool] = []
    app = open_app(run_directory(), lambda _record, at_once: asked.append(at_once))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await stop_dialog(pilot, app)
        await pilot.press(*keys)
        await pilot.pause(0.1)
        assert asked == []
        assert isinstance(app.screen, RunScreen)


async def test_a_stop_that_fails_is_told(run_directory: Make, open_app: Open) -> None:
    def refuse(_record: RunRecord, _now: bool) -> None:
        raise PermissionError("not [yours]")

    app = open_app(run_directory(), refuse)
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await stop_dialog(pilot, app)
        await pilot.press("right", "enter")
        await until(lambda: any("not [yours]" in note.message for note in app._notifications))


async def test_detach_leaves_the_run_alone_and_says_how_to_come_back(
    run_directory: Make, open_app: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[bool] = []
    directory = run_directory()
    before = (directory / RECORD).read_bytes()
    app = open_app(directory, lambda _record, at_once: asked.append(at_once))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press("q")
    assert asked == []
    assert (directory / RECORD).read_bytes() == before
    assert "agentic-rl attach 20260102-030000-agent" in capsys.readouterr().err


@pytest.mark.parametrize("pane", ["1", "2", "3", "4"])
async def test_ctrl_c_asks_and_does_nothing_by_itself(pane: str, run_directory: Make, open_app: Open) -> None:
    asked: list[bool] = []
    app = open_app(run_directory(), lambda _record, at_once: asked.append(at_once))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press(pane, "ctrl+c")
        await until(lambda: isinstance(app.screen, Confirm))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, RunScreen))
        assert app.is_running
        assert app.clipboard == ""
        assert asked == []


async def test_ctrl_c_and_leave_it_running(
    run_directory: Make, open_app: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[bool] = []
    app = open_app(run_directory(), lambda _record, at_once: asked.append(at_once))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press("ctrl+c")
        await until(lambda: isinstance(app.screen, Confirm))
        await pilot.press("left", "enter")  # round the corner to the last answer
        await until(lambda: not app.is_running)
    assert asked == []
    assert "agentic-rl attach" in capsys.readouterr().err


async def test_ctrl_c_on_an_ended_run_says_how_to_leave(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory(state="finished"))
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press("ctrl+c")
        await until(lambda: any("q leaves the view" in note.message for note in app._notifications))
        assert app.is_running and not isinstance(app.screen, Confirm)


async def test_a_directory_that_vanishes(run_directory: Make, open_app: Open) -> None:
    directory = run_directory()
    app = open_app(directory)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await loaded(app)
        shutil.rmtree(directory)
        await until(lambda: "the run directory is gone" in text_of(app))
        await pilot.press("1", "home", "2", "3", "4", "5")
        assert "step:1 " in screen.log_pane.lines.text_of_row(8)
        assert len(screen.model.metrics.steps) == 42


@pytest.mark.parametrize("keys", [("1", "slash", "x"), ("2", "left"), ("3", "enter"), ("question_mark",), ("X",)])
async def test_down_to_twenty_by_five_and_back(keys: tuple[str, ...], run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory(), lambda _record, _now: None)
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press(*keys)
        for size in ((20, 5), (1, 1), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert len(text_of(app).split("\n")) == size[1]
        while not isinstance(app.screen, RunScreen):
            await pilot.press("escape")
        assert "Step 42 of 60" in text_of(app)


async def test_layout_by_size(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await loaded(app)
        shown = lambda: {name for name, pane in screen.panes.items() if pane.display}  # noqa: E731
        assert shown() == {"log"}
        await pilot.press("2")
        assert shown() == {"charts"}
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert shown() == {"log", "charts"}
        await pilot.press("4")
        assert shown() == {"log", "devices"}
        await pilot.press("1", "z")
        assert shown() == {"log"}
        await pilot.press("z")
        assert shown() == {"log", "devices"}


async def test_language_and_theme_switch_everywhere_at_run_time(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press("f2")
        text = text_of(app).replace("\n", " ")
        for part in ("运行中", "第 42 / 60 步", "日志", "跟随中", "奖励", "离开"):
            assert part in text, part
        assert not any(word in text for word in ("Running", "Following", "Detach"))
        await pilot.press("question_mark")
        assert "任何位置" in text_of(app)
        await pilot.press("f2")
        assert "Everywhere" in text_of(app)
        dark = app.theme
        await pilot.press("f3")
        assert app.theme != dark
        assert i18n.language() == "en"


async def test_help_lists_every_key(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 80)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        text = text_of(app)
        for key in KEYS:
            assert i18n.t(f"run.help.{key.id}")[:30] in text, key.id


@pytest.mark.parametrize("theme", ["agentic-light", "ansi-dark", "nord"])
async def test_other_themes(theme: str, run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        app.theme = theme
        await pilot.press("2", "left", "3", "4", "5", "1")
        assert "Step 42 of 60" in text_of(app)


async def test_without_colour_lines_differ_by_their_dashes(
    run_directory: Make, open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)):
        await loaded(app)
        await until(lambda: "╍ longest" in text_of(app))
        assert "╍ longest" in text_of(app)


async def test_a_plain_log_has_charts_too(run_directory: Make, open_app: Open) -> None:
    log = run_directory() / "train.log"
    app = open_app(log)
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await until(lambda: "Step 42 of 60" in text_of(app))
        assert app.run_screen.charts.charts
        await pilot.press("X")
        assert not isinstance(app.screen, Confirm)


def test_open_run_refuses_what_it_cannot_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert open_run(str(tmp_path / "nothing")) == 2
    assert "No run and no file" in capsys.readouterr().err
    log = tmp_path / "log"
    log.write_text("x\n")
    assert open_run(str(log)) == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_the_stop_function_is_the_one_of_the_process_room(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentic_rl_wizard.runner.process import stop as room

    calls: list[tuple[object, bool]] = []
    monkeypatch.setattr(room, "stop_run", lambda record, now: calls.append((record, now)))
    run_app.stop_function()("record", True)  # type: ignore[arg-type]
    assert calls == [("record", True)]


async def test_earlier_attempts_are_joined_and_the_later_one_wins(run_directory: Make, open_app: Open) -> None:
    earlier = run_directory("failed", 30)
    directory = run_directory(steps=42)
    rows = [{"step": step, "time": 1.0, "data": {"critic/rewards/mean": 5.0}} for step in range(21, 43)]
    (directory / METRICS).write_text("".join(json.dumps(row) + "\n" for row in rows))
    record = RunRecord.read(directory)
    record.previous = str(earlier)
    record.write()
    app = open_app(directory)
    async with app.run_test(size=(120, 40)):
        screen = await loaded(app)
        points = dict(screen.model.metrics.points("critic/rewards/mean"))
        assert points[20] == data_of(20)["critic/rewards/mean"]
        assert {points[step] for step in range(21, 43)} == {5.0}


async def test_a_log_that_nobody_watched_tells_its_failure(tmp_path: Path) -> None:
    log = tmp_path / "theirs.log"
    log.write_text("INFO fine\n(W pid=7) torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2 GiB\n")
    app = RunApp(RunModel(log))
    async with app.run_test(size=(120, 40)):
        await until(lambda: app.run_screen.model.failure is not None)
        assert app.run_screen.model.failure is not None
        assert app.run_screen.model.failure.line == 2
