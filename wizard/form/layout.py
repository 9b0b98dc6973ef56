"""Sections of the form: which parameters are asked for a document, group by group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ...runner.catalogue.parameter import Default, Kind, Parameter, Text

if TYPE_CHECKING:
    from ...runner.catalogue import Catalogue
    from ...runner.document.model import Document

OTHERS = "others"
OTHERS_TITLE: Text = {"en": "Other keys", "zh": "其他键"}
OTHERS_HELP: Text = {
    "en": "Keys of this file that the catalogue does not know. They are kept as they are.",
    "zh": "此文件中参数目录未收录的键，原样保留。",
}
MOST_ON_A_PAGE = 40  # fields of a page made from the file itself; the YAML pane shows the rest


@dataclass(frozen=True, slots=True)
class Section:
    """One page of the form."""

    id: str
    title: Text
    help: Text
    parameters: tuple[Parameter, ...]


def sections_of(document: Document, catalogue: Catalogue) -> tuple[Section, ...]:
    """The pages for a document: groups of the first level, then of its back end, then what nobody knows."""
    if is_native(document):
        return tuple(_native_pages(document, catalogue))
    wanted = _wanted_sections(document)
    pages: dict[str, list[Parameter]] = {group: [] for group in catalogue.groups}
    leaves = list(_leaves(document.values))
    aliases = _aliases([key for key, _ in leaves], catalogue)
    for parameter in catalogue.parameters.values():
        if parameter.section in wanted:
            alias = aliases.get(parameter.key)
            pages[parameter.group].append(replace(parameter, key=alias) if alias else parameter)
    made = [
        Section(group, catalogue.groups[group].title, catalogue.groups[group].help, tuple(found))
        for group, found in pages.items()
        if found
    ]
    unknown = [(key, value) for key, value in leaves if catalogue.resolve(key) is None]
    if unknown:
        others = tuple(_made_up(key, value) for key, value in unknown[:MOST_ON_A_PAGE])
        made.append(Section(OTHERS, OTHERS_TITLE, OTHERS_HELP, others))
    return tuple(made)


def _aliases(keys: list[str], catalogue: Catalogue) -> dict[str, str]:
    """Proper key -> the other name under which a file has it; the field then edits what stands there."""
    found: dict[str, str] = {}
    for key in keys:
        resolved = catalogue.resolve(key)
        if resolved is not None and resolved[1] is not None and resolved[0].key not in keys:
            found.setdefault(resolved[0].key, key)
    return found


def is_native(document: Document) -> bool:
    """Whether a document holds a tree of verl's own keys (document 004, or verl itself)."""
    return any(name in document.values for name in ("backend_config", "actor_rollout_ref", "af_output_dir"))


def _wanted_sections(document: Document) -> set[str]:
    """Sections of the catalogue that a document is about."""
    back_end = document.values.get("train_backend")
    if back_end == "mindspeed_rl" or (back_end != "verl" and "mindspeed_rl" in document.values):
        return {"", "mindspeed_rl"}
    return {"", "verl"}


def _native_pages(document: Document, catalogue: Catalogue) -> Iterator[Section]:
    """Pages of a native tree: the keys that stand in it, by the branch they hang on."""
    branches: dict[str, list[Parameter]] = {}
    for key, value in _leaves(document.values):
        parts = key.removeprefix("backend_config.").split(".")
        branch = ".".join(parts[: 2 if parts[0] == "actor_rollout_ref" and len(parts) > 2 else 1][: len(parts) - 1])
        known = catalogue.by_verl_key(".".join(parts))
        made = _borrowed(key, known[0][0]) if known else _made_up(key, value)
        branches.setdefault(branch, []).append(made)
    for branch, found in branches.items():
        name = branch or "(top)"
        for start in range(0, len(found), MOST_ON_A_PAGE):
            more = f" {start // MOST_ON_A_PAGE + 1}" if start else ""
            title: Text = {"en": name.removeprefix("actor_rollout_ref.") + more}
            title = {**title, "zh": title["en"]}
            page = tuple(found[start : start + MOST_ON_A_PAGE])
            yield Section(f"{name}{more}", title, {"en": name, "zh": name}, page)


def _borrowed(key: str, known: Parameter) -> Parameter:
    """A parameter of AgentSDK as the native key that it becomes; its defaults are not those of the bare verl."""
    return replace(
        known, key=key, section="native", group="native", required=False, default=Default(), value_map={}, source=""
    )


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
