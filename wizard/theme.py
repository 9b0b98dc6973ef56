"""The look of every screen: a dark and a light theme, ANSI fallback, and the colours that mean something.

Colours carry meaning here, so they are named by meaning, never by hue, in CSS and widgets:

====================  =====================================================================
``$muted``            secondary text (units, hints, keys); at least 4.5:1 on ``$background``
``$rule``             lines between panes
``$state-*``          state of a run: live, done, failed, stopped, lost (always with a symbol)
``$level-*``          level of a log line: error, warning, info, debug (always with a symbol)
``$series-1..6``      lines of a chart: Okabe-Ito, adapted to the background; told apart by
                      people with any of the common colour-vision deficiencies
``$hit``/``$hit-now`` background of a match of a search, and of the current one
====================  =====================================================================

The same names exist under every theme, Textual's own included, because `variable_defaults` supplies them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from textual.theme import Theme

DARK = "agentic-dark"
LIGHT = "agentic-light"
ANSI_DARK = "ansi-dark"
ANSI_LIGHT = "ansi-light"

_MEANING_DARK: dict[str, str] = {
    "muted": "#94a1b5",
    "rule": "#2d3748",
    "label": "#b7c3d6",
    "state-live": "#5cc8a1",
    "state-done": "#6cb6ff",
    "state-failed": "#ff8080",
    "state-stopped": "#e3b341",
    "state-lost": "#e3b341",
    "level-error": "#ff8080",
    "level-warning": "#e3b341",
    "level-info": "#d5dce8",
    "level-debug": "#8491a5",
    "series-1": "#56b4e9",
    "series-2": "#f0a830",
    "series-3": "#34c79a",
    "series-4": "#e08fc0",
    "series-5": "#f0e442",
    "series-6": "#ff8559",
    "hit": "#4a4318",
    "hit-now": "#e3b341",
    "hit-now-text": "#11151c",
    "changed": "#213a2f",
}

_MEANING_LIGHT: dict[str, str] = {
    "muted": "#596475",
    "rule": "#d3d0c7",
    "label": "#3c4656",
    "state-live": "#12704d",
    "state-done": "#1857a4",
    "state-failed": "#b3261e",
    "state-stopped": "#855300",
    "state-lost": "#855300",
    "level-error": "#b3261e",
    "level-warning": "#855300",
    "level-info": "#1f2733",
    "level-debug": "#5b6676",
    "series-1": "#0067a8",
    "series-2": "#b45f00",
    "series-3": "#00785a",
    "series-4": "#9c3f79",
    "series-5": "#7a6a00",
    "series-6": "#c23b12",
    "hit": "#fbeeb0",
    "hit-now": "#f2b92e",
    "hit-now-text": "#1f2733",
    "changed": "#dcefe2",
}

# Sixteen colours and no background of our own: the Linux console, old terminals, screenshots for print.
_MEANING_ANSI: dict[str, str] = {
    "muted": "ansi_default 60%",
    "rule": "ansi_bright_black",
    "label": "ansi_default",
    "state-live": "ansi_green",
    "state-done": "ansi_blue",
    "state-failed": "ansi_red",
    "state-stopped": "ansi_yellow",
    "state-lost": "ansi_yellow",
    "level-error": "ansi_red",
    "level-warning": "ansi_yellow",
    "level-info": "ansi_default",
    "level-debug": "ansi_bright_black",
    "series-1": "ansi_cyan",
    "series-2": "ansi_yellow",
    "series-3": "ansi_green",
    "series-4": "ansi_magenta",
    "series-5": "ansi_blue",
    "series-6": "ansi_red",
    "hit": "ansi_bright_black",
    "hit-now": "ansi_yellow",
    "hit-now-text": "ansi_black",
    "changed": "ansi_bright_black",
}

_WIDGETS_DARK: dict[str, str] = {
    "border": "#3f6f9e",
    "border-blurred": "#2d3748",
    "footer-background": "#171d27",
    "footer-key-foreground": "#f0a830",
    "footer-description-foreground": "#94a1b5",
    "scrollbar": "#37455c",
    "scrollbar-hover": "#4a5c78",
    "scrollbar-active": "#56b4e9",
    "scrollbar-background": "#141922",
    "scrollbar-background-hover": "#141922",
    "scrollbar-background-active": "#141922",
    "scrollbar-corner-color": "#141922",
    "input-selection-background": "#2f6ea8 60%",
    "block-cursor-background": "#2a4d70",
    "block-cursor-foreground": "#f2f6fc",
    "block-cursor-text-style": "bold",
    "block-hover-background": "#202a39",
    "button-focus-text-style": "bold",
}

_WIDGETS_LIGHT: dict[str, str] = {
    "border": "#3d78b5",
    "border-blurred": "#d3d0c7",
    "footer-background": "#edeae2",
    "footer-key-foreground": "#9a4f00",
    "footer-description-foreground": "#596475",
    "scrollbar": "#c4c0b4",
    "scrollbar-hover": "#a9a598",
    "scrollbar-active": "#0067a8",
    "scrollbar-background": "#f1eee7",
    "scrollbar-background-hover": "#f1eee7",
    "scrollbar-background-active": "#f1eee7",
    "scrollbar-corner-color": "#f1eee7",
    "input-selection-background": "#9cc7ee 70%",
    "block-cursor-background": "#cfe2f5",
    "block-cursor-foreground": "#10243a",
    "block-cursor-text-style": "bold",
    "block-hover-background": "#e9e6dd",
    "button-focus-text-style": "bold",
}

THEMES: tuple[Theme, ...] = (
    Theme(
        name=DARK,
        dark=True,
        primary="#56a8e0",
        secondary="#7d93b2",
        accent="#f0a830",
        success="#5cc8a1",
        warning="#e3b341",
        error="#ff8080",
        foreground="#d5dce8",
        background="#11151c",
        surface="#171d27",
        panel="#1d2532",
        boost="#232d3d",
        text_alpha=1.0,
        variables={**_WIDGETS_DARK, **_MEANING_DARK},
    ),
    Theme(
        name=LIGHT,
        dark=False,
        primary="#0067a8",
        secondary="#52627a",
        accent="#9a4f00",
        success="#12704d",
        warning="#855300",
        error="#b3261e",
        foreground="#1f2733",
        background="#faf8f3",
        surface="#f3f0e9",
        panel="#edeae2",
        boost="#e6e2d8",
        text_alpha=1.0,
        variables={**_WIDGETS_LIGHT, **_MEANING_LIGHT},
    ),
)


def variable_defaults(theme: Theme) -> dict[str, str]:
    """The meaning colours for a theme that doesn't define them (Textual's own themes, the ANSI ones).

    Args:
        theme: the theme in use.

    Returns:
        A value for every name of the table above, without the leading ``$``.
    """
    if theme.ansi:
        return dict(_MEANING_ANSI)
    return dict(_MEANING_DARK if theme.dark else _MEANING_LIGHT)


def preferred_theme(environ: Mapping[str, str] | None = None) -> str:
    """The theme to start with, from the environment alone (asking the terminal costs a round trip over ssh).

    ``AGENTIC_RL_THEME`` (a theme's name, or ``dark``, ``light``, ``ansi``) wins; then ``COLORFGBG``, which
    many terminals set to "foreground;background"; a terminal with sixteen colours gets the ANSI theme.
    """
    env = os.environ if environ is None else environ
    wanted = env.get("AGENTIC_RL_THEME", "").strip().lower()
    background = env.get("COLORFGBG", "").rpartition(";")[2]
    light = background in {"7", "15"} or wanted == "light"
    few_colours = env.get("TERM", "") in {"linux", "vt100", "vt220", "xterm-16color"}
    if wanted == "ansi" or (not wanted and few_colours):
        return ANSI_LIGHT if light else ANSI_DARK
    if wanted and wanted not in {"dark", "light"}:
        return wanted
    return LIGHT if light and wanted != "dark" else DARK


def other_theme(name: str) -> str:
    """The counterpart of a theme for the key that switches between dark and light."""
    return {DARK: LIGHT, LIGHT: DARK, ANSI_DARK: ANSI_LIGHT, ANSI_LIGHT: ANSI_DARK}.get(name, DARK)
