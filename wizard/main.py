"""The command ``agentic-rl-wizard``: which form of it runs, decided before anything heavy is imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
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
    _use_language(given)
    options = _parser().parse_args(given)
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


def _use_language(given: Sequence[str]) -> None:
    """Speak the language that ``--lang`` names, ``--help`` and complaints about the usage included."""
    asked = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    asked.add_argument("--lang", choices=LANGUAGES)
    with suppress(argparse.ArgumentError):
        wanted = asked.parse_known_args(given)[0].lang
        if wanted:
            set_language(wanted)


def _parser() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="agentic-rl-wizard", description=t("wizard.help_program"), epilog=t("wizard.help_also")
    )
    parser.add_argument("file", nargs="?", metavar="F", help=t("wizard.help_file"))
    parser.add_argument("--template", metavar="T", default="", help=t("wizard.help_template"))
    parser.add_argument("--lang", choices=LANGUAGES, help=t("wizard.help_lang"))
    parser.add_argument("--plain", action="store_true", help=t("wizard.help_plain"))
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

    _use_language(given)
    kind = given[0]
    parser = argparse.ArgumentParser(prog=f"agentic-rl-wizard {kind}", description=t(f"wizard.help_{kind}"))
    what = "RUN" if kind == "attach" else "LOGFILE"
    parser.add_argument("reference", metavar=what, help=t(f"wizard.help_{kind}_what"))
    parser.add_argument("--lang", choices=LANGUAGES, help=t("wizard.help_lang"))
    options = parser.parse_args(given[1:])
    return open_run(options.reference)


if __name__ == "__main__":
    sys.exit(main())
