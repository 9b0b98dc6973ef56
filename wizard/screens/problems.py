"""All problems of the text in the order of the file; enter goes to the field, ^G takes the offered remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...runner.catalogue import problem_text
from ...runner.catalogue.problem import Problem
from ..form.state import Form
from ..form.values import printable
from ..i18n import language, t
from ..widgets.field import LEVEL_STYLE, fit
from ..widgets.of_app import app_of
from ..widgets.signs import sign


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen of a problem: to go to its field, or to take its remedy."""

    what: Literal["go", "fix"]
    problem: Problem


class ProblemsScreen(ModalScreen["Chosen | None"]):
    """Answers with what was chosen; None when nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f4", "close", show=False, priority=True),
        Binding("ctrl+g,f", "fix", show=False),
    ]

    def __init__(self, form: Form) -> None:
        """List the problems of a form."""
        super().__init__()
        self._problems = form.findings.all

    def compose(self) -> ComposeResult:
        """The list, and the reason and remedy of the highlighted one."""
        with Vertical(classes="box tall"):
            title = t("wizard.problems_title", count=len(self._problems))
            yield Static(Content.styled(title, "bold $primary"), classes="box-title")
            width = min(92, app_of(self).size.width * 96 // 100) - 6
            options = [Option(problem_prompt(one, width)) for one in self._problems]
            yield OptionList(*options, compact=True, markup=False)
            yield Static(classes="box-detail")
            yield Static(Content.styled(t("wizard.problems_foot"), "$muted"), classes="box-foot")

    def on_mount(self) -> None:
        """The first one has the cursor."""
        options = self.query_one(OptionList)
        options.focus()
        if self._problems:
            options.highlighted = 0
        else:
            self.query_one(".box-detail", Static).update(f"{sign('done')} {t('wizard.no_problems')}")

    @on(OptionList.OptionHighlighted)
    def detail(self, event: OptionList.OptionHighlighted) -> None:
        """Say why, and what helps."""
        self.query_one(".box-detail", Static).update(problem_detail(self._problems[event.option_index]))

    @on(OptionList.OptionSelected)
    def go(self, event: OptionList.OptionSelected) -> None:
        """Go to the field."""
        self.dismiss(Chosen("go", self._problems[event.option_index]))

    def action_fix(self) -> None:
        """Take the remedy."""
        place = self.query_one(OptionList).highlighted
        if place is not None and self._problems[place].edits:
            self.dismiss(Chosen("fix", self._problems[place]))
        else:
            app_of(self).bell()

    def action_close(self) -> None:
        """Go nowhere."""
        self.dismiss(None)


def problem_prompt(problem: Problem, width: int) -> Content:
    """One line of the list: sign, line, key, message."""
    line = t("wizard.line", line=problem.line) if problem.line else ""
    message = printable(problem_text(problem, language()).message).replace("\n", " ")
    key = printable(problem.key.rpartition(".")[2])
    message = fit(message, width - cell_len(key) - cell_len(line) - 8)
    return Content.assemble(
        (sign(problem.level), f"bold {LEVEL_STYLE[problem.level]}"),
        (f" {line}  ", "$muted"),
        (key, "$primary"),
        "  ",
        message,
    )


def problem_detail(problem: Problem) -> Content:
    """Message, reason and remedy in full."""
    text = problem_text(problem, language())
    parts = [Content.styled(printable(text.message), LEVEL_STYLE[problem.level])]
    if text.because:
        parts.append(Content.styled(printable(text.because), "$muted"))
    if text.fix:
        hint = f"  {t('wizard.fix_key')}" if problem.edits else ""
        parts.append(Content.assemble((f"{sign('next')} ", "$success"), printable(text.fix), (hint, "$muted")))
    return Content("\n").join(parts)
