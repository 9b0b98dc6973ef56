"""Devices of several machines: told apart, each with the age of its own numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from conftest import until
from example_run import START, sample, sample_of_nodes
from test_run_screen import loaded, text_of

from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.store.device_history import DeviceHistory
from agentic_rl_wizard.wizard.store.devices import read_sample
from agentic_rl_wizard.wizard.widgets.device_past import past_lines
from agentic_rl_wizard.wizard.widgets.device_rows import node_rows

Make = Callable[..., Path]
Open = Callable[..., RunApp]


def test_devices_stand_under_their_node_with_its_age() -> None:
    lines = [line.plain for line in node_rows(read_sample(sample_of_nodes(START)), 76, 1.0)]
    heads = {line.split()[1]: place for place, line in enumerate(lines) if line.startswith("Node ")}
    assert list(heads) == ["10.0.0.1", "10.0.0.2", "10.0.0.3"]
    assert lines[heads["10.0.0.1"]].endswith("3.1s old")
    assert lines[heads["10.0.0.2"]].endswith("42s old  ⚠ stale")
    assert "npu-smi does not answer" in lines[heads["10.0.0.2"] + 1]
    assert [line.split()[0] for line in lines[heads["10.0.0.1"] + 1 : heads["10.0.0.2"]]] == [
        "0.0",
        "1.0",
        "2.0",
        "3.0",
    ]
    assert lines[heads["10.0.0.3"]].endswith("has not listed a device yet")
    assert "neither npu-smi nor nvidia-smi" in lines[-1]


def test_only_the_rows_of_the_stale_node_are_dim() -> None:
    lines = node_rows(read_sample(sample_of_nodes(START)), 76, 1.0)
    bright = [place for place, line in enumerate(lines) if any("series" in str(span.style) for span in line.spans)]
    assert [lines[place].plain.split()[0] for place in bright] == ["0.0", "1.0", "2.0", "3.0"]
    assert max(bright) < next(place for place, line in enumerate(lines) if "10.0.0.2" in line.plain)


def test_a_node_that_the_row_does_not_list_is_shown_too() -> None:
    row = sample_of_nodes(START)
    row["nodes"] = [*row["nodes"][:1], {"age_s": "x"}, 7]
    lines = [line.plain for line in node_rows(read_sample(row), 76, 1.0)]
    assert sum(line.startswith(("0.0", "3.0")) for line in lines) == 4


def test_the_same_device_number_of_two_nodes_has_two_histories() -> None:
    history = DeviceHistory()
    for time in range(0, 100, 5):
        history.add(read_sample(sample_of_nodes(START + time)))
    assert len(history.tracks) == 8
    lines = [line.plain for line in past_lines(history, "use", 76)]
    heads = [line for line in lines if line.startswith("Node")]
    assert heads == ["Node 10.0.0.1", "Node 10.0.0.2"]
    assert [line.split()[0] for line in lines].count("0.0") == 2
    # Each node's samples stand at the time when its own numbers were taken.
    assert history.tracks["10.0.0.1/0.0"].points[0][0] - history.tracks["10.0.0.2/0.0"].points[0][0] > 30


def test_one_machine_has_no_heading() -> None:
    history = DeviceHistory()
    for time in (0, 5, 10):
        history.add(read_sample(sample(START + time, 2)))
    assert not [line for line in past_lines(history, "use", 76) if "Node" in line.plain]
    assert list(history.tracks) == ["0.0", "1.0"]


async def test_the_pane_shows_nodes_and_why_the_cluster_is_silent(run_directory: Make, open_app: Open) -> None:
    directory = run_directory(nodes=True)
    rows = (directory / "devices.jsonl").read_text().splitlines()
    row = rows[-1].replace('"source": "npu-smi"', '"source": "npu-smi", "problems": ["no_cluster"]')
    (directory / "devices.jsonl").write_text("\n".join([*rows[:-1], row]) + "\n")
    app = open_app(directory)
    async with app.run_test(size=(140, 45)) as pilot:
        await loaded(app)
        await pilot.press("4", "z")
        await until(lambda: "Node 10.0.0.3" in text_of(app))
        assert "the Ray cluster can't be joined" in text_of(app)
        assert "The node that started the run" in text_of(app)
