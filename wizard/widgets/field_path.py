"""A path: completed from the disk while typing, and looked up there, both off the UI thread."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from textual.suggester import Suggester

from ...runner.catalogue.parameter import Parameter
from ..form.values import printable
from ..i18n import t
from .controls import Remark
from .field_line import LineControl

MOST = 20_000  # entries of one folder looked through for a completion
PAUSE = 0.25  # seconds without a key before the disk is asked


class PathSuggester(Suggester):
    """Completes the last part of a path; a slow disk delays the suggestion, never the typing."""

    def __init__(self, folders_only: bool = False) -> None:
        """Suggest folders only, or everything."""
        super().__init__(use_cache=False, case_sensitive=True)
        self._folders_only = folders_only

    async def get_suggestion(self, value: str) -> str | None:
        """The first entry in the alphabet that goes on from what was typed."""
        if not value or value.endswith((" ", "..")) or value[-1] == ".":
            return None
        return await asyncio.to_thread(complete_path, value, self._folders_only)


def complete_path(typed: str, folders_only: bool = False) -> str | None:
    """``typed`` completed by the first matching entry of its folder; None when there is none."""
    folder, _, start = typed.rpartition("/")
    if not folder and "/" not in typed:
        folder = "."
    try:
        with os.scandir(os.path.expanduser(folder) or "/") as entries:  # noqa: PTH111 - "~" of other users too
            names: list[str] = []
            for count, entry in enumerate(entries):
                if count > MOST:
                    break
                hidden = entry.name.startswith(".") and not start.startswith(".")
                if not entry.name.startswith(start) or hidden or not entry.name.isprintable():
                    continue
                directory = entry.is_dir()
                if directory or not folders_only:
                    names.append(entry.name + ("/" if directory else ""))
    except (OSError, ValueError):
        return None
    return typed[: len(typed) - len(start)] + min(names) if names else None


def look_up(typed: str) -> tuple[str, bool]:
    """What the disk says about a path: a text id and whether that is good."""
    try:
        path = Path(typed).expanduser()
        if path.is_dir():
            return "wizard.path_folder", True
        if path.exists():
            return "wizard.path_file", True
    except (OSError, ValueError, RuntimeError):
        return "wizard.path_unreadable", False
    return "wizard.path_missing", False


class PathControl(LineControl):
    """An input for a path; tab completion is the right arrow, as in the shell's history."""

    def __init__(self, parameter: Parameter) -> None:
        """Make the control of a parameter."""
        super().__init__(parameter, PathSuggester(folders_only=parameter.path == "directory"))
        self._asked = ""

    def show(self, value: Any, shown: str, present: bool) -> None:
        """Show the path and have it looked up."""
        super().show(value, shown, present)
        self._ask(self.value)

    def watch_value(self, value: str) -> None:
        """Have a typed path looked up."""
        self._ask(value)

    def _ask(self, typed: str) -> None:
        """Look a path up, once the keys pause."""
        if typed == self._asked or not self.is_mounted:
            return
        self._asked = typed
        self.run_worker(self._look_up(typed), exclusive=True, group="path", exit_on_error=False)

    def on_mount(self) -> None:
        """Look the first path up."""
        self._ask(self.value)

    async def _look_up(self, typed: str) -> None:
        """Ask the disk in a thread and report."""
        if not typed.strip():
            self.post_message(Remark(""))
            return
        await asyncio.sleep(PAUSE)
        found, good = await asyncio.to_thread(look_up, typed.strip())
        self.post_message(Remark(t(found, path=printable(typed)), good))
