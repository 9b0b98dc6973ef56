"""The fields of one section; only these are mounted."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input

from ..i18n import language, t
from .field import Field
from .of_app import app_of
from .prose import Paragraph, Prose
from .signs import sign

if TYPE_CHECKING:
    from ..form.layout import Section
    from ..form.state import Form


class FieldsPane(VerticalScroll, can_focus=False):
    """A heading, the fields, and the way to the next section."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("pagedown", "page_down", show=False),
        Binding("pageup", "page_up", show=False),
    ]

    def __init__(self, form: Form) -> None:
        """Show fields of a form."""
        super().__init__()
        self.form = form
        self.section: Section | None = None
        self._fields: dict[str, Field] = {}

    def compose(self) -> ComposeResult:
        """The heading; the fields follow with the section."""
        yield Prose(classes="section-head")
        yield Button(classes="next-section", compact=True)

    async def on_mount(self) -> None:
        """Show what was asked for before there was a heading."""
        if self.section is not None and not self._fields:
            await self.show(self.section)
            self.enter_first()

    async def show(self, section: Section) -> None:
        """Replace the fields by those of a section, in one go."""
        self.section = section
        if not self.query(Prose):
            return  # not composed yet, on a busy machine: on_mount comes back to it
        old = list(self._fields.values())
        self._fields = {one.key: Field(one, self.form) for one in section.parameters}
        with app_of(self).batch_update():
            self._titles()
            self.scroll_home(animate=False)
            if old:
                await self.remove_children(old)
            await self.mount_all(self._fields.values(), before=self.query_one(".next-section"))

    def look(self, key: str = "") -> None:
        """Show the form's present values; of one key and what hangs on it, or of all."""
        for name, field in self._fields.items():
            if not key or name == key:
                field.look()
            else:
                field.look_at_problems()

    def look_at_problems(self) -> None:
        """Show the form's present problems; what grows above the field of the cursor does not push it out of view."""
        held = self._in_view()
        for field in self._fields.values():
            field.look_at_problems()
        if held:
            self.call_after_refresh(self._bring, held)

    def _in_view(self) -> str:
        """The key of the field with the cursor, unless it was scrolled away."""
        for key, field in self._fields.items():
            if field.has_focus_within:
                return key if not field.size or field.region.overlaps(self.region) else ""
        return ""

    def refuse(self, key: str) -> None:
        """Say that an edit was not made, in its field or, where that is not shown, in a notice."""
        refused = self.form.refused
        if refused is None:
            return
        text = t(f"wizard.refused_{refused.reason}", detail=refused.detail)
        if key in self._fields:
            self._fields[key].say(text, good=False)
        else:
            self.notify(text, severity="warning", markup=False)

    def enter(self, key: str) -> None:
        """Put the cursor into a field."""
        field = self._fields.get(key)
        if field is not None:
            field.look()
            field.enter()
            self.scroll_to_widget(field, animate=False)
            self.call_after_refresh(self._bring, key)  # fields that were just mounted have no place yet

    def _bring(self, key: str) -> None:
        """Scroll to a field, if the page still has it."""
        field = self._fields.get(key)
        if field is not None and field.is_mounted:
            self.scroll_to_widget(field, animate=False)

    def enter_first(self) -> Field | None:
        """Put the cursor into the first field, which is in view; returns it."""
        for field in self._fields.values():
            field.enter()
            return field
        return None

    @on(Input.Submitted)
    def line_done(self, event: Input.Submitted) -> None:
        """Enter goes on to the next field."""
        event.stop()
        self.screen.focus_next()

    @on(Button.Pressed, ".next-section")
    async def go_on(self, event: Button.Pressed) -> None:
        """Turn the page."""
        event.stop()
        await self.screen.run_action("next_section")

    def retranslate(self) -> None:
        """Show heading and button in the language in use."""
        self._titles()

    def _titles(self) -> None:
        """Heading and button."""
        section = self.section
        if section is None or not self.query(Prose):
            return
        title = section.title.get(language(), section.id)
        text = section.help.get(language(), "")
        self.query_one(Prose).show([Paragraph(title, "bold $primary"), Paragraph(text, "$muted")])
        self.query_one(".next-section", Button).label = Content(f"{t('wizard.next_section')} {sign('next')}")
