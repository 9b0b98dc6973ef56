"""What both apps (wizard, run view) have in common: themes, languages, hang-up, suspend."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Protocol, TypeVar, runtime_checkable

from textual.app import App
from textual.binding import Binding
from textual.theme import Theme

from .hang_up import watch_terminal
from .i18n import next_language, set_language
from .theme import THEMES, other_theme, preferred_theme, variable_defaults

Result = TypeVar("Result")


@runtime_checkable
class Retranslatable(Protocol):
    """A screen or widget that shows texts: after a switch of the language it is asked to show them anew."""

    def retranslate(self) -> None:
        """Show all own texts in the language that is now in use."""
        ...


class BaseApp(App[Result]):
    """An app with the project's themes and languages; screens and widgets follow by `Retranslatable`."""

    # Screens list their own keys; the palette's English entries would be the only untranslated text.
    ENABLE_COMMAND_PALETTE = False

    BINDINGS = [
        Binding("f2", "switch_language", "中/EN", show=False, priority=True, id="app.language"),
        Binding("f3", "switch_theme", "Light/dark", show=False, priority=True, id="app.theme"),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True, id="app.suspend"),
    ]

    def __init__(self) -> None:
        self._theme_in_use: Theme | None = None
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        wanted = preferred_theme()
        self.theme = wanted if wanted in self.available_themes else THEMES[0].name

    @property
    def current_theme(self) -> Theme:
        """The theme in use, kept: Textual asks for it at every widget it draws, and looks it up anew each time."""
        if self._theme_in_use is None or self._theme_in_use.name != self.theme:
            self._theme_in_use = super().current_theme
        return self._theme_in_use

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Every theme knows our names (`theme.variable_defaults`)."""
        return variable_defaults(self.current_theme)

    def on_load(self) -> None:
        """Be ready for the end of the terminal, and leave in order when asked to."""
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; a thread of a test
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.terminate)
        if not self.is_headless and not self.is_web:
            watch_terminal(self.hang_up)

    def hang_up(self) -> None:
        """The terminal is gone and the process ends when this returns: save what must not be lost, ask nothing."""

    def terminate(self) -> None:
        """SIGTERM: save as for a hang-up, but leave the terminal in order."""
        self.hang_up()
        self.exit(return_code=143)

    def action_switch_theme(self) -> None:
        """Dark to light and back."""
        self.theme = other_theme(self.theme)

    def action_switch_language(self) -> None:
        """English to Chinese and back, on every screen of the stack."""
        self.use_language(next_language())

    def use_language(self, language: str) -> None:
        """Show everything in a language.

        Raises:
            ValueError: an unknown language.
        """
        set_language(language)
        for screen in self.screen_stack:
            for node in screen.walk_children(with_self=True):
                if isinstance(node, Retranslatable):
                    node.retranslate()
            screen.refresh_bindings()
