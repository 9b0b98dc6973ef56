"""A field: title, key and source of the value, its control, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from ...runner.catalogue.parameter import Parameter
from ..form.describe import placeholder, unit_name
from ..form.values import choices_for, printable, show_value
from ..i18n import language, t
from .controls import Control, Picked, Remark, Trimmed, Typed
from .prose import Paragraph, Prose
from .signs import sign
from .wrapping import fit

if TYPE_CHECKING:
    from ...runner.catalogue.problem import Problem
    from ..form.state import Form

LEVEL_STYLE = {"error": "$level-error", "warning": "$level-warning", "hint": "$muted"}
MOST_PROBLEMS = 4
SHORTEST_KEY = 12  # cells; a key cut shorter says nothing
ROW_WIDTH = 46  # cells; choices that take more become a menu


class Field(Vertical):
    """One parameter on the page; it writes into the form and is told by the screen when to look again.

    The head is drawn by the field itself, for every widget costs at a change of the page.
    """

    DEFAULT_CSS = """
    Field { height: auto; margin: 0 0 1 0; border-left: blank; }
    Field:focus-within { border-left: outer $primary; }
    Field > .control { margin: 1 0 0 0; }
    Field > Prose { padding: 0 1; }
    """

    class Entered(Message):
        """The cursor came into a field."""

        def __init__(self, field: Field) -> None:
            super().__init__()
            self.field = field

    def __init__(self, parameter: Parameter, form: Form) -> None:
        """Make the field of a parameter."""
        super().__init__()
        self.parameter = parameter
        self.form = form
        self.control_widget = make_control(parameter, form.back_end)
        self.control_widget.add_class("control", update=False)
        self._source, self._to_be_set = "default", False
        self._just_trimmed = False
        self._typing = False  # the line may hold more letters by now than the form knows: do not touch it
        self._remark_text, self._remark_good = "", True
        self._problems = Prose(classes="problems")
        self._remark = Prose(classes="remark")
        self._problems.display = self._remark.display = False

    def compose(self) -> ComposeResult:
        """The control; problems and remark come when there are some, for every widget costs at each key."""
        yield self.control_widget

    def render(self) -> Content:
        """The head, its parts cut where it is too narrow: first the key, then the title."""
        parameter = self.parameter
        right = f"{sign('edited')} {t('wizard.source_edited')}" if self._source == "edited" else ""
        right = right or t("wizard.source_placeholder" if self._to_be_set else f"wizard.source_{self._source}")
        title = parameter.title.get(language()) or parameter.key
        star = " *" if parameter.required else ""
        unit = f" ({unit_name(parameter.unit)})" if parameter.unit else ""
        room = self.size.width - 2 - cell_len(right) - 1
        title = fit(title, room - len(star))
        room -= cell_len(title) + len(star)
        key = fit(f"  {parameter.name}", room) if room > SHORTEST_KEY and title != parameter.name else ""
        key += unit if cell_len(key + unit) <= room else ""
        gap = " " * max(1, room - cell_len(key) + 1)
        style = "bold $accent" if self._source == "edited" else "$warning" if self._to_be_set else "$muted"
        return Content.assemble(" ", (title, "bold"), (star, "$warning"), (key, "$muted"), gap, (right, style))

    def on_mount(self) -> None:
        """Show the value."""
        self.look()

    def look(self) -> None:
        """Show the form's present state of this parameter."""
        key = self.parameter.key
        present = self.form.present(key)
        value, shown = self.form.value(self.parameter), self.form.shown(self.parameter)
        if not self._typing:
            cast("Control", self.control_widget).show(value, shown, present)
        elif isinstance(self.control_widget, Input):
            self.control_widget.placeholder = "" if present else placeholder(self.parameter, value)
        source = self.form.source(key)
        to_be_set = self.form.placeholder(key)
        if (source, to_be_set) != (self._source, self._to_be_set):
            self._source, self._to_be_set = source, to_be_set
            self.refresh()
        self.look_at_problems()

    def look_at_problems(self) -> None:
        """Show what is wrong with the field, most serious first."""
        problems = self.form.findings.of(self.parameter.key)[:MOST_PROBLEMS]
        if problems or self._problems.display:
            if not self._problems.is_attached:
                self.mount(self._problems, after=self.control_widget)
            self._problems.display = bool(problems)
            self._problems.show([line for problem in problems for line in problem_lines(problem)])
            self._look_at_remark()
            if problems and self.has_focus_within:
                self.call_after_refresh(self.scroll_visible, animate=False)

    def retranslate(self) -> None:
        """Show the texts in the language in use."""
        self.refresh()
        self.look()

    def enter(self) -> None:
        """Put the cursor into the control."""
        for widget in self.control_widget.walk_children(with_self=True):
            if isinstance(widget, Widget) and widget.focusable:
                widget.focus(scroll_visible=False)  # the pane brings the whole field into view
                return

    def on_typed(self, event: Typed) -> None:
        """Write what was typed."""
        event.stop()
        if not self._just_trimmed:
            self.say("")
        self._just_trimmed = False
        self._typing = True
        self.form.type(self.parameter, event.text)
        self._typing = False

    def on_picked(self, event: Picked) -> None:
        """Write what was picked."""
        event.stop()
        self.form.set(self.parameter.key, event.value)

    def on_trimmed(self, event: Trimmed) -> None:
        """Say that a paste was cut."""
        event.stop()
        self._just_trimmed = True
        self.say(t("wizard.paste_cut", lines=event.lines), good=False)

    def on_remark(self, event: Remark) -> None:
        """Show what the control found out."""
        event.stop()
        self.say(event.text, event.good)

    def say(self, text: str, good: bool = True) -> None:
        """Show a remark under the control, or none."""
        self._remark_text, self._remark_good = text, good
        self._look_at_remark()

    def _look_at_remark(self) -> None:
        """Show the remark, unless a problem says the same already."""
        text, good = self._remark_text, self._remark_good
        said = not good and self.parameter.kind == "path" and self._problems.display
        shown = bool(text) and not said
        if shown:
            mark = sign("done") if good else sign("warning")
            if not self._remark.is_attached:
                self.mount(self._remark)
            self._remark.show([Paragraph(text, "$muted" if good else "$level-warning", f"{mark} ")])
        if shown != self._remark.display:
            self._remark.display = shown

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Tell the screen which field has the cursor."""
        self.post_message(Field.Entered(self))

    def on_descendant_blur(self, _: events.DescendantBlur) -> None:
        """What is typed after coming back is a step of its own."""
        self.form.history.seal()

    def on_click(self) -> None:
        """A click beside the control goes into it."""
        if not self.has_focus_within:
            self.enter()


def make_control(parameter: Parameter, back_end: str) -> Widget:
    """The control that suits a parameter under a back end."""
    from .field_line import LineControl
    from .field_list import ListControl
    from .field_path import PathControl
    from .field_pick import MenuControl, RowControl, SwitchControl

    choices = choices_for(parameter, back_end)
    if parameter.kind == "bool" and not parameter.nullable:
        return SwitchControl()
    if choices:
        width = sum(len(show_value(choice)) + 5 for choice in choices)
        many = parameter.kind == "list"
        return RowControl(choices, many) if many or width <= ROW_WIDTH else MenuControl(choices)
    if parameter.kind == "list":
        return ListControl(parameter)
    return PathControl(parameter) if parameter.kind == "path" else LineControl(parameter)


def problem_lines(problem: Problem) -> list[Paragraph]:
    """One problem: sign and message, and the remedy under it."""
    from ...runner.catalogue import problem_text

    text = problem_text(problem, language())
    mark = f"{sign(problem.level)} "
    lines = [Paragraph(printable(text.message), LEVEL_STYLE[problem.level], mark)]
    if text.fix:
        lines.append(Paragraph(printable(text.fix), "$muted", " " * len(mark)))
    return lines
