"""The wizard's app: which screen comes first, and what it is left with."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from .app_base import BaseApp
from .form.drafts import Draft, Drafts
from .form.values import printable
from .i18n import t

if TYPE_CHECKING:  # the start screen is drawn before any of this is needed
    from .form.opening import Opened
    from .screens.form_actions import FormActions


class WizardApp(BaseApp[str]):
    """Answers with the run to show next; empty when there is none."""

    TITLE = "agentic-rl"
    CSS_PATH = "wizard.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "undo", show=False, priority=True, id="wizard.undo"),
        Binding("ctrl+t", "suspend_process", show=False, priority=True, id="wizard.suspend"),
        Binding("ctrl+q", "leave", show=False, priority=True, id="wizard.leave"),
    ]

    def __init__(self, path: Path | None = None, template: str = "", drafts: Drafts | None = None) -> None:
        """Make the app.

        Args:
            path: the file to open first.
            template: the template to start from; without either, the start screen comes first.
            drafts: where drafts are kept (default: the user's state folder).
        """
        super().__init__()
        self.animation_level = "none"  # a form answers at once; over ssh every frame of a scroll would be a repaint
        self._path = path
        self._template = template
        self._begun: Path | None = None  # a file that does not exist yet: the template picked next begins it
        self.drafts = drafts if drafts is not None else Drafts()

    def on_mount(self) -> None:
        """Show the first screen."""
        from .screens.start import StartScreen

        self.push_screen(StartScreen(self.drafts))
        if self._path is not None or self._template:
            self.open_first()

    @work
    async def open_first(self) -> None:
        """Open what the command line named."""
        await self.open(self._path, self._template)

    async def open(self, path: Path | None, template: str) -> None:
        """Open a file or template, offering the draft that a crash left of it."""
        path = path if path is not None else self._begun
        draft = await asyncio.to_thread(self.drafts.waiting_for, path, template)
        if draft is not None:
            answer = await self._ask_draft(draft)
            if answer == "restore":
                self.open_draft(draft)
                return
            if answer == "drop":
                self.drafts.remove(draft.id)
            elif answer == "no":
                return
        from .form.opening import from_template, open_file

        opened = open_file(path, template) if path is not None else from_template(template)
        if opened.reason == "missing":
            self._begun = path
        elif opened.form is not None:
            self._begun = None
        self.show_form(opened)

    def open_draft(self, draft: Draft) -> None:
        """Go on with a draft."""
        from .form.opening import from_draft

        opened = from_draft(draft)
        self.show_form(opened, draft.id)

    def show_form(self, opened: Opened, draft_id: str = "") -> None:
        """Show a form, or say why there is none."""
        from .screens.form import FormScreen

        if opened.form is None:
            text = t(f"wizard.open_{opened.reason}", name=printable(opened.name), why=printable(opened.why))
            self.notify(text, severity="error", markup=False, timeout=8)
            return
        screen = FormScreen(opened.form, self.drafts)
        screen.draft_id = draft_id
        self.push_screen(screen)
        if opened.said:
            from .screens.ask import AskScreen

            title = t("wizard.imported_title", name=printable(opened.name))
            text = t("wizard.imported") + "\n\n" + "\n".join(f"- {printable(line)}" for line in opened.said)
            # Not before the form has been checked and drawn: what lies below a box is not laid out anew.
            screen.after_first_check = lambda: self.push_screen(AskScreen(title, text, [("ok", t("wizard.answer_ok"))]))

    async def _ask_draft(self, draft: Draft) -> str:
        """Ask what to do with a draft."""
        from .form.describe import when
        from .screens.ask import AskScreen

        answers = [
            ("restore", t("wizard.answer_restore")),
            ("drop", t("wizard.answer_drop")),
            ("no", t("wizard.answer_cancel")),
        ]
        text = t("wizard.draft_found", name=draft.path or draft.template, when=when(draft.time))
        return await self.push_screen_wait(AskScreen(t("wizard.draft_title"), text, answers))

    def leave_for_run(self, run: str) -> None:
        """End, with the run to show next."""
        self.exit(run)

    async def action_undo(self) -> None:
        """Undo on the form; elsewhere there is nothing to undo."""
        for screen in self._forms():
            if screen is self.screen:
                await screen.action_undo()

    def action_leave(self) -> None:
        """Keep the draft and end."""
        self.keep_drafts()
        self.exit("")

    def hang_up(self) -> None:
        """The terminal is gone, or somebody ends the program: keep the draft."""
        self.keep_drafts()

    def keep_drafts(self) -> None:
        """Write the draft of every open form now."""
        for screen in self._forms():
            screen.write_draft()

    def _forms(self) -> list[FormActions]:
        """The open forms."""
        from .screens.form_actions import FormActions

        return [screen for screen in self.screen_stack if isinstance(screen, FormActions)]
