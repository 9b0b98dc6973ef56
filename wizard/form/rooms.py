"""The calls the form makes into the runner, in one place; imported late, for a fast first paint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ...runner.catalogue import Catalogue
    from ...runner.catalogue.problem import Edit, Language, Problem
    from ...runner.document.model import Document
    from ...runner.native.shape import Shape


class Refused(Exception):
    """An edit that was not made; ``reason`` ends the id of the text that says why."""

    def __init__(self, reason: str, key: str, detail: str = "") -> None:
        super().__init__(reason, key, detail)
        self.reason = reason
        self.key = key
        self.detail = detail


class NotImported(Exception):
    """A launch script that no configuration can be made of; the text is for the user."""


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """What the start screen says about a template."""

    name: str
    title: Mapping[str, str]
    help: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class New:
    """How an absent key is added: the lines above it, the names of its section in their order (None: AgentSDK's)."""

    comment: Sequence[str] = ()
    order: Sequence[str] | None = None


NOTHING_NEW = New()


def templates() -> list[TemplateInfo]:
    """The templates, in the order in which they are offered."""
    from ...runner.catalogue.template import list_titles

    return [TemplateInfo(name, title, about) for name, title, about in list_titles()]


def catalogue(family: Literal["agentsdk", "verl"] = "agentsdk") -> Catalogue:
    """The catalogue of parameters of a family."""
    from ...runner.catalogue import load_catalogue

    return load_catalogue(family)


def shape_of(values: Mapping[str, Any]) -> tuple[Shape, str]:
    """Shape of a file, and the back end whose own keys it holds (``verl``, ``mindspeed-rl`` or "")."""
    from ...runner.check import native_backend
    from ...runner.check import shape_of as shape

    return shape(values), native_backend(values)


def variant(template: str) -> str:
    """Variant of document 004 that a template is made for."""
    from ...runner.catalogue import load_template

    return load_template(template).variant if template else ""


def parse(text: str, path: Path | None = None) -> Document:
    """A text as the back end's loader sees it."""
    from ...runner.document import parse_document

    return parse_document(text, path)


def is_script(text: str, path: Path) -> bool:
    """Whether a text is a launch script; a YAML file that mentions a command is none."""
    from ...runner.native.script import looks_like_script

    if not looks_like_script(text):
        return False
    return path.suffix not in (".yaml", ".yml") or not parse(text).readable


def imported(path: Path, language: Language) -> tuple[str, list[str]]:
    """The AscendFactory file that a launch script amounts to, and what became of its settings, in lines.

    Raises:
        NotImported: nothing in it starts verl.
    """
    from ...runner.cli.convert.converting import ConvertError, convert_file, report

    try:
        converted, settings = convert_file(path, "ascendfactory", "", language)
    except ConvertError as error:
        raise NotImported(str(error)) from error
    return converted.text, list(report(converted, settings, language))


def with_value(text: str, key: str, value: Any, present: bool, new: New = NOTHING_NEW) -> str:
    """``text`` with the key set, added as ``new`` says where it is absent; every other byte stays.

    Raises:
        Refused: it can't be done without changing something else.
    """
    from ...runner.document import EditError, add_key, set_value

    try:
        return (
            set_value(text, key, value) if present else add_key(text, key, value, order=new.order, comment=new.comment)
        )
    except EditError as error:
        raise Refused(error.code, key, error.detail) from error


def comment_for(key: str, family: str, prefix: str, language: Language) -> list[str]:
    """The comment lines that a key gets when it is added to a file."""
    from ...runner.catalogue.key_comment import key_comment

    return key_comment(key, language, family, prefix)


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
    from ...runner.check import target_of

    if not document.readable:
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


def template_for(document: Document, language: Language) -> tuple[str, str] | None:
    """Name and text of the template that is nearest to a file: of its back end and what starts it.

    None where no template has the shape of the file.
    """
    from ...runner.catalogue import list_templates
    from ...runner.check import native_backend, shape_of, target_of

    back_end = document.values.get("train_backend") or ("mindspeed_rl" if "mindspeed_rl" in document.values else "verl")
    target, shape = target_of(document), shape_of(document.values)
    if shape == "ascendfactory" and native_backend(document.values) == "verl":
        target, back_end = "ascendfactory", "verl"
    elif shape != "agentsdk":
        return None
    best = max(list_templates(), key=lambda one: (one.backend == back_end, one.target == target))
    return best.name, template_text(best.name, language)
