from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import until
from textual.app import App

from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.widgets import log_copy
from agentic_rl_wizard.wizard.widgets.log_lines import LogLines
from agentic_rl_wizard.wizard.widgets.log_prompt import LogPrompt

SIZE = (100, 24)


def screen_text(app: App[object]) -> list[str]:
    rows = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in rows]


def log_text(app: RunApp) -> list[str]:
    lines = app.run_screen.log_pane.lines
    return [lines.render_line(y).text.rstrip() for y in range(lines.size.height)]


def status(app: RunApp) -> str:
    return str(app.run_screen.log_pane.status.content)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    path.write_text("".join(f"line {n}\n" for n in range(500)), encoding="utf-8")
    return path


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


async def ready(app: RunApp, lines: int) -> LogLines:
    view = app.run_screen.log_pane.lines
    await until(lambda: view.virtual_size.height == lines)
    return view


async def test_follows_pauses_counts_and_follows_again(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        assert log_text(app)[-1].endswith("line 499")
        append(log, "line 500\n")
        await until(lambda: log_text(app)[-1].endswith("line 500"))
        await pilot.press("up")
        assert not view.following
        append(log, "line 501\nline 502\n")
        await until(lambda: "+2 new" in status(app))
        assert log_text(app)[-1].endswith("line 500")
        await pilot.press("end")
        assert view.following
        assert log_text(app)[-1].endswith("line 502")


async def test_the_wheel_pauses_and_the_end_follows_again(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot._post_mouse_events([__import__("textual.events", fromlist=["MouseScrollUp"]).MouseScrollUp], view)
        await until(lambda: not view.following)
        for _ in range(3):
            view._wheel(3)
        assert view.following


async def test_find_counts_and_steps_through_the_matches(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("home", "slash", *"line 49")
        await until(lambda: "/11" in app.run_screen.log_pane.status.count_text())
        await pilot.press("enter")
        await until(lambda: view.has_focus)
        await until(lambda: app.run_screen.log_pane.status.count_text() == "1/11")  # typing didn't run on
        assert view.line == 49
        await pilot.press("n")
        assert (view.line, app.run_screen.log_pane.status.count_text()) == (490, "2/11")
        await pilot.press("N", "N")
        assert (view.line, app.run_screen.log_pane.status.count_text()) == (499, "11/11")
        await pilot.press("escape")
        assert app.run_screen.reader.search is None


async def test_a_bad_pattern_is_explained_and_the_screen_lives(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 500)
        await pilot.press("slash", "ctrl+r", *"(a+)+")
        prompt = app.run_screen.log_pane.prompt
        await until(lambda: "for ever" in str(prompt.query_one("#prompt-note").content))
        append(log, "more\n")
        await ready(app, 501)
        assert "for ever" in str(prompt.query_one("#prompt-note").content)
        await pilot.press("escape")
        assert not prompt.asking


async def test_who_follows_the_end_finds_the_nearest_match_above_it(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("slash", *"line 4")
        await until(lambda: app.run_screen.log_pane.status.count_text() == "111/111")
        assert view.line == 499
        await pilot.press("7", "enter")  # line 47, line 470 to line 479
        await until(lambda: app.run_screen.log_pane.status.count_text() == "11/11")
        assert (view.line, view.following) == (479, False)


async def test_only_matching_keeps_the_line_in_view(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("home", "slash", *"7", "enter")
        await until(lambda: app.run_screen.log_pane.status.count_text() == "1/95")
        await pilot.press("n", "n", "n", "ampersand")
        await until(lambda: view.virtual_size.height == 95)
        assert view.line == 37
        assert not view.following
        assert all("7" in row for row in log_text(app))
        append(log, "line 777\nother\n")
        await until(lambda: view.virtual_size.height == 96)
        await pilot.press("ampersand")
        await until(lambda: view.virtual_size.height == 502)
        assert view.line == 37


async def test_levels_and_errors(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "log"
    rows = ["fine"] * 60
    rows[20] = "UserWarning: careful"
    rows[30:32] = ["Traceback (most recent call last):", "ValueError: bad"]
    rows[50] = "ERROR again"
    path.write_text("\n".join(rows) + "\n")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 60)
        await until(lambda: len(app.run_screen.reader.levels.errors) == 3)
        await pilot.press("home", "e")
        assert view.line == 30
        assert "✘" in log_text(app)[view.row - view.scroll_offset.y]
        await pilot.press("e")
        assert view.line == 50
        await pilot.press("e")
        assert view.line == 30
        await pilot.press("L")
        assert [row.split(maxsplit=1)[0] for row in log_text(app) if row] == ["!", "✘", "✘", "✘"]
        await pilot.press("L")
        assert view.virtual_size.height == 3
        await pilot.press("L")
        assert view.virtual_size.height == 60


async def test_go_to_step(run_directory: Callable[..., Path], open_app: Callable[..., RunApp]) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=SIZE) as pilot:
        view = app.run_screen.log_pane.lines
        await until(lambda: len(app.run_screen.reader.levels.steps) == 42)
        await pilot.press("g", *"17", "enter")
        assert "step:17 " in view.text_of_row(view.row)
        await pilot.press("g", *"99", "enter")
        assert app.run_screen.log_pane.prompt.asking
        assert "no step 99" in str(app.run_screen.log_pane.prompt.query_one("#prompt-note").content)


HOSTILE = [
    "[bold red]not markup[/] [@click=app.bell]x[/]",
    "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m",
    "\x1b]52;c;aGVsbG8=\x07clip",
    "nul\x00 bell\x07 back\x08",
    "bidi \u202eevil",
]


async def test_nothing_in_a_log_or_its_name_is_interpreted(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "[bold]evil[b] $x.log"
    path.write_bytes("\n".join(HOSTILE).encode() + b"\n\xff\xfe half \xe4\xb8\n")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 6)
        shown = "\n".join(screen_text(app))
        assert "[bold red]not markup[/] [@click=app.bell]x[/]" in shown
        assert "[bold]evil[b] $x.log" in shown
        assert not {"\x1b", "\x07", "\x08", "\x00", "\u202e"} & set(shown)
        assert "red" in shown
        await pilot.press("slash", *"[bold", "enter")
        await until(lambda: app.run_screen.log_pane.status.count_text() == "1/1")
        await pilot.press("enter")
        await pilot.pause()
        assert "[bold red]not markup[/]" in "\n".join(screen_text(app))


async def test_wide_characters_keep_the_columns(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "log"
    path.write_text("中文日志" * 40 + "\n" + "🚀👩‍👩‍👧" * 30 + "\n" + "e\u0301" * 200 + "\n", encoding="utf-8")
    app = open_app(path)
    async with app.run_test(size=(61, 12)) as pilot:
        view = await ready(app, 3)
        for _ in range(3):
            for y in range(view.size.height):
                assert view.render_line(y).cell_length == view.scrollable_content_region.width
            await pilot.press("right")


async def test_a_huge_line_is_shown_cut_and_in_full_on_demand(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 10_000_000 + b"THE END\nshort\n")
    app = open_app(path)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 2)
        shown = view.shown(0)
        assert len(shown.text) == 4096
        assert shown.left_out == 10_000_007 - 4096
        await pilot.press("home", "enter")
        await until(lambda: type(app.screen).__name__ == "WholeLine")
        assert len(app.screen._text) == 10_000_007
        await pilot.press("escape")


async def test_metrics_open_as_a_table(run_directory: Callable[..., Path], open_app: Callable[..., RunApp]) -> None:
    app = open_app(run_directory())
    async with app.run_test(size=SIZE) as pilot:
        await until(lambda: len(app.run_screen.reader.levels.steps) == 42)
        await pilot.press("g", "5", "enter", "enter")
        await until(lambda: type(app.screen).__name__ == "WholeLine")
        text = "\n".join(screen_text(app))
        assert "step 5" in text
        assert "actor/grad_norm" in text


async def test_truncation_while_open(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("up")
        log.write_text("fresh\n")
        await until(lambda: view.virtual_size.height == 1)
        await until(lambda: log_text(app)[0].endswith("fresh"))
        assert view.following


async def test_copy_goes_to_the_terminal_and_large_copies_to_a_file(
    log: Path, open_app: Callable[..., RunApp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 500)
        await pilot.press("home", "v", "down", "down", "y")
        assert app.clipboard == "line 0\nline 1\nline 2"
        monkeypatch.setattr(log_copy, "CLIPBOARD_LIMIT", 10)
        await pilot.press("home", "v", "down", "y")
        saved = tmp_path / "train-copy.txt"
        assert saved.read_text() == "line 0\nline 1\n"
        assert saved.stat().st_mode & 0o777 == 0o640
        assert any(str(saved) in note.message for note in app._notifications)


async def test_save_writes_what_is_shown_and_never_over_a_file(
    log: Path, open_app: Callable[..., RunApp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train-log.txt").write_text("mine")
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("slash", *"99", "enter", "ampersand")
        await until(lambda: view.virtual_size.height == 5)
        await pilot.press("S")
        await until((tmp_path / "train-log-2.txt").exists)
        await until(lambda: (tmp_path / "train-log-2.txt").read_text().count("\n") == 5)
        assert (tmp_path / "train-log.txt").read_text() == "mine"


async def test_selection_with_the_mouse(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        view = await ready(app, 500)
        await pilot.press("home")
        await pilot.mouse_down(view, offset=(3, 1))
        await pilot.hover(view, offset=(9, 2))
        await pilot.mouse_up(view, offset=(9, 2))
        assert (app.screen.get_selected_text() or "").startswith("line 1\nline")


async def test_a_prompt_takes_letters_that_are_keys_elsewhere(log: Path, open_app: Callable[..., RunApp]) -> None:
    app = open_app(log)
    async with app.run_test(size=SIZE) as pilot:
        await ready(app, 500)
        await pilot.press("slash", *"qXz1")
        assert app.run_screen.query_one(LogPrompt).query_one("Input").value == "qXz1"
        assert app.is_running


async def test_a_log_that_is_not_there_yet(tmp_path: Path, open_app: Callable[..., RunApp]) -> None:
    folder = tmp_path / "later"
    app = open_app(folder / "log")
    async with app.run_test(size=SIZE):
        assert "No log yet" in status(app)
        folder.mkdir()
        (folder / "log").write_text("hello\n")
        await ready(app, 1)
        shutil.rmtree(folder)
        await until(lambda: "deleted" in status(app))
        assert log_text(app)[0].endswith("hello")
