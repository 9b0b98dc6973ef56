"""Saving in the plain twin: the questions of the screens, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..form.saving import read_disk, save, suggested_name
from ..form.state import Form
from ..i18n import t

if TYPE_CHECKING:
    from .asker import Asker, Option


def save_plainly(form: Form, asker: Asker) -> Path | None:
    """Save the form, asking whatever has to be asked; returns the file, None when it was not saved."""
    path = form.origin.path
    force = False
    while True:
        if path is None:
            suggested = suggested_name(form)
            typed = asker.line(t("wizard.save_title"), t("wizard.plain_save_hint", name=suggested))
            if typed == "<":
                return None
            path = Path(typed or suggested)
        result = save(form, path, force)
        force = False
        if result.outcome in ("saved", "unchanged"):
            said = "wizard.said_unchanged" if result.outcome == "unchanged" else "wizard.said_saved"
            asker.say(t(said, path=result.path))
            if result.backup is not None:
                asker.say(t("wizard.said_backup", path=result.backup.name))
            return result.path
        if result.outcome not in ("changed_on_disk", "exists"):
            asker.say(t(f"wizard.save_{result.outcome}", path=result.path, reason=result.reason))
            path = None
            continue
        conflict = result.outcome == "changed_on_disk"
        asker.say(t("wizard.conflict" if conflict else "wizard.exists", path=result.path))
        options: list[Option] = [("other", t("wizard.answer_other").strip())]
        if conflict:
            options.append(("reload", t("wizard.answer_reload").strip()))
        options += [("overwrite", t("wizard.answer_overwrite").strip()), ("no", t("wizard.answer_cancel").strip())]
        title = t("wizard.conflict_title" if conflict else "wizard.exists_title")
        answer = asker.choose(title, options)
        if answer == "overwrite":
            force = True
        elif answer == "other":
            path = None
        else:
            if answer == "reload":
                form.reload(read_disk(result.path) or "", result.path)
            return None
