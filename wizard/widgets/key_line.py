"""The keys at the bottom of the screen, in the language in use, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from ..i18n import t
from ..store.run_keys import Context, Key, keys_of


def bindings(context: Context) -> list[BindingType]:
    """Textual's bindings for the keys of a place."""
    return [
        Binding(key.keys, key.action, key.id, show=False, id=f"run.{context}.{key.id}")
        for key in keys_of(context)
        if key.keys
    ]


class KeyLine(Static):
    """One line of keys; which ones depends on where the focus is."""

    DEFAULT_CSS = """
    KeyLine { height: 1; background: $footer-background; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._place: Context = "run"
        self._hidden: frozenset[str] = frozenset()

    def show(self, context: Context, hidden: frozenset[str] = frozenset()) -> None:
        """Show the keys of a place and the common ones, but for ``hidden``."""
        if (context, hidden) != (self._place, self._hidden):
            self._place, self._hidden = context, hidden
            self.retranslate()

    def on_resize(self) -> None:
        """Show as many as fit."""
        self.retranslate()

    def retranslate(self) -> None:
        """Lay out again."""
        chosen = [key for key in keys_of(self._place) if key.bottom] if self._place != "run" else []
        chosen += [key for key in keys_of("run") if key.bottom]
        chosen = [key for key in chosen if key.id not in self._hidden]
        self.update(self._content(fitting(chosen, self.content_size.width)))

    def _content(self, keys: Sequence[Key]) -> Content:
        parts: list[Content] = []
        for position, key in enumerate(keys):
            gap = "   " if position else ""
            parts.append(
                Content.assemble(
                    (gap, ""),
                    (key.shown, "bold $footer-key-foreground"),
                    (f" {t(f'run.key.{key.id}')}", "$footer-description-foreground"),
                )
            )
        return Content("").join(parts)


def fitting(keys: Sequence[Key], width: int) -> list[Key]:
    """The keys that fit into a width, the important ones first, in their own order."""
    left = width
    kept: set[str] = set()
    for key in sorted(keys, key=lambda one: one.bottom):
        needed = cell_len(f"{key.shown} {t(f'run.key.{key.id}')}") + (3 if kept else 0)
        if needed <= left:
            left -= needed
            kept.add(key.id)
    return [key for key in keys if key.id in kept]
