"""The keys of the form, in one table: bindings, footer and help screen are made from it and cannot differ.

Chosen so that they arrive through ssh and tmux: F1 to F9 and ctrl with letters; ctrl+b (tmux), ctrl+j, ctrl+m,
ctrl+i (enter, tab), ctrl+h (backspace), alone ctrl+s and ctrl+q (flow control) are avoided.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    Attributes:
        key: key as Textual names it; further ones after commas are aliases.
        shown: as people write it.
        action: name of the action; its texts are ``wizard.key_<action>`` (short) and ``wizard.does_<action>``.
        footer: whether it stands in the footer.
        wide: stands there only on wide terminals.
    """

    key: str
    shown: str
    action: str
    footer: bool = True
    wide: bool = False

    @property
    def name(self) -> str:
        """The action without its arguments."""
        return self.action.partition("(")[0]


FORM_KEYS: tuple[Key, ...] = (
    Key("f1", "F1", "keys"),
    Key("f9,ctrl+s", "F9", "save"),
    Key("f5", "F5", "run"),
    Key("ctrl+f", "^F", "find"),
    Key("f4", "F4", "problems"),
    Key("f6", "F6", "pane"),
    Key("f7", "F7", "diff"),
    Key("f8", "F8", "reset"),
    Key("ctrl+z", "^Z", "undo"),
    Key("ctrl+y", "^Y", "redo"),
    Key("f2", "F2", "switch_language"),
    Key("f3", "F3", "switch_theme", wide=True),
    Key("ctrl+n", "^N", "next_section", wide=True),
    Key("ctrl+p", "^P", "previous_section", footer=False),
    Key("ctrl+g", "^G", "fix", footer=False),
    Key("escape", "Esc", "back", wide=True),
    Key("ctrl+t", "^T", "suspend", footer=False),
    Key("ctrl+q", "^Q", "leave", footer=False),
)
START_KEYS: tuple[Key, ...] = (
    Key("enter", "Enter", "choose"),
    Key("ctrl+o", "^O", "file"),
    Key("f1", "F1", "keys"),
    Key("f2", "F2", "switch_language"),
    Key("f3", "F3", "switch_theme"),
    Key("ctrl+q", "^Q", "leave"),
)
HANDLED_BY_APP = {"switch_language", "switch_theme", "undo", "suspend", "leave"}


def bindings() -> list[Binding]:
    """Bindings of the form's screen; before the focused input's own, so that ``^F`` finds instead of deleting."""
    return [
        Binding(key.key, key.action, key.name, show=False, priority=key.key != "escape", id=f"form.{key.name}")
        for key in FORM_KEYS
        if key.name not in HANDLED_BY_APP
    ]
