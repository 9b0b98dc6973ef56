"""The calls the form makes into the runner, in one place; imported late, for a fast first paint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...runner.catalogue import Catalogue
    from ...runner.catalogue.problem import Edit, Language, Problem
    from ...runner.document.model import Document


class Refused(Exception):
    """An edit that was not made; ``reason`` ends the id of the text that says why."""

    def __init__(self, reason: str, key: str, detail: str = "") -> None:
        super().__init__(reason, key, detail)
        self.reason = reason
        self.key = key
        self.detail = detail


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """What the start screen says about a template."""

    name: str
    title: Mapping[str, str]
    help: Mapping[str, str]


def templates() -> list[TemplateInfo]:
    """The templates, in the order in which they are offered: first the one that runs on any machine."""
    from ...runner.catalogue import list_templates

    found = sorted(list_templates(), key=lambda one: one.target != "local")
    return [TemplateInfo(one.name, one.title, one.description) for one in found]


def catalogue() -> Catalogue:
    """The catalogue of parameters."""
    from ...runner.catalogue import load_catalogue

    return load_catalogue()


def parse(text: str, path: Path | None = None) -> Document:
    """A text as the back end's loader sees it."""
    from ...runner.document import parse_document

    return parse_document(text, path)


def with_value(text: str, key: str, value: Any, present: bool) -> str:
    """``text`` with the key set, added where it is absent; every other byte stays.

    Raises:
        Refused: it can't be done without changing something else.
    """
    from ...runner.document import EditError, add_key, set_value

    try:
        return set_value(text, key, value) if present else add_key(text, key, value)
    except EditError as error:
        raise Refused(error.code, key, error.detail) from error


def without_key(text: str, key: str) -> str:
    """``text`` without the key.

    Raises:
        Refused: it can't be done without changing something else.
    """
    from ...runner.document import EditError, remove_key

    try:
        return remove_key(text, key)
    except EditError as error:
        raise Refused(error.code, key, error.detail) from error


def with_edits(text: str, edits: Sequence[Edit]) -> str:
    """``text`` after the edits that a problem offers.

    Raises:
        Refused: one of them can't be made.
    """
    from ...runner.document import EditError, apply_edits

    try:
        return apply_edits(text, edits)
    except EditError as error:
        raise Refused(error.code, error.key, error.detail) from error


def write(path: Path, text: str, expected: str | None = None) -> None:
    """Write a file in one piece, mode 640.

    Raises:
        OSError: it can't be written.
        FileChanged: it is no longer what was ``expected``.
    """
    from ...runner.document import write_atomically

    write_atomically(path, text, expected)


def check_key(document: Document, key: str) -> list[Problem]:
    """The checks of one key that are fast enough for every key press."""
    from ...runner.check import check_key as check
    from ...runner.check import shape_of, target_of

    if not document.readable or shape_of(document.values) != "agentsdk":
        return []
    return check(document.values, key, target_of(document))


def template_text(name: str, language: Language) -> str:
    """A template as it is written, with comments in a language.

    Raises:
        KeyError: there is no such template.
    """
    from ...runner.catalogue import render_template

    return render_template(name, language)


def must_set(template: str) -> frozenset[str]:
    """Keys whose value in a template is a placeholder that everybody has to replace."""
    from ...runner.catalogue import load_template

    return load_template(template).must_set if template else frozenset()


def template_for(document: Document, language: Language) -> tuple[str, str]:
    """Name and text of the template that is nearest to a file: of its back end and what starts it."""
    from ...runner.catalogue import list_templates
    from ...runner.check import target_of

    back_end = document.values.get("train_backend") or ("mindspeed_rl" if "mindspeed_rl" in document.values else "verl")
    target = target_of(document)
    best = max(list_templates(), key=lambda one: (one.backend == back_end, one.target == target))
    return best.name, template_text(best.name, language)
