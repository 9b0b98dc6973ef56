"""What the run view looks like: SVG files under snapshots/screens, to be read like documentation.

``UPDATE_SNAPSHOTS=1 pytest tests/wizard/run/test_run_snapshots.py`` writes them anew; look at them before you commit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import until
from example_run import make_run

from agentic_rl_wizard.wizard import theme
from agentic_rl_wizard.wizard.run_app import RunApp
from agentic_rl_wizard.wizard.screens import run_screen
from agentic_rl_wizard.wizard.widgets.confirm import Confirm
from agentic_rl_wizard.wizard.widgets.rollouts_pane import RolloutsPane

FOLDER = Path(__file__).parents[3] / "snapshots" / "screens"
SMALL, LARGE, HUGE = (80, 24), (120, 40), (180, 50)
END = ()

CASES: list[tuple[str, str, int, tuple[int, int], str, str, tuple[str, ...]]] = [
    ("running_120x40_dark_en", "running", 42, LARGE, theme.DARK, "en", END),
    ("running_120x40_light_zh", "running", 42, LARGE, theme.LIGHT, "zh", END),
    ("running_180x50_dark_zh", "running", 42, HUGE, theme.DARK, "zh", ("2", "s")),
    ("log_80x24_dark_en", "running", 42, SMALL, theme.DARK, "en", END),
    ("log_80x24_light_zh", "running", 42, SMALL, theme.LIGHT, "zh", END),
    ("find_80x24_dark_zh", "running", 42, SMALL, theme.DARK, "zh", ("slash", "t", "o", "o", "l")),
    ("charts_80x24_dark_en", "running", 42, SMALL, theme.DARK, "en", ("2", "left", "left", "left", "left")),
    ("charts_80x24_light_zh", "running", 42, SMALL, theme.LIGHT, "zh", ("2",)),
    ("devices_120x40_dark_zh", "running", 42, LARGE, theme.DARK, "zh", ("4", "z")),
    ("devices_80x24_light_en", "running", 42, SMALL, theme.LIGHT, "en", ("4",)),
    ("devices_140x45_dark_en", "running", 42, (140, 45), theme.DARK, "en", ("4", "z", "h", "h")),
    ("nodes_80x24_dark_zh", "running", 42, SMALL, theme.DARK, "zh", ("4",)),
    ("nodes_140x45_light_en", "running", 42, (140, 45), theme.LIGHT, "en", ("4", "z")),
    ("rollouts_80x24_dark_en", "running", 42, SMALL, theme.DARK, "en", ("3", "down")),
    ("rollouts_80x24_light_zh", "running", 42, SMALL, theme.LIGHT, "zh", ("3", "down", "enter", "pagedown")),
    ("rollouts_140x45_dark_zh", "running", 42, (140, 45), theme.DARK, "zh", ("3", "z", "s")),
    ("rollouts_140x45_light_en", "running", 42, (140, 45), theme.LIGHT, "en", ("3", "left", "L")),
    ("rollouts_empty_80x24_dark_zh", "starting", 0, SMALL, theme.DARK, "zh", ("3",)),
    ("finished_120x40_light_en", "finished", 60, LARGE, theme.LIGHT, "en", ("2",)),
    ("failed_120x40_dark_en", "failed", 23, LARGE, theme.DARK, "en", ("1", "e")),
    ("failed_80x24_light_zh", "failed", 23, SMALL, theme.LIGHT, "zh", ("5",)),
    ("empty_120x40_dark_zh", "starting", 0, LARGE, theme.DARK, "zh", END),
    ("empty_80x24_light_en", "starting", 0, SMALL, theme.LIGHT, "en", ("2",)),
    ("help_80x24_dark_en", "running", 42, SMALL, theme.DARK, "en", ("question_mark",)),
    ("stop_80x24_dark_zh", "running", 42, SMALL, theme.DARK, "zh", ("X",)),
    ("line_80x24_light_en", "running", 42, SMALL, theme.LIGHT, "en", ("g", "7", "enter", "enter")),
    ("tiny_20x5_dark_en", "running", 42, (20, 5), theme.DARK, "en", END),
]


async def settled(pane: RolloutsPane) -> None:
    """Wait until what was asked of the trajectories is on the screen."""
    await until(lambda: pane.view is not None and pane.view.looked and not pane._busy)
    await until(lambda: pane.text.entry == pane.list.entry)


def steady_svg(svg: str) -> str:
    """Without the name that Rich makes up for each picture."""
    return re.sub(r"terminal-\d+", "terminal", svg)


@pytest.mark.parametrize(
    ("name", "state", "steps", "size", "colours", "lang", "keys"), CASES, ids=[case[0] for case in CASES]
)
async def test_picture(
    name: str, state: str, steps: int, size: tuple[int, int], colours: str, lang: str, keys: tuple[str, ...],
    open_app: Callable[..., RunApp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_screen, "READ_SECONDS", 3600)
    app = open_app(make_run(Path("run"), state, steps, nodes=name.startswith("nodes_")), lambda _record, _now: None)
    async with app.run_test(size=size) as pilot:
        app.theme = colours
        app.use_language(lang)
        screen = app.run_screen
        await until(lambda: screen.reader.levels.done >= screen.reader.index.line_count)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
            if screen.rollouts.display:
                await settled(screen.rollouts)
            if key == "X":
                await until(lambda: isinstance(app.screen, Confirm))
        if screen.reader.search is not None:
            await until(lambda: screen.reader.search.done >= screen.reader.index.line_count)
        for node in app.screen.query("Input"):
            node.cursor_blink = False
        await pilot.pause(0.1)
        screen.log_pane.look()
        screen.log_pane.refresh_status()
        await pilot.pause()
        svg = steady_svg(app.export_screenshot(title="agentic-rl"))
    path = FOLDER / f"run_{name}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(svg, encoding="utf-8")
    assert path.exists(), f"no picture {path}; UPDATE_SNAPSHOTS=1 makes it"
    if path.read_text(encoding="utf-8") != svg:
        made = tmp_path / path.name
        made.write_text(svg, encoding="utf-8")
        pytest.fail(f"{path.name} looks different: compare with {made}")
