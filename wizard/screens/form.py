"""The form: sections at the left, one section of fields in the middle, help or YAML at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.timer import Timer
from textual.widgets import OptionList

from ..form.layout import Section
from ..form.state import Change, Form
from ..i18n import t
from ..keys import FORM_KEYS, bindings
from ..widgets.field import Field
from ..widgets.fields_pane import FieldsPane
from ..widgets.help_pane import HelpPane
from ..widgets.hint_line import HintLine
from ..widgets.key_bar import KeyBar
from ..widgets.of_app import app_of
from ..widgets.section_list import SectionList
from ..widgets.title_bar import TitleBar
from ..widgets.yaml_preview import YamlPreview
from .form_actions import FormActions

if TYPE_CHECKING:
    from ..form.drafts import Drafts

PANES = ("both", "help", "yaml", "")
TALL = 34  # rows; from there on help and YAML stand above each other
SOON = 0.12  # seconds: what is drawn beside the field follows the keys this much later, once


class FormScreen(FormActions):
    """Shows a form and keeps it checked and drafted; all state is the form's."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings())
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (110, "-wide")]

    def __init__(self, form: Form, drafts: Drafts) -> None:
        """Show a form; its drafts go to ``drafts``."""
        super().__init__(form, drafts)
        self._section: Section | None = None
        self._asked_for: tuple[str, tuple[str, ...]] = ("", ())
        self._pane: str | None = None
        self._soon: Timer | None = None

    def compose(self) -> ComposeResult:
        """Title, sections, fields, pane, footer."""
        yield TitleBar(self.form)
        with Horizontal(id="body"):
            yield SectionList(self.form)
            with Container(id="work"):
                yield FieldsPane(self.form)
                with Container(id="pane"):
                    yield HelpPane(self.form)
                    yield YamlPreview()
        yield HintLine(self.form)
        yield KeyBar(FORM_KEYS)

    async def on_mount(self) -> None:
        """Show the first section and start to check."""
        sections = self.query_one(SectionList)
        sections.look()
        self.unsubscribe = self.form.subscribe(self.changed)
        if self.form.sections:
            await self.show_section(self.form.sections[0])
            sections.point_at(self.form.sections[0])
            self.query_one(FieldsPane).enter_first()
        if not self.form.family.name:  # the text is what there is to read
            self._pane = "yaml" if app_of(self).size.width >= 110 else ""
            self.notify(t("wizard.undescribed"), severity="information", markup=False, timeout=12)
        self._arrange()
        self.start_services()

    def on_unmount(self) -> None:
        """Let go of the form."""
        self.unsubscribe()

    def changed(self, change: Change) -> None:
        """The form changed: show it, check it, keep it."""
        if not self.is_mounted:
            return
        pane = self.query_one(FieldsPane)
        if change.kind == "text":
            pane.look(change.key)
            self.check_soon()
            self.draft_soon()
        elif change.kind == "problems":
            pane.look_at_problems()
        elif change.kind == "refused":
            pane.refuse(change.key)
        if self._soon is None:
            self._soon = self.set_timer(SOON, self._look)

    def _look(self) -> None:
        """Redraw what stands beside the fields."""
        self._soon = None
        if not self.is_mounted:
            return
        self.query_one(SectionList).look()
        self.query_one(TitleBar).look()
        self._show_pane()
        if self._shown() != self._asked_for:
            self.run_worker(self._show_again(), exclusive=True, group="section")

    # Sections.

    def _shown(self) -> tuple[str, tuple[str, ...]]:
        """What decides which controls the page has: its keys and the back end."""
        now = self.query_one(SectionList).find(self._section.id) if self._section is not None else None
        return self.form.back_end, tuple(one.key for one in now.parameters) if now is not None else ()

    async def _show_again(self) -> None:
        """Make the page anew, because its controls changed; the cursor stays in its field."""
        sections = self.query_one(SectionList)
        now = sections.find(self._section.id) if self._section is not None else None
        key = self.field.parameter.key if self.field is not None else ""
        await self.show_section(now or self.form.sections[0], key)
        if now is None:
            sections.point_at(self.form.sections[0])

    async def show_section(self, section: Section, key: str = "") -> None:
        """Show the fields of a section, with the cursor in one of them if ``key`` says so."""
        self._section = section
        self._asked_for = self._shown()
        self.form.see(section)
        await self.query_one(FieldsPane).show(section)
        if key:
            self.query_one(FieldsPane).enter(key)

    @on(OptionList.OptionHighlighted, "SectionList")
    def section_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The highlighted section is the one that is shown."""
        section = self.query_one(SectionList).find(event.option_id or "")
        if section is not None and section != self._section:
            self.run_worker(self.show_section(section), exclusive=True, group="section")

    @on(OptionList.OptionSelected, "SectionList")
    def section_chosen(self) -> None:
        """Enter goes into the fields."""
        self.query_one(FieldsPane).enter_first()

    async def go_to(self, key: str) -> None:
        """Put the cursor into the field of a key, on whatever page it is."""
        section = self.form.section_of(key)
        if section is None:
            return
        if section != self._section:
            await self.show_section(section)
            self.query_one(SectionList).point_at(section)
        self.query_one(FieldsPane).enter(key)

    async def action_next_section(self) -> None:
        """The next section, from the last one the first."""
        await self._turn(1)

    async def action_previous_section(self) -> None:
        """The section before."""
        await self._turn(-1)

    async def _turn(self, way: int) -> None:
        """Turn a page."""
        if self._section is None:
            return
        ids = [section.id for section in self.form.sections]
        place = (ids.index(self._section.id) + way) % len(ids) if self._section.id in ids else 0
        with app_of(self).batch_update():  # laid out and drawn once, with the help of the new field
            await self.show_section(self.form.sections[place])
            self.query_one(SectionList).point_at(self.form.sections[place])
            self.field = self.query_one(FieldsPane).enter_first()
            self._show_pane()

    # The pane.

    @on(Field.Entered)
    def entered(self, event: Field.Entered) -> None:
        """Help follows the cursor."""
        event.stop()
        self.field = event.field
        self._show_pane()

    def action_pane(self) -> None:
        """Help, YAML, nothing."""
        now = self._pane_now()
        panes = PANES if app_of(self).size.height >= TALL else PANES[1:]
        self._pane = panes[(panes.index(now) + 1) % len(panes)] if now in panes else panes[0]
        self._arrange()

    def on_resize(self, _: events.Resize) -> None:
        """A narrow screen starts without the pane."""
        if self.is_mounted:
            self.call_after_refresh(self._arrange)
            if self.field is not None:
                self.set_timer(SOON, self._keep_in_view)  # texts wrap anew first, and the fields change their heights

    def _keep_in_view(self) -> None:
        """Bring the field of the cursor back into view."""
        if self.field is not None and self.field.is_attached:
            self.query_one(FieldsPane).scroll_to_widget(self.field, animate=False)

    def _pane_now(self) -> str:
        """What the pane shows: what was asked for, else help where there is room."""
        if self._pane is not None:
            return self._pane
        size = app_of(self).size
        return "" if size.width < 110 else "both" if size.height >= TALL else "help"

    def _arrange(self) -> None:
        """Show the pane that is wanted."""
        if not self.query("#pane"):
            return  # not composed yet: on_mount arranges it
        now = self._pane_now()
        self.query_one("#pane").display = bool(now)
        self.query_one("#pane").set_class(now == "both", "-both")
        self.query_one(HelpPane).display = now in ("help", "both")
        self.query_one(YamlPreview).display = now in ("yaml", "both")
        self.query_one(HintLine).display = now in ("yaml", "") and app_of(self).size.height >= 16
        self.call_after_refresh(self._show_pane)  # what was hidden has no size yet

    def _show_pane(self) -> None:
        """Bring the visible pane up to date."""
        now = self._pane_now()
        parameter = self.field.parameter if self.field is not None else None
        if now in ("help", "both"):
            self.query_one(HelpPane).show(parameter)
        if now in ("yaml", "both"):
            focused = parameter.key if parameter is not None else ""
            key = focused if focused and self.form.present(focused) else self.form.history.last_key
            base = self.form.origin.disk or self.form.origin.base
            self.query_one(YamlPreview).show(self.form.text, base, self.form.document.place(key).line)
        if now in ("yaml", ""):
            self.query_one(HintLine).show(parameter)

    def retranslate(self) -> None:
        """What is made of texts here follows the language."""
        if self.query("#pane"):  # else the screen is just being made, and shows the language from the start
            self._arrange()
