"""Help of the focused field: meaning, unit, defaults, rule, what it becomes in verl, where its value came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ...runner.catalogue.parameter import Parameter
from ..form.describe import facts, in_language
from ..form.values import printable
from ..i18n import t
from .field import problem_lines
from .prose import Paragraph, laid_out
from .wrapping import wrap_cells

if TYPE_CHECKING:
    from ..form.state import Form


class HelpPane(VerticalScroll, can_focus=False):
    """Everything known about one parameter."""

    def __init__(self, form: Form) -> None:
        """Explain the fields of a form."""
        super().__init__()
        self.form = form
        self._text = Static(markup=False)
        self._parameter: Parameter | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    def show(self, parameter: Parameter | None) -> None:
        """Explain a parameter."""
        moved = parameter is not self._parameter
        self._parameter = parameter
        width = self.scrollable_content_region.width
        if parameter is not None and width:
            self._text.update(Content("\n").join(self._lines(parameter, width)))
        if moved:
            self.scroll_home(animate=False)

    def on_resize(self) -> None:
        """Wrap anew."""
        self.show(self._parameter)

    def retranslate(self) -> None:
        """Explain in the language in use."""
        self.show(self._parameter)

    def _lines(self, parameter: Parameter, width: int) -> Iterator[Content]:
        """The text, part by part."""
        head = [
            Paragraph(in_language(parameter.title) or parameter.key, "bold $primary"),
            Paragraph(parameter.key, "$muted"),
            Paragraph(""),
        ]
        if in_language(parameter.help):
            head += [Paragraph(in_language(parameter.help)), Paragraph("")]
        yield from laid_out(head, width)
        yield from two_columns([*facts(parameter), (t("wizard.help_source"), self._source(parameter))], width)
        tail: list[Paragraph] = []
        for note in parameter.notes:
            tail += [Paragraph(""), Paragraph(in_language(note), "$muted")]
        problems = self.form.findings.of(parameter.key)
        tail += [Paragraph("")] if problems else []
        yield from laid_out([*tail, *(line for one in problems for line in problem_lines(one))], width)

    def _source(self, parameter: Parameter) -> str:
        """Where the present value comes from, with the line of the file."""
        source = t(f"wizard.source_{self.form.source(parameter.key)}")
        line = self.form.document.place(parameter.key).line if self.form.present(parameter.key) else 0
        return f"{source} · {t('wizard.line', line=line)}" if line else source


def two_columns(rows: Sequence[tuple[str, str]], width: int) -> Iterator[Content]:
    """Labels at the left, values wrapped at the right; a long value goes under its label."""
    left = min(14, max((cell_len(label) for label, _ in rows), default=0))
    for label, value in rows:
        shown = printable(value)
        whole_word = max((cell_len(word) for word in shown.split()), default=0) <= width - left - 2
        beside = cell_len(label) <= left and whole_word and cell_len(shown) <= 3 * (width - left - 2)
        lines = wrap_cells(shown, width - (left + 2 if beside else 2))
        if beside:
            pad = " " * (left - cell_len(label) + 2)
            yield Content.assemble((label, "$label"), pad, lines[0])
            yield from (Content(" " * (left + 2) + line) for line in lines[1:])
        else:
            yield Content.styled(label, "$label")
            yield from (Content("  " + line) for line in lines)
