"""What the keys of the form do, and what runs beside it: checks, drafts, a look at the file on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import work
from textual.screen import Screen
from textual.timer import Timer

from ..form import rooms
from ..form.checker import Checker
from ..form.drafts import Drafts
from ..form.saving import changed_on_disk
from ..form.state import Form
from ..form.values import printable
from ..i18n import language, t
from ..widgets.of_app import app_of
from ..widgets.title_bar import TitleBar
from . import saving_flow

if TYPE_CHECKING:
    from ..widgets.field import Field

CHECK_PAUSE = 0.35  # seconds without a change before the full check
DRAFT_PAUSE = 0.8
SETTLED = 0.2  # seconds after which the problems of a check stand on the screen
DISK_LOOK = 2.0


class FormActions(Screen[None]):
    """Base of the form's screen: everything that is not layout."""

    def __init__(self, form: Form, drafts: Drafts) -> None:
        """Act on a form."""
        super().__init__()
        self.form = form
        self.drafts = drafts
        self.checker = Checker()
        self.draft_id = ""
        self.field: Field | None = None
        self._checking: Timer | None = None
        self._drafting: Timer | None = None
        self.after_first_check: Callable[[], object] | None = None

    # Services.

    def start_services(self) -> None:
        """Check once now, and look at the file on disk now and then."""
        self.check_soon()
        self.set_interval(DISK_LOOK, self._look_at_disk)
        if self.form.dirty and self.form.touched:
            self.draft_soon()

    def check_soon(self) -> None:
        """Have everything checked once the keys pause."""
        if self._checking is not None:
            self._checking.stop()
        self._checking = self.set_timer(CHECK_PAUSE, self._check)

    @work(exclusive=True, group="check", exit_on_error=False)
    async def _check(self) -> None:
        """The full check, when it is due."""
        await self.check_now()
        then, self.after_first_check = self.after_first_check, None
        if then is not None:
            self.set_timer(SETTLED, then)

    async def check_now(self) -> None:
        """The full check, in a thread; a result for a text that has changed since is dropped."""
        version, document = self.form.version, self.form.document
        problems = await asyncio.to_thread(self.checker.check, document)
        self.form.take_problems(version, problems)

    def draft_soon(self) -> None:
        """Have the draft written once the keys pause."""
        if self._drafting is not None:
            self._drafting.stop()
        self._drafting = self.set_timer(DRAFT_PAUSE, self.write_draft)

    def write_draft(self) -> None:
        """Keep what is not saved; forget the draft of what is."""
        self._drafting = None
        if not self.form.dirty or not self.form.touched:
            self.drop_draft()
            return
        with suppress(OSError):  # a full disk must not stop the typing
            self.draft_id = self.drafts.keep(self.form, self.draft_id)

    def drop_draft(self) -> None:
        """Forget the draft."""
        self.drafts.remove(self.draft_id)
        self.draft_id = ""

    @work(exclusive=True, group="disk", exit_on_error=False)
    async def _look_at_disk(self) -> None:
        """Notice that another process rewrote the file."""
        changed = await asyncio.to_thread(changed_on_disk, self.form)
        bar = self.query_one(TitleBar)
        if changed != bar.changed_on_disk:
            bar.changed_on_disk = changed
            bar.refresh()
            if changed:
                self.notify(t("wizard.changed_notice"), severity="warning", markup=False)

    # Keys.

    async def go_to(self, key: str) -> None:
        """Put the cursor into a field (the screen does it)."""
        raise NotImplementedError

    async def action_undo(self) -> None:
        """Take the last change back and show where it was."""
        await self._travelled(self.form.undo(), "wizard.undone", "wizard.nothing_to_undo")

    async def action_redo(self) -> None:
        """Make the last undone change again and show where it is."""
        await self._travelled(self.form.redo(), "wizard.redone", "wizard.nothing_to_redo")

    async def _travelled(self, key: str | None, done: str, nothing: str) -> None:
        """Say what was undone or redone."""
        if key is None:
            self.notify(t(nothing), timeout=2, markup=False)
            return
        self.notify(t(done, key=key or t("wizard.whole_file")), timeout=2, markup=False)
        if key:
            await self.go_to(key)

    def action_reset(self) -> None:
        """The field under the cursor goes back to its default."""
        if self.field is not None:
            self.form.history.seal()
            self.form.reset(self.field.parameter)
            self.field.look()

    def action_keys(self) -> None:
        """The help screen."""
        from .help import KeysScreen

        app_of(self).push_screen(KeysScreen())

    @work(group="modal", exclusive=True)
    async def action_find(self) -> None:
        """Search, and go to what was chosen."""
        from .search import SearchScreen

        key = await app_of(self).push_screen_wait(SearchScreen(self.form))
        if key:
            await self.go_to(key)

    @work(group="modal", exclusive=True)
    async def action_problems(self) -> None:
        """List the problems; go to one, or take its remedy."""
        from .problems import ProblemsScreen

        await self.check_now()
        chosen = await app_of(self).push_screen_wait(ProblemsScreen(self.form))
        if chosen is None:
            return
        if chosen.what == "fix":
            self.form.fix(chosen.problem)
        await self.go_to(chosen.problem.key)

    def action_fix(self) -> None:
        """Take the first remedy that is offered for the field under the cursor."""
        problems = self.form.findings.of(self.field.parameter.key) if self.field is not None else []
        for problem in problems:
            if problem.edits:
                self.form.fix(problem)
                return
        self.notify(t("wizard.nothing_to_fix"), timeout=2, markup=False)

    def action_diff(self) -> None:
        """Differences from the file and from the template."""
        from .diff import DiffScreen

        origin = self.form.origin
        disk = saving_flow.text_on_disk(self.form)
        bases: list[tuple[str, str | None]] = [(t("wizard.diff_file"), disk)]
        template: tuple[str, str] | None = (origin.template, origin.base)  # in the language in which it was begun
        if not origin.template:
            template = rooms.template_for(self.form.document, language())
        if template is not None:
            bases.append((t("wizard.diff_template", name=template[0]), template[1]))
        app_of(self).push_screen(DiffScreen(self.form.text, bases))

    @work(group="modal", exclusive=True)
    async def action_save(self) -> None:
        """Save."""
        await saving_flow.save_form(self)

    @work(group="modal", exclusive=True)
    async def action_run(self) -> None:
        """Save, start a run, leave for its screen."""
        self.checker.forget()
        await self.check_now()
        errors = self.form.findings.count("error")
        if errors and not await saving_flow.run_anyway(self, errors):
            return
        path = await saving_flow.save_form(self)
        if path is not None:
            await self._launch(path)

    async def _launch(self, path: Path) -> None:
        """Start the run; what it says when it does not start is shown."""
        from ..launch import start_detached

        text = t("wizard.starting_made") if self.form.makes_data else t("wizard.starting")
        self.notify(text, timeout=30 if self.form.makes_data else 4, markup=False)
        launched = await start_detached(path)
        if launched.run:
            self.write_draft()
            cast("saving_flow.Leaves", app_of(self)).leave_for_run(launched.run)
            return
        from .ask import AskScreen

        text = t("wizard.start_failed", code=launched.code) + "\n\n" + printable_lines(launched.output)
        title, answers = t("wizard.start_failed_title"), [("ok", t("wizard.answer_ok"))]
        await app_of(self).push_screen_wait(AskScreen(title, text, answers))

    def action_back(self) -> None:
        """From a field to the sections, from there to the start screen; the draft is kept."""
        from ..widgets.section_list import SectionList

        sections = self.query_one(SectionList)
        if sections.display and not sections.has_focus:
            sections.focus()
            return
        self.write_draft()
        self.dismiss(None)


def printable_lines(text: str, most: int = 12) -> str:
    """The last lines of an output, without control characters."""
    return "\n".join(printable(line)[:200] for line in text.strip().splitlines()[-most:])
