"""The command ``agentic-rl-wizard``: which form of it runs, decided before anything heavy is imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .i18n import LANGUAGES, set_language, t

USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the wizard, its plain twin, or the screen of a run.

    Returns:
        The exit code: 0, or 2 for wrong usage and where there is no terminal.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    if given and given[0] in ("attach", "view"):
        return _run_view(given)
    options = _parser().parse_args(given)
    if options.lang:
        set_language(options.lang)
    path = Path(options.file) if options.file else None
    if options.plain:
        return _plain(path, options.template)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(t("wizard.no_terminal"), file=sys.stderr)
        return USAGE
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        print(t("wizard.dumb_terminal"), file=sys.stderr)
        return _plain(path, options.template)
    return _screens(path, options.template)


def _parser() -> argparse.ArgumentParser:
    """The options; the words of ``--help`` are English, as on every command line of this project."""
    parser = argparse.ArgumentParser(
        prog="agentic-rl-wizard",
        description="Write, check and start an agentic-RL training configuration in the terminal.",
        epilog="Also: agentic-rl-wizard attach RUN, agentic-rl-wizard view LOGFILE: the live view of a run or log.",
    )
    parser.add_argument("file", nargs="?", metavar="F", help="file to open; begun from --template if it does not exist")
    parser.add_argument("--template", metavar="T", default="", help="template to start from (agentic-rl templates)")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the screens and of new comments")
    parser.add_argument("--plain", action="store_true", help="ask line by line instead of drawing screens")
    return parser


def _screens(path: Path | None, template: str) -> int:
    """The screens, then the screen of the run that was started, if any."""
    from .app import WizardApp

    app = WizardApp(path, template)
    run = app.run()
    if run:
        return _run_view(["attach", run])
    return app.return_code or 0


def _plain(path: Path | None, template: str) -> int:
    """The plain twin."""
    from .plain.main import run_plain

    return run_plain(path, template)


def _run_view(given: list[str]) -> int:
    """The live view of a run (``attach RUN``) or of any log (``view LOGFILE``)."""
    from .run_app import open_run

    parser = argparse.ArgumentParser(prog=f"agentic-rl-wizard {given[0]}")
    parser.add_argument("reference", metavar="RUN" if given[0] == "attach" else "LOGFILE")
    parser.add_argument("--lang", choices=LANGUAGES)
    options = parser.parse_args(given[1:])
    if options.lang:
        set_language(options.lang)
    return open_run(options.reference)


if __name__ == "__main__":
    sys.exit(main())
