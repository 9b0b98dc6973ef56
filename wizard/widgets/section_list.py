"""The sections at the left, each with its state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region
from textual.reactive import reactive
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ..i18n import language
from .signs import sign
from .wrapping import fit

if TYPE_CHECKING:
    from ..form.layout import Section
    from ..form.state import Form, Mark

STYLE = {"errors": "$level-error", "warnings": "$level-warning", "done": "$success", "untouched": "$muted"}
SIGN = {"errors": "error", "warnings": "warning", "done": "done", "untouched": "untouched"}
# "Data (verl)" stands under the heading "verl:" and needs not say it again.
BACK_END = re.compile(r"\s*[(（](?:verl|MindSpeed-RL)[)）]$")


class SectionList(OptionList):
    """Sections in their order; the highlighted one is the one whose fields are shown."""

    highlighted: reactive[int | None] = reactive(None, repaint=False)

    def __init__(self, form: Form) -> None:
        """Show the sections of a form."""
        super().__init__(compact=True, markup=False)
        self.form = form
        self._shown: list[tuple[str, str, tuple[Mark, int]]] = []
        self._width = 0
        self._lit: int | None = None

    @property
    def section(self) -> Section | None:
        """The highlighted section."""
        option = self.highlighted_option
        return self.find(option.id or "") if option is not None else None

    def find(self, name: str) -> Section | None:
        """The section with an id."""
        return next((one for one in self.form.sections if one.id == name), None)

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Scroll to it and report it, as every list does, but draw only the two lines that changed."""
        super().watch_highlighted(highlighted)
        width, top = self.scrollable_content_region.width, self.scroll_offset.y
        for place in {self._lit, highlighted} - {None}:
            self.refresh(Region(0, cast("int", place) - top, width, 1))  # every option is one line
        self._lit = highlighted

    def point_at(self, section: Section) -> None:
        """Highlight a section without reporting it."""
        with self.prevent(OptionList.OptionHighlighted):
            self.highlighted = self.get_option_index(section.id)

    def look(self) -> None:
        """Show the form's present sections and states."""
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width, self._shown = width, []
        now = [(one.id, short_title(one), self.form.mark(one)) for one in self.form.sections]
        if [one[0] for one in now] != [one[0] for one in self._shown]:
            self._fill()
        else:
            for old, (name, title, mark) in zip(self._shown, now, strict=True):
                if old != (name, title, mark):
                    self.replace_option_prompt(name, self._prompt(title, *mark))
        self._shown = now

    def on_resize(self) -> None:
        """Titles are cut to the width there is."""
        self.look()

    def retranslate(self) -> None:
        """Show the titles in the language in use."""
        self._shown = []
        self.look()

    def _fill(self) -> None:
        """Make the whole list anew, the highlight staying where it was."""
        option = self.highlighted_option
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self.add_options(list(self._rows()))
            if option is not None and option.id is not None and self.find(option.id) is not None:
                self.highlighted = self.get_option_index(option.id)

    def _rows(self) -> Iterator[Option]:
        """A heading where the level of the file changes, and the sections under it."""
        last = ""
        for section in self.form.sections:
            level = section.parameters[0].section if section.parameters else ""
            if level != last and level in ("verl", "mindspeed_rl"):
                yield Option(Content.styled(f"{level}:", "bold $label"), disabled=True)
            last = level
            yield Option(self._prompt(short_title(section), *self.form.mark(section)), id=section.id)

    def _prompt(self, title: str, mark: Mark, count: int) -> Content:
        """Sign, title, number of errors or warnings."""
        tail = f" {count}" if count else ""
        name = fit(title, self._width - 2 - len(tail))
        gap = " " * (self._width - 2 - cell_len(name) - len(tail))
        return Content.assemble((sign(SIGN[mark]), STYLE[mark]), " ", name, gap, (tail, STYLE[mark]))


def short_title(section: Section) -> str:
    """Title of a section without the name of its back end."""
    return BACK_END.sub("", section.title.get(language()) or section.id)
