"""The first line: what is being written, whether it is saved, how many problems it has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ..form.values import printable
from ..i18n import t
from .field import fit
from .signs import sign

if TYPE_CHECKING:
    from ..form.state import Form


class TitleBar(Widget):
    """Name, file, saved or not, problems."""

    DEFAULT_CSS = "TitleBar { height: 1; dock: top; background: $panel; padding: 0 1; }"

    def __init__(self, form: Form) -> None:
        """Show a form's state."""
        super().__init__()
        self.form = form
        self.changed_on_disk = False

    def render(self) -> Content:
        """The line."""
        counts = [(level, self.form.findings.count(level)) for level in ("error", "warning", "hint")]
        tail = [Content.styled(f"{sign(level)} {count}", f"$level-{level}" if level != "hint" else "$muted")
                for level, count in counts if count]  # fmt: skip
        right = Content("  ").join(tail or [Content.styled(f"{sign('done')} {t('wizard.no_problems')}", "$success")])
        origin = self.form.origin
        name = printable(short_path(origin.path)) if origin.path else t("wizard.unnamed")
        state = t("wizard.unsaved") if self.form.dirty else t("wizard.saved_state")
        if self.changed_on_disk:
            state = t("wizard.changed_outside")
        mark = f"{sign('edited')} " if self.form.dirty else ""
        left = f" {t('wizard.from_template', name=origin.template)}" if origin.template else ""
        room = self.size.width - right.cell_length - 2
        head = "agentic-rl"
        room -= len(head) + 2
        state_text = f"  {mark}{state}"
        name = fit(name, max(8, room - cell_len(state_text) - cell_len(left)))
        left = left if cell_len(name + state_text + left) <= room else ""
        middle = Content.assemble(
            (head, "bold $primary"),
            "  ",
            name,
            (left, "$muted"),
            (state_text, "$warning" if self.form.dirty or self.changed_on_disk else "$muted"),
        )
        gap = " " * max(1, self.size.width - middle.cell_length - right.cell_length)
        return Content.assemble(middle, gap, right)

    def retranslate(self) -> None:
        """Show the words in the language in use."""
        self.refresh()


def short_path(path: Path) -> str:
    """A path with the home folder as ``~``, relative where that is shorter."""
    text = str(path)
    home = str(Path.home())
    if text.startswith(home + "/"):
        text = "~" + text[len(home) :]
    try:
        near = str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return text
    return near if len(near) < len(text) else text
