"""What the devices did over the run, and how old what is shown of them is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from conftest import NOW, until
from example_run import sample
from test_run_screen import loaded, text_of

from agentic_rl_wizard.runner.process.record import DEVICES
from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.store import device_history
from agentic_rl_wizard.wizard.store.device_history import DeviceHistory, cells_of
from agentic_rl_wizard.wizard.store.devices import read_sample
from agentic_rl_wizard.wizard.widgets.device_past import blocks, past_lines

Make = Callable[..., Path]
Open = Callable[..., RunApp]


def history_of(*rows: dict[str, object]) -> DeviceHistory:
    history = DeviceHistory()
    for row in rows:
        history.add(read_sample(row))
    return history


def row(time: float, use: object, **more: object) -> dict[str, object]:
    return {"time": time, "devices": [{"npu": 0, "chip": 0, "utilization_pct": use, "power_w": 100}], **more}


def test_each_cell_is_the_mean_of_its_time_and_a_gap_stays_a_gap() -> None:
    history = history_of(*[row(5.0 * n, 10 * (n % 2)) for n in range(20)], *[row(400 + 5.0 * n, 90) for n in range(20)])
    points = history.tracks["0.0"].points
    cells = cells_of(points, "use", 0, 495, 10)
    assert [None if value is None else round(value) for value in cells] == [
        5,
        5,
        None,
        None,
        None,
        None,
        None,
        None,
        90,
        90,
    ]
    assert blocks(cells, 0, 100) == "▁▁······▇▇"


def test_a_repeated_sample_of_the_tool_counts_once() -> None:
    history = history_of(row(10, 1, age_s=0.0), row(15, 1, age_s=5.0), row(20, 1, age_s=10.0), row(25, 2, age_s=1.0))
    assert [time for time, _ in history.tracks["0.0"].points] == [10, 24]


def test_a_long_run_is_kept_whole_in_bounded_memory(monkeypatch) -> None:
    monkeypatch.setattr(device_history, "_MOST", 64)
    history = history_of(*[row(5.0 * n, 50) for n in range(2000)])
    points = history.tracks["0.0"].points
    assert len(points) <= 64
    assert points[0][0] < points[-1][0] == 5.0 * 1999
    assert all(value[0] == 50 for _, value in points)


def test_odd_values_are_no_values() -> None:
    history = history_of(
        row(1, None), row(2, "x"), row(3, float("nan")), {"time": None, "devices": 3}, {"devices": [7]}
    )
    assert {value[0] for _, value in history.tracks["0.0"].points} == {None}
    assert [line.plain for line in past_lines(history, "use", 60)][1].endswith("–")
    assert past_lines(DeviceHistory(), "use", 60) == []


async def test_the_history_of_each_metric_is_shown(run_directory: Make, open_app: Open) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(app)
        await pilot.press("4", "z")
        await until(lambda: "History" in text_of(app))
        shown = text_of(app)
        assert "-8m 05s" in shown
        assert "0–100%" in shown
        assert shown.count("·····") >= 8  # nobody could ask for two minutes
        await pilot.press("h", "h")
        assert "40–60 °C" in text_of(app)


async def test_an_old_sample_is_marked_and_says_why(run_directory: Make, open_app: Open) -> None:
    directory = run_directory()
    (directory / DEVICES).write_text(
        json.dumps({**sample(NOW - 3), "age_s": 50.0, "problems": ["timeout", "?"]}) + "\n"
    )
    app = open_app(directory)
    async with app.run_test(size=(80, 24)) as pilot:
        await loaded(app)
        await pilot.press("4")
        await until(lambda: "stale" in text_of(app))
        assert "53s old" in text_of(app)
        assert "npu-smi does not answer" in text_of(app)
        assert "History" not in text_of(app)
