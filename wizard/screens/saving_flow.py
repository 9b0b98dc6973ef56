"""Saving step by step: ask for a name, for what to do about a conflict, and say what was done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..form.saving import Result, read_disk, save, suggested_name
from ..i18n import t
from ..widgets.of_app import app_of
from ..widgets.title_bar import short_path
from .ask import AskScreen
from .save import SaveScreen

if TYPE_CHECKING:
    from ..form.state import Form
    from .form_actions import FormActions


class Leaves(Protocol):
    """An app that can be left for the screen of a run."""

    def leave_for_run(self, run: str) -> None:
        """Open the run's screen."""
        ...


async def save_form(screen: FormActions) -> Path | None:
    """Save the form of a screen, asking whatever has to be asked; returns the file, None when it was not saved."""
    form = screen.form
    await screen.check_now()
    path = form.origin.path
    said = ""
    force = False
    while True:
        if path is None:
            errors = form.findings.count("error")
            suggested = short_path(form.origin.path) if form.origin.path else suggested_name(form)
            path = await app_of(screen).push_screen_wait(SaveScreen(suggested, said, errors))
            if path is None:
                return None
        result = save(form, path, force)
        force, said = False, ""
        if result.outcome in ("saved", "unchanged"):
            screen.drop_draft()
            _tell(screen, result)
            return result.path
        if result.outcome == "changed_on_disk":
            answer = await _ask_changed(screen, result.path)
        elif result.outcome == "exists":
            answer = await _ask_exists(screen, result.path)
        else:
            answer = "other"
            said = t(f"wizard.save_{result.outcome}", path=short_path(result.path), reason=result.reason)
        if answer == "overwrite":
            force = True
        elif answer == "other":
            path = None
        elif answer == "reload":
            _reload(screen, result.path)
            return None
        else:
            return None


async def run_anyway(screen: FormActions, errors: int) -> bool:
    """Ask whether to start a run although there are errors."""
    answers = [
        ("back", t("wizard.answer_problems")),
        ("run", t("wizard.answer_run")),
        ("no", t("wizard.answer_cancel")),
    ]
    title = t("wizard.run_errors_title", count=errors)
    answer = await app_of(screen).push_screen_wait(AskScreen(title, t("wizard.run_errors"), answers))
    if answer == "back":
        screen.call_after_refresh(screen.action_problems)
    return answer == "run"


def text_on_disk(form: Form) -> str | None:
    """The file's text as it is now; None when there is no file."""
    return read_disk(form.origin.path) if form.origin.path is not None else None


def _tell(screen: FormActions, result: Result) -> None:
    """Say what was done."""
    path = short_path(result.path)
    text = t("wizard.said_unchanged" if result.outcome == "unchanged" else "wizard.said_saved", path=path)
    if result.backup is not None:
        text += "\n" + t("wizard.said_backup", path=result.backup.name)
    errors = screen.form.findings.count("error")
    if errors:
        text += "\n" + t("wizard.save_with_errors", count=errors)
    screen.notify(text, markup=False, timeout=5)


async def _ask_changed(screen: FormActions, path: Path) -> str:
    """The file changed since it was read."""
    answers = [
        ("reload", t("wizard.answer_reload")),
        ("other", t("wizard.answer_other")),
        ("overwrite", t("wizard.answer_overwrite")),
        ("no", t("wizard.answer_cancel")),
    ]
    text = t("wizard.conflict", path=short_path(path))
    return await app_of(screen).push_screen_wait(AskScreen(t("wizard.conflict_title"), text, answers))


async def _ask_exists(screen: FormActions, path: Path) -> str:
    """Another file has that name."""
    answers = [
        ("other", t("wizard.answer_other")),
        ("overwrite", t("wizard.answer_overwrite")),
        ("no", t("wizard.answer_cancel")),
    ]
    text = t("wizard.exists", path=short_path(path))
    return await app_of(screen).push_screen_wait(AskScreen(t("wizard.exists_title"), text, answers))


def _reload(screen: FormActions, path: Path) -> None:
    """Take the text from the disk (undo brings the own one back) and show how they differ."""
    from .diff import DiffScreen

    mine = screen.form.text
    theirs = read_disk(path) or ""
    screen.form.reload(theirs, path)
    app_of(screen).push_screen(DiffScreen(theirs, [(t("wizard.diff_mine"), mine)]))
