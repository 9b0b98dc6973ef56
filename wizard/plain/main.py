"""The plain twin's menu: sections, problems, undo, search, preview, differences, save, run."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ...runner.catalogue import problem_text
from ..form import rooms
from ..form.changes import difference
from ..form.checker import Checker
from ..form.drafts import Draft, Drafts
from ..form.opening import Opened, from_draft, from_template, open_file
from ..form.search import Index
from ..form.state import Form
from ..i18n import language, next_language, set_language, t
from .asker import Asker, Leave, Option, best_asker
from .questions import SIGNS, ask_field, ask_section
from .saving import save_plainly

USAGE = 2


def run_plain(path: Path | None, template: str) -> int:
    """Ask on this terminal.

    Returns:
        The exit code: 0, or 2 without a terminal or a form.
    """
    if not sys.stdin.isatty():
        print(t("wizard.no_terminal"), file=sys.stderr)
        return USAGE
    return Plain(best_asker(), Drafts()).run(path, template)


class Plain:
    """A form and the menu around it."""

    def __init__(self, asker: Asker, drafts: Drafts) -> None:
        """Ask with ``asker``; keep drafts in ``drafts``."""
        self.asker = asker
        self.drafts = drafts
        self.checker = Checker()
        self.draft_id = ""
        self.form: Form

    def run(self, path: Path | None, template: str) -> int:
        """Open what is named, or ask for it, and show the menu until the person leaves."""
        try:
            opened = self._open(path, template)
        except Leave:
            return 0
        if opened.form is None:
            self.asker.say(t(f"wizard.open_{opened.reason}", name=opened.name, why=opened.why))
            return USAGE
        if opened.said:
            self.asker.say("\n".join([t("wizard.imported"), *(f"- {line}" for line in opened.said)]))
        self.form = opened.form
        self.form.subscribe(lambda _: self._keep_draft())
        with suppress(Leave):
            while self._menu():
                pass
        self._keep_draft()
        if self.draft_id:
            self.asker.say(t("wizard.plain_draft_kept"))
        return 0

    def _open(self, path: Path | None, template: str) -> Opened:
        """A draft, a file or a template."""
        if path is None and not template:
            options: list[Option] = [(f"draft:{one.id}", _draft_words(one)) for one in self.drafts.waiting()]
            options += [(f"template:{one.name}", f"{one.name}  {one.title[language()]}") for one in rooms.templates()]
            options.append(("file", t("wizard.start_open")))
            answer = self.asker.choose(t("wizard.start_title"), options)
            kind, _, name = answer.partition(":")
            if kind == "draft":
                found = next(one for one in self.drafts.waiting() if one.id == name)
                self.draft_id = found.id
                return from_draft(found)
            if kind == "template":
                template = name
            else:
                path = Path(self.asker.line(t("wizard.start_path")))
        draft = self.drafts.waiting_for(path, template)
        if draft is not None:
            self.asker.say(t("wizard.draft_found", name=_name_of(draft), when=_when(draft)))
            options = [("restore", t("wizard.answer_restore").strip()), ("drop", t("wizard.answer_drop").strip())]
            if self.asker.choose(t("wizard.draft_title"), options) == "restore":
                self.draft_id = draft.id
                return from_draft(draft)
            self.drafts.remove(draft.id)
        return open_file(path, template) if path is not None else from_template(template)

    def _menu(self) -> bool:
        """Show the menu once; False when the person leaves."""
        form = self.form
        form.take_problems(form.version, self.checker.check(form.document))
        options: list[Option] = []
        for section in form.sections:
            mark, count = form.mark(section)
            state = t(f"wizard.state_{mark}", count=count)
            options.append((f"section:{section.id}", f"{section.title[language()]}  ({state})"))
        does: dict[str, Callable[[], object]] = {
            "problems": self._problems,
            "find": self._find,
            "undo": self._undo,
            "redo": self._redo,
            "preview": lambda: self.asker.say(form.text),
            "diff": self._diff,
            "save": self._save,
            "run": self._run,
            "language": lambda: set_language(next_language()),
        }
        options += [(name, t(f"wizard.menu_{name}", count=len(form.findings.all))) for name in does]
        options.append(("quit", t("wizard.menu_quit")))
        title = str(form.origin.path or form.origin.template or t("wizard.unnamed"))
        title += f"  ({t('wizard.unsaved')})" if form.dirty else ""
        answer = self.asker.choose(title, options)
        if answer.startswith("section:"):
            wanted = answer.partition(":")[2]
            ask_section(form, next(one for one in form.sections if one.id == wanted), self.asker)
        elif answer in does:
            does[answer]()
        return answer != "quit"

    def _problems(self) -> None:
        """List the problems; a chosen one is asked for."""
        found = self.form.findings.all
        options: list[Option] = [("<", t("wizard.plain_back"))]
        for place, problem in enumerate(found):
            line = t("wizard.line", line=problem.line) if problem.line else ""
            message = problem_text(problem, language()).message
            options.append((str(place), f"{SIGNS[problem.level]} {line} {problem.key}: {message}"))
        answer = self.asker.choose(t("wizard.problems_title", count=len(found)), options)
        if answer != "<":
            self._ask(found[int(answer)].key)

    def _find(self) -> None:
        """Search; a chosen field is asked for."""
        hits = Index(self.form.parameters()).find(self.asker.line(t("wizard.find_title")), limit=15)
        options: list[Option] = [("<", t("wizard.plain_back"))]
        options += [(hit.parameter.key, f"{hit.parameter.key}  {hit.parameter.title[language()]}") for hit in hits]
        answer = self.asker.choose(t("wizard.find_title"), options)
        if answer != "<":
            self._ask(answer)

    def _ask(self, key: str) -> None:
        """Ask for one field until it is answered."""
        parameter = next((one for one in self.form.parameters() if one.key == key), None)
        if parameter is None:
            return
        while ask_field(self.form, parameter, self.asker) == "again":
            pass

    def _undo(self) -> None:
        """Take the last change back."""
        key = self.form.undo()
        self.asker.say(t("wizard.nothing_to_undo") if key is None else t("wizard.undone", key=key))

    def _redo(self) -> None:
        """Make the undone change again."""
        key = self.form.redo()
        self.asker.say(t("wizard.nothing_to_redo") if key is None else t("wizard.redone", key=key))

    def _diff(self) -> None:
        """Differences from where the form started."""
        lines = difference(self.form.origin.disk or self.form.origin.base, self.form.text)
        shown = [line.text if line.sign == "@" else line.sign + line.text for line in lines]
        self.asker.say("\n".join(shown) or t("wizard.diff_none"))

    def _save(self) -> Path | None:
        """Save; the draft is not needed any more then."""
        path = save_plainly(self.form, self.asker)
        if path is not None:
            self._keep_draft()
        return path

    def _run(self) -> None:
        """Save and start a run."""
        from ..launch import start_detached

        path = self._save()
        if path is None:
            return
        self.asker.say(t("wizard.starting_made") if self.form.makes_data else t("wizard.starting"))
        launched = asyncio.run(start_detached(path))
        self.asker.say(launched.output if not launched.run else t("wizard.plain_started", run=launched.run))

    def _keep_draft(self) -> None:
        """Keep what is not saved; forget the draft of what is."""
        if not self.form.dirty or not self.form.touched:
            self.drafts.remove(self.draft_id)
            self.draft_id = ""
            return
        with suppress(OSError):
            self.draft_id = self.drafts.keep(self.form, self.draft_id)


def _draft_words(draft: Draft) -> str:
    """A draft in a menu."""
    return f"{t('wizard.start_drafts')}: {_name_of(draft)}  {_when(draft)}"


def _name_of(draft: Draft) -> str:
    """What a draft belongs to: its file, else its template, else nothing yet (an imported script)."""
    return draft.path or draft.template or t("wizard.unnamed")


def _when(draft: Draft) -> str:
    """Time of a draft."""
    from ..form.describe import when

    return when(draft.time)
