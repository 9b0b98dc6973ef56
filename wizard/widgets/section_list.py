"""The sections at the left, each with its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ..i18n import language, t
from .field import fit
from .signs import sign

if TYPE_CHECKING:
    from ..form.layout import Section
    from ..form.state import Form, Mark

STYLE = {"errors": "$level-error", "warnings": "$level-warning", "done": "$success", "untouched": "$muted"}
SIGN = {"errors": "error", "warnings": "warning", "done": "done", "untouched": "untouched"}
LABEL_WIDTH = 22


class SectionList(OptionList):
    """Sections in their order; the highlighted one is the one whose fields are shown."""

    def __init__(self, form: Form) -> None:
        """Show the sections of a form."""
        super().__init__(compact=True, markup=False)
        self.form = form
        self._shown: list[tuple[str, str, tuple[Mark, int]]] = []

    def look(self) -> None:
        """Show the form's present sections and states."""
        now = [(one.id, one.title.get(language(), one.id), self.form.mark(one)) for one in self.form.sections]
        if [one[0] for one in now] != [one[0] for one in self._shown]:
            place = self.highlighted
            self.clear_options()
            self.add_options([Option(self._prompt(title, *mark), id=name) for name, title, mark in now])
            self.highlighted = min(place, len(now) - 1) if place is not None else None
        else:
            for old, (name, title, mark) in zip(self._shown, now, strict=True):
                if old != (name, title, mark):
                    self.replace_option_prompt(name, self._prompt(title, *mark))
        self._shown = now

    def retranslate(self) -> None:
        """Show the titles in the language in use."""
        self.look()

    def _prompt(self, title: str, mark: Mark, count: int) -> Content:
        """Sign, title, number of errors or warnings."""
        tail = f" {count}" if count else ""
        name = fit(title, LABEL_WIDTH - 3 - len(tail))
        gap = " " * (LABEL_WIDTH - 2 - cell_len(name) - len(tail))
        return Content.assemble((sign(SIGN[mark]), STYLE[mark]), " ", name, gap, (tail, STYLE[mark]))


def state_words(section: Section, form: Form) -> str:
    """State of a section in words: ``untouched``, ``done``, ``2 errors``."""
    mark, count = form.mark(section)
    return t(f"wizard.state_{mark}", count=count)
