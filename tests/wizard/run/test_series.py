from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.wizard.store.braille import Canvas
from agentic_rl_wizard.wizard.store.series import (
    decimate,
    duration,
    nice_step,
    number,
    readout_at,
    smooth,
    split_gaps,
    step_axis,
    tick_text,
    value_axis,
)
from agentic_rl_wizard.wizard.widgets.chart_plot import Line, Plot, draw

NAN = math.nan


def test_smoothing_begins_at_the_data_and_keeps_gaps() -> None:
    shown = smooth([(1, 10.0), (2, NAN), (3, 10.0), (4, 20.0)], 0.5)
    assert shown[0] == (1, 10.0)
    assert math.isnan(shown[1][1])
    assert shown[2][1] == pytest.approx(10.0)
    # Debiased average of 10, 10, 20 with weights 1/8, 1/4, 1/2.
    assert shown[3][1] == pytest.approx((10 / 8 + 10 / 4 + 20 / 2) / (7 / 8))


def test_no_smoothing_changes_nothing() -> None:
    points = [(1.0, 3.0), (2.0, 4.0)]
    assert smooth(points, 0) == points


def test_gaps_interrupt_the_line() -> None:
    assert split_gaps([(1, 1.0), (2, NAN), (3, 2.0), (4, math.inf), (5, NAN)]) == [[(1, 1.0)], [(3, 2.0)]]


def test_decimation_keeps_spikes_and_ends() -> None:
    points = [(float(x), 0.0) for x in range(100_000)]
    points[54_321] = (54_321.0, 9.0)
    points[77_777] = (77_777.0, -4.0)
    few = decimate(points, 120)
    assert len(few) <= 480
    assert few == sorted(few)
    assert {(0.0, 0.0), (54_321.0, 9.0), (77_777.0, -4.0), (99_999.0, 0.0)} <= set(few)


@pytest.mark.parametrize(
    ("least", "step"), [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (2.1, 2.5), (3, 5.0), (7, 10.0), (0.023, 0.025)]
)
def test_nice_steps(least: float, step: float) -> None:
    assert nice_step(least) == pytest.approx(step)


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.sampled_from([[1, 2, 3], [1, 2, 4], [1], [1, 2, 3, 6]])
)
def test_the_axis_holds_all_values_with_even_labels(values: list[float], intervals: list[int]) -> None:
    axis = value_axis(values, intervals)
    assert axis is not None
    span = axis.high - axis.low
    assert span > 0
    assert axis.low <= min(values) + span * 1e-9
    assert axis.high >= max(values) - span * 1e-9
    steps = {round((b - a) / span, 6) for a, b in zip(axis.ticks, axis.ticks[1:], strict=False)}
    assert len(steps) == 1
    assert len({tick_text(tick, axis) for tick in axis.ticks}) == len(axis.ticks) or span < 1e-3 * max(map(abs, values))


def test_the_axis_of_a_reward() -> None:
    axis = value_axis([0.12, 0.79], [1, 2, 3])
    assert axis is not None
    assert [tick_text(tick, axis) for tick in axis.ticks] == ["0.0", "0.4", "0.8"] or [
        tick_text(tick, axis) for tick in axis.ticks
    ] == ["0", "0.4", "0.8"]


def test_a_flat_line_is_in_the_middle() -> None:
    axis = value_axis([5.0, 5.0], [1, 2])
    assert axis is not None
    assert 0.2 < (axis.place(5.0) or 0) < 0.8


def test_log_axis() -> None:
    axis = value_axis([0.001, 0.0, -1.0, 1.0, 1000.0], [3], log=True)
    assert axis is not None
    assert axis.log
    assert axis.place(1.0) == pytest.approx(0.5)
    assert axis.place(0.0) is None
    assert axis.place(-1.0) is None
    assert all(tick > 0 for tick in axis.ticks)


def test_log_axis_without_positive_values_is_a_plain_one() -> None:
    axis = value_axis([-2.0, -1.0], [2], log=True)
    assert axis is not None
    assert not axis.log


def test_nothing_finite_has_no_axis() -> None:
    assert value_axis([NAN, math.inf], [2]) is None


def test_step_axis_has_whole_numbers() -> None:
    axis = step_axis(1, 42, 4)
    assert axis.ticks == (20.0, 40.0)
    assert step_axis(7, 7, 4).place(7) == pytest.approx(0.5)
    assert all(tick == int(tick) for tick in step_axis(1, 3, 9).ticks)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (0.0, "0"),
        (-0.5, "-0.5"),
        (12_500, "12.5k"),
        (1_234, "1234"),
        (2_500_000, "2.5M"),
        (0.0000012, "1.2e-6"),
        (0.8046875, "0.805"),
        (NAN, "–"),
        (math.inf, "∞"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(8.24, "8.2s"), (59.6, "60s"), (250, "4m 10s"), (11_100, "3h 05m"), (187_300, "2d 4h"), (None, "–"), (NAN, "–")],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_readout_takes_the_nearest_finite_point() -> None:
    assert readout_at([(1, 1.0), (2, NAN), (4, 4.0)], 2) == (1, 1.0)
    assert readout_at([(1, NAN)], 1) is None


def test_canvas_draws_a_diagonal() -> None:
    canvas = Canvas(2, 1)
    canvas.line((0, 3), (3, 0), 0)
    assert "".join(text for text, _ in canvas.row(0)) == "⡠⠊"


def rows_of(plot: Plot, width: int = 40, height: int = 8) -> list[str]:
    return ["".join(text for text, _ in row) for row in draw(plot, width, height).rows]


def test_every_row_of_a_chart_is_as_wide_as_the_chart() -> None:
    plot = Plot([Line([(float(x), math.sin(x)) for x in range(50)])], smoothing=0.6, cursor=20.0)
    assert {len(row) for row in rows_of(plot)} == {40}
    assert len(rows_of(plot)) == 8


def test_a_gap_is_not_bridged() -> None:
    whole = [(float(x), 1.0) for x in range(21)]
    gap = [(x, NAN if 5 <= x <= 15 else y) for x, y in whole]
    middle = [row[20:28] for row in rows_of(Plot([Line(gap)]))]
    assert all(not part.strip() for part in middle[:-1])
    assert any(part.strip() for part in [row[20:28] for row in rows_of(Plot([Line(whole)]))][:-1])


def test_the_cursor_is_drawn_at_its_step_and_the_mouse_finds_it_there() -> None:
    points = [(float(x), float(x % 3)) for x in range(1, 41)]
    picture = draw(Plot([Line(points)], cursor=40.0), 50, 8)
    columns = [sum(len(text) for text, _ in row[: names.index("cursor")])
               for row in picture.rows if "cursor" in (names := [style for _, style in row])]  # fmt: skip
    assert set(columns) == {49}
    assert picture.step_at(49) == pytest.approx(40, abs=0.6)


def test_too_small_to_draw_is_no_error() -> None:
    plot = Plot([Line([(1.0, 1.0), (2.0, 2.0)])])
    assert rows_of(plot, 9, 8) == []
    assert rows_of(plot, 40, 1) == []
    assert rows_of(Plot([Line([(1.0, NAN)])])) == []
