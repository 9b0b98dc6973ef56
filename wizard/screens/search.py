"""Find a field by key, title or help text in either language, and go there."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..form.search import Hit, Index
from ..form.state import Form
from ..i18n import language, t
from ..widgets.one_line import OneLine
from ..widgets.wrapping import fit


class SearchScreen(ModalScreen[str]):
    """Answers with the key of the chosen field; empty when none was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+f", "close", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "move(10)", show=False, priority=True),
        Binding("pageup", "move(-10)", show=False, priority=True),
    ]

    def __init__(self, form: Form) -> None:
        """Search in the fields of a form."""
        super().__init__()
        self._form = form
        self._index = Index(form.parameters())
        self._hits: list[Hit] = []

    def compose(self) -> ComposeResult:
        """A line to type in and what was found."""
        with Vertical(classes="box tall"):
            yield Static(Content.styled(t("wizard.find_title"), "bold $primary"), classes="box-title")
            yield OneLine(placeholder=t("wizard.find_placeholder"), max_length=200)
            yield OptionList(compact=True, markup=False)
            yield Static(classes="box-foot")

    def on_mount(self) -> None:
        """Everything is found at first."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self.call_after_refresh(self._find, "")

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Find anew at each letter."""
        self._find(event.value)

    @on(Input.Submitted)
    def chosen(self) -> None:
        """Go to the highlighted field."""
        place = self.query_one(OptionList).highlighted
        self.dismiss(self._hits[place].parameter.key if place is not None and self._hits else "")

    @on(OptionList.OptionSelected)
    def clicked(self, event: OptionList.OptionSelected) -> None:
        """Go to the clicked field."""
        self.dismiss(self._hits[event.option_index].parameter.key)

    def action_close(self) -> None:
        """Go nowhere."""
        self.dismiss("")

    def action_move(self, way: int) -> None:
        """Move the highlight while the cursor stays in the line."""
        options = self.query_one(OptionList)
        if options.option_count:
            options.highlighted = max(0, min(options.option_count - 1, (options.highlighted or 0) + way))

    def _find(self, wanted: str) -> None:
        """Show the hits."""
        self._hits = self._index.find(wanted, limit=200)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self._prompt(hit)) for hit in self._hits])
        options.highlighted = 0 if self._hits else None
        found = t("wizard.find_count", count=len(self._hits)) if self._hits else t("wizard.find_none")
        self.query_one(".box-foot", Static).update(Content.styled(found, "$muted"))

    def _prompt(self, hit: Hit) -> Content:
        """Key, title and section of a hit."""
        parameter = hit.parameter
        width = max(20, self.query_one(OptionList).size.width - 2)
        key_width = min(34, width // 2)
        key = fit(parameter.key, key_width)
        section = self._form.section_of(parameter.key)
        where = section.title.get(language(), "") if section else ""
        title = fit(parameter.title.get(language(), ""), width - key_width - 2)
        rest = fit(where, width - key_width - 2 - cell_len(title) - 2)
        gap = " " * (key_width - cell_len(key) + 2)
        return Content.assemble((key, "$primary"), gap, title, "  ", (rest, "$muted"))
