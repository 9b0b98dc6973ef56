from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from agentic_rl_wizard.wizard import theme


def luminance(color: Color) -> float:
    def channel(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * channel(color.r) + 0.7152 * channel(color.g) + 0.0722 * channel(color.b)


def contrast(first: str, second: str) -> float:
    low, high = sorted(luminance(Color.parse(value)) for value in (first, second))
    return (high + 0.05) / (low + 0.05)


TEXT = ["muted", "label", *(f"level-{name}" for name in ("error", "warning", "info", "debug"))]
TEXT += [f"state-{name}" for name in ("live", "done", "failed", "stopped", "lost")]


@pytest.mark.parametrize("one", theme.THEMES, ids=lambda one: one.name)
def test_text_is_readable_on_every_ground(one: Theme) -> None:
    for ground in (one.background, one.surface, one.panel):
        assert ground is not None
        for name in TEXT:
            assert contrast(one.variables[name], ground) >= 4.5, (one.name, name, ground)
    assert contrast(one.variables["hit-now-text"], one.variables["hit-now"]) >= 4.5
    assert contrast(one.variables["level-info"], one.variables["hit"]) >= 4.5


@pytest.mark.parametrize("one", theme.THEMES, ids=lambda one: one.name)
def test_chart_lines_stand_out(one: Theme) -> None:
    assert one.background is not None
    lines = [one.variables[f"series-{n}"] for n in range(1, 7)]
    assert len(set(lines)) == 6
    assert all(contrast(line, one.background) >= 3.0 for line in lines)


def test_every_theme_knows_the_same_names() -> None:
    names = set(theme.variable_defaults(theme.THEMES[0]))
    for other in (*theme.THEMES, *BUILTIN_THEMES.values()):
        assert set(theme.variable_defaults(other)) == names


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, theme.DARK),
        ({"COLORFGBG": "0;15"}, theme.LIGHT),
        ({"COLORFGBG": "0;15", "AGENTIC_RL_THEME": "dark"}, theme.DARK),
        ({"TERM": "linux"}, theme.ANSI_DARK),
        ({"AGENTIC_RL_THEME": "nord"}, "nord"),
    ],
)
def test_first_theme(environ: dict[str, str], expected: str) -> None:
    assert theme.preferred_theme(environ) == expected
