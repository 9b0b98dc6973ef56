"""Two lines of help for screens without room for the help pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from ...runner.catalogue.parameter import Parameter
from ..form.describe import facts, in_language
from .field import fit

if TYPE_CHECKING:
    from ..form.state import Form


class HintLine(Widget):
    """Meaning of the focused field, then its rule and default, each cut to one line."""

    DEFAULT_CSS = """
    HintLine { height: 2; dock: bottom; margin: 0 0 1 0; padding: 0 1; background: $surface; }
    """

    def __init__(self, form: Form) -> None:
        """Hint at fields of a form."""
        super().__init__()
        self.form = form
        self._parameter: Parameter | None = None

    def show(self, parameter: Parameter | None) -> None:
        """Hint at a parameter."""
        if parameter is not self._parameter:
            self._parameter = parameter
            self.refresh()

    def render(self) -> Content:
        """Two lines."""
        parameter = self._parameter
        if parameter is None:
            return Content()
        width = self.size.width
        first = fit(f"{parameter.key}: {in_language(parameter.help)}".replace("\n", " "), width)
        second = fit("  ".join(f"{label} {value}" for label, value in facts(parameter)), width)
        return Content.assemble((first, "$label"), "\n", (second, "$muted"))

    def retranslate(self) -> None:
        """Hint in the language in use."""
        self.refresh()
