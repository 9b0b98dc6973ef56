"""From templates/parameters/*.yaml to Catalogue: strict, and fast enough to be read at every start (some 30 ms)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from .catalogue import SECTIONS, Catalogue, Group
from .data import CatalogueError, Entry, read_yaml, templates_root
from .parameter import Condition, Default, Parameter, Range, Text
from .ranges import describe_range, parse_range
from .verl_table import MANDATORY, NEWEST, newest, verl_table
from .versions import version_clauses, version_holds
from .words import word

__all__ = ["FAMILIES", "VARIANTS", "Catalogue", "CatalogueError", "load_catalogue", "read_catalogue"]

_KINDS = ("int", "float", "bool", "str", "path", "list")
_LAUNCHERS = ("agentsdk/verl", "agentsdk/mindspeed_rl", "verl")
FAMILIES = ("agentsdk", "verl")
_TABLES = {"": "000 first level", "verl": "000 verl", "mindspeed_rl": "000 mindspeed-rl"}
# Kinds of configuration that document 004 describes; `required_in` and `variants` name them.
VARIANTS = ("grpo", "ppo", "multimodal", "multi-turn", "lora", "long-sequence", "one-step-off", "resume")
PARAMETER_FIELDS = frozenset(
    (
        *("kind", "items", "row", "title", "help", "constraint", "default", "required", "optional_for"),
        *("range", "software_range", "judge", "choices", "software_choices", "choices_backend", "nullable", "unit"),
        *("path", "pattern", "software_pattern", "aliases", "generations", "names", "value_map", "misprints"),
        *("verl", "mindspeed_rl", "effective_when", "without_effect", "harmful", "notes"),
        *("required_in", "variants", "example", "one_or_many", "open_choices"),
    )
)
_BOOL_TEXT = {"en": "true or false", "zh": "true 或 false"}


def load_catalogue(family: str = "agentsdk") -> Catalogue:
    """The catalogue of the installed package, read once per process.

    Args:
        family: ``agentsdk`` (document 000's first level, ``verl:`` and ``mindspeed_rl:``), or ``verl``: the keys of
            verl's own configuration, which an AscendFactory file (document 004) holds below ``backend_config``. The
            latter is read only by who asks for it, since it would cost every start as much as the former.

    Raises:
        CatalogueError: a data file breaks the format.
    """
    return _load(family)


@lru_cache(maxsize=len(FAMILIES))
def _load(family: str) -> Catalogue:
    folder = templates_root() / "parameters"
    return read_catalogue(folder / "verl-native" if family == "verl" else folder, family)


def read_catalogue(folder: Path, family: str = "agentsdk") -> Catalogue:
    """Read a folder of parameter files: groups.yaml, and one file per group, named after it.

    Raises:
        CatalogueError: names the file, the parameter and the field that breaks the format.
    """
    groups = _read_groups(folder / "groups.yaml")
    found: list[tuple[int, Parameter]] = []
    for path in sorted(folder.glob("*.yaml")):
        if path.stem == "groups":
            continue
        group = groups.get(path.stem)
        if group is None:
            raise CatalogueError(
                f"{path.name}: no group {path.stem!r} in groups.yaml (a file is named after its group)"
            )
        content = read_yaml(path)
        if not isinstance(content, Mapping):
            raise CatalogueError(f"{path.name}: expected a mapping of parameters")
        entries = cast("Mapping[Any, Any]", content)
        for name, value in entries.items():
            found.append(_read_parameter(path.name, str(name), value, group, family))
    order = list(groups)
    # Documents' order: first level, mindspeed_rl, verl as the tables come; what only the software knows follows.
    found.sort(key=lambda pair: (SECTIONS.index(pair[1].section), pair[0] or 10_000, order.index(pair[1].group)))
    parameters: dict[str, Parameter] = {}
    for _, parameter in found:
        if parameter.key in parameters:
            raise CatalogueError(f"{parameter.group}.yaml: {parameter.key}: declared twice")
        parameters[parameter.key] = parameter
    for parameter in parameters.values():
        for condition in parameter.effective_when:
            if condition.key not in parameters:
                where = f"{parameter.group}.yaml: {parameter.key}"
                raise CatalogueError(f"{where}: effective_when: unknown parameter {condition.key!r}")
    return Catalogue(parameters=parameters, groups=groups, family=family)


def _read_groups(path: Path) -> dict[str, Group]:
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        raise CatalogueError(f"{path.name}: expected a mapping of groups")
    groups: dict[str, Group] = {}
    for name, value in cast("Mapping[Any, Any]", content).items():
        entry = Entry(f"{path.name}: {name}", value, ("section", "title", "help"))
        section = entry.one_of("section", SECTIONS, "")
        groups[str(name)] = Group(str(name), section, entry.text("title"), entry.text("help"))
    return groups


def _read_parameter(file: str, name: str, value: Any, group: Group, family: str) -> tuple[int, Parameter]:
    key = f"{group.section}.{name}" if group.section else name
    entry = Entry(f"{file}: {name}", value, PARAMETER_FIELDS)
    kind = cast("Any", entry.one_of("kind", _KINDS))
    row: Any = entry.fields.get("row", 0)
    if not isinstance(row, int):
        raise entry.fail("row", f"expected the number of a row, found {row!r}")
    span, choices = _range(entry, "range"), entry.sequence("choices")
    native = family == "verl"
    keys = (("", key),) if native and not entry.has("verl") else _verl(entry)
    parameter = Parameter(
        key=key,
        section=group.section,
        group=group.id,
        kind=kind,
        title=entry.text("title"),
        help=entry.text("help"),
        constraint=_constraint(entry, kind, span, choices, native),
        source=f"{'004' if native else _TABLES[group.section]}, row {row}" if row else "",
        items=cast("Any", entry.one_of("items", _KINDS)) if kind == "list" else None,
        choices=choices,
        nullable=entry.flag("nullable") or (native and _may_be_null(keys)),
        one_or_many=entry.flag("one_or_many"),
        open_choices=entry.flag("open_choices"),
        required=entry.flag("required"),
        range=span,
        software_range=_range(entry, "software_range"),
        default=_native_default(entry, keys, key) if native else _default(entry),
        unit=entry.string("unit", ""),
        aliases={str(k): str(v) for k, v in entry.mapping("aliases").items()},
        names={} if native else _names(entry, key),
        value_map=entry.mapping("value_map"),
        verl=keys,
        mindspeed_rl=entry.string("mindspeed_rl", ""),
        effective_when=_conditions(entry, group.section),
        without_effect=_texts(entry, "without_effect", _LAUNCHERS),
        path=cast("Any", entry.one_of("path", ("file", "directory", "any")) if kind == "path" else ""),
        pattern=entry.string("pattern", ""),
        notes=tuple(entry.both("notes", note) for note in entry.sequence("notes")),
        software_choices=entry.sequence("software_choices"),
        choices_backend=entry.one_of("choices_backend", SECTIONS, ""),
        optional_for=tuple(map(str, entry.sequence("optional_for"))),
        software_pattern=entry.string("software_pattern", ""),
        misprints=entry.mapping("misprints"),
        harmful=_texts(entry, "harmful"),
        judge=entry.string("judge", "verl" if native else ""),
        family=cast("Any", family),
        required_in=_variants(entry, "required_in"),
        variants=_variants(entry, "variants"),
        example=entry.fields.get("example"),
    )
    return row, parameter


def _range(entry: Entry, name: str) -> Range | None:
    if not entry.has(name):
        return None
    try:
        return parse_range(entry.string(name))
    except ValueError as error:
        raise entry.fail(name, str(error)) from error


def _constraint(entry: Entry, kind: str, span: Range | None, choices: tuple[Any, ...], native: bool) -> Text:
    """The rule in words: as written in the entry, else made from range or choices so that the two never differ."""
    if entry.has("constraint"):
        return entry.text("constraint")
    if span is not None:
        return describe_range(span, kind)
    if choices:
        listed = [str(choice) for choice in choices]
        return {"en": "one of " + ", ".join(listed), "zh": "取值之一：" + "、".join(listed)}
    if kind == "bool":
        return _BOOL_TEXT
    if native:
        return {language: word(kind, language) for language in ("en", "zh")}
    raise entry.fail("constraint", "missing, and there is neither range nor choices to make it from")


def _default(entry: Entry) -> Default:
    if not entry.has("default"):
        return Default()
    value: Any = entry.fields["default"]
    if not isinstance(value, Mapping):
        documented = entry.has("row")
        return Default(value if documented else None, value, documented, True)
    parts = cast("Mapping[Any, Any]", value)
    for part in parts:
        if part not in ("document", "software"):
            raise entry.fail("default", f"unknown field {part!r}; known: document, software")
    return Default(parts.get("document"), parts.get("software"), "document" in parts, "software" in parts)


def _native_default(entry: Entry, keys: tuple[tuple[str, str], ...], key: str) -> Default:
    """The documented default stands in the entry; verl's own is known for every version from its packaged files."""
    given = _default(entry)
    if given.software_known and isinstance(entry.fields["default"], Mapping):
        return given
    span = newest(next((name for spec, name in keys if version_holds(spec, NEWEST)), key))
    known = span is not None and span.default != MANDATORY
    software = span.default if span is not None and known else None
    return Default(given.document, software, given.document_known, known)


def _may_be_null(keys: tuple[tuple[str, str], ...]) -> bool:
    return any(span.default is None for _, key in keys for span in verl_table().get(key, ()))


def _variants(entry: Entry, name: str) -> tuple[str, ...]:
    found = entry.sequence(name)
    for variant in found:
        if variant not in VARIANTS:
            raise entry.fail(name, f"{variant!r} is none of {', '.join(VARIANTS)}")
    return found


def _names(entry: Entry, key: str) -> dict[str, str | None]:
    generations = entry.string("generations", "BC")
    names: dict[str, str | None] = {letter: key if letter in generations else None for letter in "ABC"}
    for letter, name in entry.mapping("names").items():
        if letter not in names:
            raise entry.fail("names", f"{letter!r} is none of the generations A, B, C")
        names[str(letter)] = str(name)
    return names


def _verl(entry: Entry) -> tuple[tuple[str, str], ...]:
    value: Any = entry.fields.get("verl", [])
    if isinstance(value, str):
        return (("", value),)
    pairs: list[tuple[str, str]] = []
    for item in entry.sequence("verl"):
        if isinstance(item, str):
            pairs.append(("", item))
            continue
        part = Entry(f"{entry.where}: verl", item, ("versions", "key"))
        spec = part.string("versions")
        try:
            version_clauses(spec)
        except ValueError as error:
            raise part.fail("versions", str(error)) from error
        pairs.append((spec, part.string("key")))
    return tuple(pairs)


def _conditions(entry: Entry, section: str) -> tuple[Condition, ...]:
    conditions: list[Condition] = []
    for item in entry.sequence("effective_when"):
        part = Entry(f"{entry.where}: effective_when", item, ("key", "values", "backend"))
        key = part.string("key")
        # A first-level parameter that hangs on a key of a section does so only while that back end is used.
        block = key.partition(".")[0]
        home = block if "." in key and not section and block in SECTIONS else ""
        conditions.append(Condition(key, part.sequence("values"), part.one_of("backend", SECTIONS, home)))
    return tuple(conditions)


def _texts(entry: Entry, name: str, allowed: tuple[str, ...] | None = None) -> dict[Any, Text]:
    texts: dict[Any, Text] = {}
    for key, value in entry.mapping(name).items():
        if allowed is not None and key not in allowed:
            raise entry.fail(name, f"{key!r} is none of {', '.join(allowed)}")
        texts[key] = entry.both(f"{name}: {key}", value)
    return texts
