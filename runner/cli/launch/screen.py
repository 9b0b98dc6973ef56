"""`agentic-rl-wizard`, started from the command line; the headless half never imports a screen."""

from __future__ import annotations

import os
import sys


def show_screen(arguments: list[str]) -> int:
    """Run `agentic-rl-wizard` as a child and wait until the person leaves it."""
    import subprocess

    return subprocess.call([sys.executable, "-m", "agentic_rl_wizard.wizard.main", *arguments])


def open_screen(arguments: list[str]) -> None:
    """Become `agentic-rl-wizard`, so that the headless half never imports a screen."""
    os.execv(sys.executable, [sys.executable, "-m", "agentic_rl_wizard.wizard.main", *arguments])  # noqa: S606
