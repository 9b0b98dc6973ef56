"""Sections of the form: which parameters are asked for a document, group by group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ...runner.catalogue.parameter import Kind, Parameter, Text

if TYPE_CHECKING:
    from ...runner.document.model import Document
    from .family import Family

OTHERS = "others"
OTHERS_TITLE: Text = {"en": "Other keys", "zh": "其他键"}
OTHERS_HELP: Text = {
    "en": "Keys of this file that the catalogue does not know. They are kept as they are.",
    "zh": "此文件中参数目录未收录的键，原样保留。",
}
UNDESCRIBED: Text = {
    "en": "No catalogue describes files of this shape: the fields are made from the file itself, "
    "and what fits no field stands only in the text (F6).",
    "zh": "此类文件没有参数目录：字段由文件本身生成，无法用字段表示的内容只在文本中显示（F6）。",
}
MOST_ON_A_PAGE = 40  # fields of a page made from the file itself; the YAML pane shows the rest


@dataclass(frozen=True, slots=True)
class Section:
    """One page of the form."""

    id: str
    title: Text
    help: Text
    parameters: tuple[Parameter, ...]


def sections_of(document: Document, family: Family) -> tuple[Section, ...]:
    """The pages for a document: the groups of its catalogue, then what nobody knows.

    AgentSDK's are those of the first level and of the back end; a file that no catalogue describes has its own keys.
    """
    catalogue = family.catalogue
    if catalogue is None:
        return tuple(_own_pages(document))
    wanted = _wanted_sections(document) if family.name == "agentsdk" else {""}
    pages: dict[str, list[Parameter]] = {group: [] for group in catalogue.groups}
    leaves = list(_leaves(document.values))
    aliases = _aliases([key for key, _ in leaves], family)
    for parameter in family.parameters():
        if parameter.section in wanted:
            alias = aliases.get(parameter.key)
            pages[parameter.group].append(replace(parameter, key=alias) if alias else parameter)
    made = [
        Section(group, catalogue.groups[group].title, catalogue.groups[group].help, tuple(found))
        for group, found in pages.items()
        if found
    ]
    unknown = [(key, value) for key, value in leaves if family.resolve(key) is None and _editable(value)]
    if unknown:
        others = tuple(_made_up(key, value) for key, value in unknown[:MOST_ON_A_PAGE])
        made.append(Section(OTHERS, OTHERS_TITLE, OTHERS_HELP, others))
    return tuple(made)


def _aliases(keys: list[str], family: Family) -> dict[str, str]:
    """Proper key -> the other name under which a file has it; the field then edits what stands there."""
    found: dict[str, str] = {}
    for key in keys:
        resolved = family.resolve(key)
        if resolved is not None and resolved[1] != key and resolved[1] not in keys:
            found.setdefault(resolved[1], key)
    return found


def _wanted_sections(document: Document) -> set[str]:
    """Sections of the catalogue that a document is about."""
    back_end = document.values.get("train_backend")
    if back_end == "mindspeed_rl" or (back_end != "verl" and "mindspeed_rl" in document.values):
        return {"", "mindspeed_rl"}
    return {"", "verl"}


def _own_pages(document: Document) -> Iterator[Section]:
    """Pages of a file that no catalogue describes: the keys that stand in it, by the branch they hang on."""
    branches: dict[str, list[Parameter]] = {}
    for key, value in _leaves(document.values):
        branch = ".".join(key.split(".")[:2][: key.count(".")])
        if _editable(value):
            branches.setdefault(branch, []).append(_made_up(key, value))
    for branch, found in branches.items():
        name = branch or "(top)"
        for start in range(0, len(found), MOST_ON_A_PAGE):
            more = f" {start // MOST_ON_A_PAGE + 1}" if start else ""
            title: Text = {"en": name + more, "zh": name + more}
            yield Section(f"{name}{more}", title, UNDESCRIBED, tuple(found[start : start + MOST_ON_A_PAGE]))
    if not branches:
        yield Section("(top)", {"en": "(top)", "zh": "(top)"}, UNDESCRIBED, ())


def _editable(value: Any) -> bool:
    """Whether a field can show a value; lists of lists or mappings, and empty mappings, stay in the text alone."""
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    return not any(isinstance(item, list | Mapping) for item in items)


def _made_up(key: str, value: Any) -> Parameter:
    """A parameter for a key that the catalogue does not have."""
    text: Text = {"en": key, "zh": key}
    return Parameter(key, "", OTHERS, _kind(value), text, OTHERS_HELP, {}, "", nullable=value is None)


def _kind(value: Any) -> Kind:
    """Kind of field for the value of an unknown key."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    return "list" if isinstance(value, list) else "str"


def _leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys and values of everything that is not a mapping itself."""
    for name, value in values.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping) and value:
            yield from _leaves(cast("Mapping[str, Any]", value), f"{key}.")
        else:
            yield key, value
