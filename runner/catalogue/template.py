"""Templates as data: which keys with which values, in which order, under which header (templates/configs/)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .load import load_catalogue
from .parameter import Text

TARGETS = ("agentsdk", "ascendfactory", "verl", "local")
_FIELDS = (
    *("target", "backend", "directive", "title", "description", "header", "set", "minimal", "values", "remarks"),
    *("base", "remove", "machine", "variant", "order"),
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template.

    Attributes:
        name: its name, e.g. ``agentsdk-verl``.
        target: who starts a file made from it: ``agentsdk``, ``ascendfactory``, ``verl`` or ``local``.
        backend: ``verl`` or ``mindspeed_rl``.
        directive: whether the first line tells the target (`# agentic-rl: target=...`); not needed for ``agentsdk``.
        title, description: for lists; header: the comment at the top, with its line breaks.
        values: value by dotted key, in the order in which they are written.
        must_set: keys whose value is a placeholder.
        minimal: keys of the short form.
        remarks: what the template has to say about one of its values, by dotted key.
        machine: name of the machine profile it is made for.
        variant: variant of document 004 (``grpo``, ``ppo`` ...); "" for the other targets.
        order: place in lists; 10 unless it says so.
    """

    name: str
    target: str
    backend: str
    directive: bool
    title: Text
    description: Text
    header: Text
    values: Mapping[str, Any]
    must_set: frozenset[str]
    minimal: frozenset[str]
    remarks: Mapping[str, Text]
    machine: str = ""
    variant: str = ""
    order: int = 10

    @property
    def family(self) -> str:
        """The catalogue that its keys are in (see `load_catalogue`)."""
        return "verl" if self.target == "ascendfactory" else "agentsdk"


def list_templates() -> list[Template]:
    """Every template, those that most people want first, then by name."""
    found = [load_template(path.stem) for path in (templates_root() / "configs").glob("*.yaml")]
    return sorted(found, key=lambda template: (template.order, template.name))


def list_titles() -> list[tuple[str, Text, Text]]:
    """Name, title and description of every template, in the order of `list_templates`; reads no catalogue.

    Raises:
        CatalogueError: a template's file breaks the format.
    """
    found: list[tuple[int, str, Text, Text]] = []
    for path in (templates_root() / "configs").glob("*.yaml"):
        entry = Entry(path.name, read_yaml(path), _FIELDS)
        order = int(entry.fields.get("order", 10))
        found.append((order, path.stem, entry.text("title"), entry.text("description")))
    found.sort(key=lambda one: one[:2])
    return [one[1:] for one in found]


@lru_cache(maxsize=32)
def load_template(name: str) -> Template:
    """Read one template.

    Raises:
        KeyError: there is no template of that name.
        CatalogueError: its file breaks the format.
    """
    path = templates_root() / "configs" / f"{name}.yaml"
    if path.parent != templates_root() / "configs" or not path.is_file():
        raise KeyError(name)
    return read_template(path)


def read_template(path: Path) -> Template:
    """Read a template file.

    A file with ``base`` is a variant of another template: its values are added to that one's (``remove`` names keys
    that it leaves out), and what it does not say itself is taken from there.

    Raises:
        CatalogueError: names the file and the field that breaks the format.
    """
    entry = Entry(path.name, read_yaml(path), _FIELDS)
    base = read_template(path.with_name(f"{entry.string('base')}.yaml")) if entry.has("base") else None
    target = base.target if base else entry.one_of("target", TARGETS)
    values = {**(base.values if base else {}), **_values(entry, "verl" if target == "ascendfactory" else "agentsdk")}
    for key in entry.sequence("remove"):
        _known(entry, "remove", key, values)
        del values[key]
    minimal = _keys(entry, "minimal", values) | (base.minimal & values.keys() if base else frozenset[str]())
    remarks = {
        key: entry.both(f"remarks: {key}", text)
        for key, text in entry.mapping("remarks").items()
        if key in _known(entry, "remarks", key, values)
    }
    kept = base.must_set & values.keys() if base else frozenset[str]()
    backend = base.backend if base else entry.one_of("backend", ("verl", "mindspeed_rl"))
    return Template(
        name=path.stem,
        target=target,
        backend=backend,
        directive=base.directive if base else entry.flag("directive"),
        title=entry.text("title"),
        description=entry.text("description"),
        header=base.header if base and not entry.has("header") else _header(entry),
        values=values,
        must_set=_keys(entry, "set", values) | kept,
        minimal=minimal,
        remarks={**({k: v for k, v in base.remarks.items() if k in values} if base else {}), **remarks},
        machine=entry.string("machine", base.machine if base else ""),
        variant=entry.string("variant", base.variant if base else ""),
        order=int(entry.fields.get("order", 10)),
    )


def _values(entry: Entry, family: str) -> dict[str, Any]:
    catalogue = load_catalogue(family)
    values: dict[str, Any] = {}
    for group_id, content in entry.mapping("values").items():
        group = catalogue.groups.get(group_id)
        if group is None:
            raise entry.fail("values", f"there is no group {group_id!r}")
        if not isinstance(content, Mapping):
            raise entry.fail("values", f"{group_id}: expected a mapping")
        for name, value in cast("Mapping[Any, Any]", content).items():
            key = f"{group.section}.{name}" if group.section and family == "agentsdk" else str(name)
            parameter = catalogue.parameters.get(key)
            if parameter is None or parameter.group != group_id:
                raise entry.fail("values", f"the group {group_id} has no parameter {name!r}")
            values[key] = value
    return values


def _header(entry: Entry) -> Text:
    entry.text("header")  # checks both languages; the line breaks matter here, so the texts themselves are kept
    return {language: str(text).rstrip() for language, text in entry.mapping("header").items()}


def _keys(entry: Entry, name: str, values: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(key for key in entry.sequence(name) if key in _known(entry, name, key, values))


def _known(entry: Entry, name: str, key: Any, values: Mapping[str, Any]) -> Mapping[str, Any]:
    if key not in values:
        raise entry.fail(name, f"the template has no value for {key!r}")
    return values


__all__ = ["TARGETS", "CatalogueError", "Template", "list_templates", "list_titles", "load_template", "read_template"]
