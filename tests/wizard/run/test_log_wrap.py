from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import until
from rich.cells import cell_len, set_cell_size
from test_log_pane import append, log_text, ready, screen_text

from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.widgets.log_wrap import parts_of, rows_down, rows_up

SIZE = (60, 20)


@pytest.mark.parametrize("text", ["", "abc", "x" * 205, "中文日志" * 30, "a中" * 50, "e\u0301" * 90, "🚀" * 40])
def test_pieces_cover_a_line_and_cut_no_wide_character(text: str) -> None:
    parts = parts_of(text, 21, 1000)
    assert parts[0][0] == 0 and parts[-1][1] == cell_len(text)
    assert all(before[1] == after[0] for before, after in pairwise(parts))
    assert all(end - start <= 21 for start, end in parts)
    for _, end in parts:  # a cut in the middle of a wide character would leave a blank there
        assert text.startswith(set_cell_size(text, end)) or not text


def test_a_huge_line_is_broken_as_far_as_it_is_seen() -> None:
    assert len(parts_of("x" * 10_000_000, 80, 20)) == 20
    assert len(parts_of("中" * 1_000_000, 80, 20)) == 20


def test_whole_lines_that_fit() -> None:
    heights = [1, 3, 1, 9]
    assert rows_down(heights.__getitem__, 0, 4, 5) == 3
    assert rows_up(heights.__getitem__, 3, 12) == 2
    assert rows_up(heights.__getitem__, 3, 5) == 1  # larger than the view: alone


async def test_w_breaks_long_lines_and_shows_all_of_them(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("".join(f"line {n} " + "abcdefghij" * 15 + " end\n" for n in range(100)), encoding="utf-8")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 100)
        assert not log_text(app)[-1].endswith("end")
        await pilot.press("W")
        await until(lambda: "line 99 abc" in "\n".join(screen_text(app)))
        shown = [row.strip(" │▕█▁") for row in screen_text(app)]
        assert view.following and any(row.startswith("end") or row.endswith("end") for row in shown)
        append(path, "line 100 short\n")
        await until(lambda: "line 100 short" in "\n".join(screen_text(app)))
        await pilot.press("home")
        await until(lambda: "line 0 abc" in "\n".join(screen_text(app)))
        seen = 0
        for _ in range(101):  # each line comes into view on the way down
            assert f"line {seen} " in "\n".join(screen_text(app)), seen
            await pilot.press("down")
            seen = min(seen + 1, 100)
        await pilot.press("pageup")
        assert view.row < 100 and not view.following
        await pilot.press("end")
        await until(lambda: view.following and "line 100 short" in "\n".join(screen_text(app)))
        await pilot.press("W")
        assert not view.wrapped and view.virtual_size.height == 101


async def test_a_match_far_to_the_right_is_in_view(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("中文" * 60 + "needle\n" + "short\n" * 50, encoding="utf-8")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 51)
        await pilot.press("W", "slash", *"needle", "enter")
        await until(lambda: any("needle" in row for row in screen_text(app)[:-2] if "“" not in row))
        assert app.run_screen.log_pane.lines.line == 0


async def test_a_click_goes_to_the_line_that_is_there(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("".join("x" * 130 + f" {n}\n" for n in range(30)), encoding="utf-8")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 30)
        await pilot.press("W", "home")
        await pilot.pause()
        await pilot.click(view, offset=(10, 4))  # three rows a line: the fifth row belongs to the second
        assert view.row == 1


async def test_a_line_longer_than_the_view_leaves_no_hole_and_says_that_it_goes_on(
    tmp_path: Path, open_app: Callable[..., RunApp]
) -> None:
    path = tmp_path / "train.txt"
    path.write_text("A" * 10_000_000 + "\nlast\n", encoding="utf-8")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 2)
        await pilot.press("W")
        await until(lambda: sum("AAAA" in row for row in screen_text(app)) > 8)
        rows = [row.rstrip(" ▁▂▃▄▅▆▇█") for row in screen_text(app) if "AAAA" in row]
        assert rows[-1].endswith("›") and not rows[-2].endswith("›")
        assert any(row.strip().startswith("last") for row in screen_text(app))
