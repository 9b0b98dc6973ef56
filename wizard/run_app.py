"""The app behind ``agentic-rl attach R`` and ``agentic-rl view LOGFILE``."""

from __future__ import annotations

import sys
from typing import ClassVar

from textual.binding import Binding, BindingType

from ..runner.process.record import RunRecord
from .app_base import BaseApp
from .i18n import t
from .screens.run_screen import RunScreen, Stop
from .store.run_model import RunModel
from .store.run_open import model_of


class RunApp(BaseApp[None]):
    """Shows one run; closing it leaves the run alone."""

    TITLE = "agentic-rl"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "detach", show=False, priority=True),
        Binding("ctrl+c", "ask", show=False),
    ]

    def __init__(self, model: RunModel, stop: Stop | None = None) -> None:
        super().__init__()
        self.run_screen = RunScreen(model, stop)

    def on_mount(self) -> None:
        """Show the run."""
        self.push_screen(self.run_screen)

    def action_detach(self) -> None:
        """As q does, from anywhere."""
        self.run_screen.action_detach()

    def action_ask(self) -> None:
        """Ctrl-C never reaches the run: it asks whether to stop it or to leave it running."""
        if self.run_screen.model.ended or self.run_screen.model.record is None:
            self.notify(t("run.ctrl_c"))
        else:
            self.run_screen.action_stop()


def open_run(reference: str) -> int:
    """Show a run or a log file until the user leaves.

    Args:
        reference: a path, an id, a unique prefix, ``last``, or a log file.

    Returns:
        The exit code of the command: 0, 2 when there is no such run or no terminal.
    """
    try:
        model = model_of(reference)
    except FileNotFoundError:
        print(t("run.not_found", reference=reference), file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(t("run.unreadable", reference=reference, reason=error), file=sys.stderr)
        return 2
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):  # Textual paints on stderr
        print(t("run.no_terminal"), file=sys.stderr)
        return 2
    app = RunApp(model, stop_function() if model.record else None)
    app.run()
    return app.return_code or 0


def stop_function() -> Stop:
    """How a run is stopped; imported late because a viewer rarely stops anything."""

    def stop(record: RunRecord, at_once: bool) -> object:
        from ..runner.process.stop import stop_run

        return stop_run(record, at_once)

    return stop
