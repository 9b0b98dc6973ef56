"""The form: one text, its fields, where their values come from, and what is wrong with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..i18n import language
from . import rooms
from .checker import check_text
from .family import Family, family_of
from .findings import Findings
from .history import History
from .layout import Section, sections_of
from .values import parse_typed, same_value, show_value

if TYPE_CHECKING:
    from ...runner.catalogue.parameter import Parameter
    from ...runner.catalogue.problem import Problem
    from ...runner.document.model import Document

Source = Literal["default", "template", "file", "edited"]
Mark = Literal["untouched", "done", "warnings", "errors"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the text came from.

    Attributes:
        base: the text the form started from; a value that differs from it was edited.
        template: name of the template, empty for a file that was opened.
        path: the file that is written to; None until it is named.
        disk: text of that file as last read or written by this form; None when there is no file yet.
        imported: name of the launch script that the text was made from.
    """

    base: str
    template: str = ""
    path: Path | None = None
    disk: str | None = None
    imported: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What listeners are told: the text (and one key of it), the problems, or the origin (saved, reloaded)."""

    kind: Literal["text", "problems", "origin", "refused"]
    key: str = ""


class Form:
    """One configuration being written; the text is the truth, everything else is read from it."""

    def __init__(self, text: str, origin: Origin) -> None:
        """Start from a text (a draft's may differ from ``origin.base``)."""
        self.origin = origin
        self.history = History(text)
        self.findings = Findings()
        self.seen: set[str] = set()
        self.version = 0
        self.refused: rooms.Refused | None = None
        self._listeners: list[Callable[[Change], None]] = []
        self._base = rooms.parse(origin.base)
        self._document = rooms.parse(text, origin.path)
        self._family = family_of(self._document.values, origin.template)
        self._must_set = frozenset(map(self._family.file_key, rooms.must_set(origin.template)))
        self._sections = sections_of(self._document, self._family)

    @property
    def family(self) -> Family:
        """The catalogue of the text and how its keys are written; told by the text's shape."""
        return self._family

    @property
    def text(self) -> str:
        """The text as it would be saved now."""
        return self.history.text

    @property
    def document(self) -> Document:
        """The text as the back end's loader sees it."""
        return self._document

    @property
    def sections(self) -> tuple[Section, ...]:
        """The pages; they follow the back end that the text names."""
        return self._sections

    @property
    def back_end(self) -> str:
        """``verl`` or ``mindspeed_rl``, as the text says or its sections show."""
        named = self._document.values.get("train_backend")
        if named in ("verl", "mindspeed_rl"):
            return str(named)
        return "mindspeed_rl" if "mindspeed_rl" in self._document.values else "verl"

    @property
    def dirty(self) -> bool:
        """Whether the text differs from the file on disk."""
        return self.text != self.origin.disk

    @property
    def touched(self) -> bool:
        """Whether anything was edited."""
        return self.text != self.origin.base

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Have ``listener`` called after each change; returns a function that ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Reading.

    def parameters(self) -> Iterable[Parameter]:
        """All parameters of all pages, in their order."""
        return (parameter for section in self._sections for parameter in section.parameters)

    def section_of(self, key: str) -> Section | None:
        """The page a key stands on."""
        for section in self._sections:
            if any(parameter.key == key for parameter in section.parameters):
                return section
        return None

    def present(self, key: str) -> bool:
        """Whether the key stands in the text."""
        return self._document.has(key)

    def value(self, parameter: Parameter) -> Any:
        """Value of a field: from the text, else the default."""
        return self._document.get(parameter.key) if self.present(parameter.key) else parameter.default.value

    def shown(self, parameter: Parameter) -> str:
        """The value as the field shows it: a number as it is written, anything else by its meaning."""
        value = self.value(parameter)
        if self.present(parameter.key) and type(value) in (int, float):
            place = self._document.place(parameter.key)
            written = self._document.text[place.value_start : place.value_end] if place.value_start >= 0 else ""
            if same_value(parse_typed(parameter, written), value):
                return written
        return show_value(value)

    def source(self, key: str) -> Source:
        """Where the value comes from: nobody wrote it, the template or file has it, or it was edited here."""
        if not self.present(key):
            return "edited" if self._base.has(key) else "default"
        if not self._base.has(key) or not same_value(self._base.get(key), self._document.get(key)):
            return "edited"
        return "template" if self.origin.template else "file"

    @property
    def makes_data(self) -> bool:
        """Whether a run makes the quick start's model and data first, as the latest full check saw it."""
        return any(problem.code == "path-made-at-start" for problem in self.findings.all)

    def placeholder(self, key: str) -> bool:
        """Whether the value is still the template's placeholder, which everybody has to replace."""
        return key in self._must_set and self.source(key) == "template"

    def mark(self, section: Section) -> tuple[Mark, int]:
        """State of a page and the number of its errors (or warnings)."""
        keys = [parameter.key for parameter in section.parameters]
        errors = self.findings.count("error", keys)
        if errors:
            return "errors", errors
        warnings = self.findings.count("warning", keys)
        if warnings:
            return "warnings", warnings
        if section.id in self.seen or any(self.source(key) == "edited" for key in keys):
            return "done", 0
        return "untouched", 0

    # Editing.

    def type(self, parameter: Parameter, typed: str) -> None:
        """Take what was typed into a field; an emptied one goes back to its default."""
        if not typed.strip():
            self.reset(parameter, typing=True)
        else:
            self.set(parameter.key, parse_typed(parameter, typed), typing=True)

    def set(self, key: str, value: Any, typing: bool = False) -> None:
        """Set a key to a value, adding it where it is absent."""
        present = self.present(key)
        if present and same_value(self._document.get(key), value):
            return
        text = self.text
        if not present:  # a line that was just emptied comes back in its place, with its comment
            before = self.history.before(key)
            if before != text and rooms.parse(before).has(key):
                text, present = before, True
        new = rooms.NOTHING_NEW if present else self._family.new(key, text, language())
        self._edit(lambda: rooms.with_value(text, key, value, present, new), key, typing)

    def reset(self, parameter: Parameter, typing: bool = False) -> None:
        """Take the key out of the text, so that its default applies."""
        key = parameter.key
        if not self.present(key):
            return
        before = self.history.before(key)
        if before != self.text and not rooms.parse(before).has(key):  # just added: its comment goes with it
            self._edit(lambda: before, key, typing)
        else:
            self._edit(lambda: rooms.without_key(self.text, key), key, typing)

    def replace(self, text: str, key: str = "") -> None:
        """Take a whole new text (a quick fix, a reloaded file) as one step that can be undone."""
        if text != self.text:
            self._take(text, key, typing=False)

    def fix(self, problem: Problem) -> None:
        """Take the remedy that a problem offers, as one step."""
        self._edit(lambda: rooms.with_edits(self.text, problem.edits), problem.key, typing=False)

    def undo(self) -> str | None:
        """Take the last change back; returns its key, None when there is none."""
        return self._travel(self.history.undo())

    def redo(self) -> str | None:
        """Make the last undone change again; returns its key, None when there is none."""
        return self._travel(self.history.redo())

    def _travel(self, key: str | None) -> str | None:
        """Tell everybody about a text taken from the history."""
        if key is not None:
            self._reread()
            self._check_now(key)
            self._tell(Change("text", key))
        return key

    def _edit(self, edit: Callable[[], str], key: str, typing: bool) -> None:
        """Make an edit; one that can't be made without changing something else is refused and told."""
        try:
            text = edit()
        except rooms.Refused as error:
            self.refused = error
            self._tell(Change("refused", key))
            return
        self._take(text, key, typing)

    def _take(self, text: str, key: str, typing: bool) -> None:
        """Make ``text`` the present text."""
        self.history.push(text, key, time.monotonic(), typing)
        self._reread()
        self._check_now(key)
        self._tell(Change("text", key))

    def _reread(self) -> None:
        """Read the values again; the pages change only with the back end or the unknown keys."""
        self.version += 1
        self._document = rooms.parse(self.text, self.origin.path)
        if self._document.readable:
            self._family = family_of(self._document.values, self.origin.template)
            self._sections = sections_of(self._document, self._family)

    # Checking.

    def _check_now(self, key: str) -> None:
        """The checks that are fast enough for every key press: the field and the relations that mention it."""
        if key:
            self.findings.amend(key, rooms.check_key(self._document, key))

    def check_all(self) -> None:
        """The check of everything but the disk, here and now (`Checker` does all of it, in a thread)."""
        self.take_problems(self.version, check_text(self._document))

    def take_problems(self, version: int, problems: Iterable[Problem]) -> bool:
        """Take the result of a full check of the text of ``version``; a late one is dropped."""
        if version != self.version:
            return False
        self.findings.replace(problems)
        self._tell(Change("problems"))
        return True

    # Saving.

    def saved(self, path: Path) -> None:
        """The text was written to ``path``."""
        self.history.seal()
        self.origin = replace(self.origin, path=path, disk=self.text)
        self._tell(Change("origin"))

    def reload(self, text: str, path: Path) -> None:
        """Take the file as it is on disk now; undo brings the own text back."""
        self.origin = replace(self.origin, base=text, path=path, disk=text, template="")
        self._base = rooms.parse(text)
        self.replace(text)
        self._tell(Change("origin"))

    def see(self, section: Section) -> None:
        """Remember that a page was looked at."""
        if section.id not in self.seen:
            self.seen.add(section.id)
            self._tell(Change("problems"))

    def _tell(self, change: Change) -> None:
        """Call the listeners."""
        for listener in tuple(self._listeners):
            listener(change)
