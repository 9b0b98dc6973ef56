"""JSON Schema (draft-07) of a target's files, made from the catalogue: editors complete and check with it.

It never refuses what the software takes: ranges and choices are those of the software, and where verl (OmegaConf) would
resolve an interpolation, a text ``${...}`` passes. What only the documents forbid is left to `agentic-rl check`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .ascendfactory import OUTPUT, TREE
from .catalogue import Catalogue
from .load import load_catalogue
from .parameter import Parameter, Range
from .problem import Language
from .verl_table import MANDATORY, verl_table

Schema = dict[str, Any]

SCHEMA_TARGETS = ("agentsdk", "ascendfactory", "verl")
DRAFT = "http://json-schema.org/draft-07/schema#"
_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string", "path": "string", "list": "array"}
_INTERPOLATION: Schema = {"type": "string", "pattern": r"\$\{.+\}"}


def json_schema(target: str, lang: Language = "en", verl_version: str = "") -> Schema:
    """The schema of a target's files.

    Args:
        target: one of `SCHEMA_TARGETS`.
        lang: language of titles and descriptions.
        verl_version: known verl version whose keys are allowed (``ascendfactory``, ``verl``).

    Raises:
        KeyError: there is no schema for the target.
    """
    if target == "agentsdk":
        body = _agentsdk(load_catalogue(), lang)
    elif target in SCHEMA_TARGETS:
        tree = _tree(load_catalogue("verl"), lang, verl_version)
        body = tree if target == "verl" else _ascendfactory(load_catalogue("verl"), tree, lang)
    else:
        raise KeyError(target)
    return {"$schema": DRAFT, "title": f"agentic-rl: {target}", **body}


def _agentsdk(catalogue: Catalogue, lang: Language) -> Schema:
    sections: dict[str, Schema] = {}
    for section in ("", "verl", "mindspeed_rl"):
        properties: Schema = {}
        required: list[str] = []
        for parameter in catalogue.section(section):
            shown = _parameter(parameter, lang, loose=False)
            properties[parameter.name] = shown
            for alias in parameter.aliases:
                note = {"en": f"Another name of {parameter.name}.", "zh": f"{parameter.name} 的另一名称。"}[lang]
                properties[alias] = {**shown, "description": note, "deprecationMessage": note, "deprecated": True}
            if parameter.required:
                required.append(parameter.name)
        sections[section] = {"type": "object", "properties": properties, "additionalProperties": False}
        if section and required:
            sections[section]["required"] = required
    first = sections.pop("")
    first["properties"].update(sections)
    return first


def _ascendfactory(catalogue: Catalogue, tree: Schema, lang: Language) -> Schema:
    output = catalogue.parameters[OUTPUT]
    properties = {OUTPUT: _parameter(output, lang, loose=False), TREE: tree}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": True}


def _tree(catalogue: Catalogue, lang: Language, version: str) -> Schema:
    """Nested objects of every key that the version declares, described where the catalogue knows it."""
    root: Schema = {}
    known = {key: parameter for key, parameter in catalogue.parameters.items() if key != OUTPUT}
    declared = {
        key: spans for key, spans in verl_table().items() if any(not version or span.covers(version) for span in spans)
    }
    for key in dict.fromkeys((*known, *declared)):
        if key in known:
            leaf = _parameter(known[key], lang, loose=True)
        else:
            leaf = _default(declared[key][-1].default)
        _put(root, key.split("."), leaf)
    return _objects(root)


def _put(root: Schema, parts: Iterable[str], leaf: Schema) -> None:
    *parents, name = parts
    node = root
    for parent in parents:
        inner = node.setdefault(parent, {})
        if "\0leaf" in inner:
            inner.pop("\0leaf")  # declared as an empty mapping, and filled below
        node = inner
    if name not in node:
        node[name] = {"\0leaf": leaf}


def _objects(node: Mapping[str, Any]) -> Schema:
    if "\0leaf" in node:
        return node["\0leaf"]
    # Mappings such as engine_kwargs take keys that nobody declares: completion helps, and nothing is refused here.
    properties = {name: _objects(inner) for name, inner in node.items()}
    return {"type": "object", "properties": properties, "additionalProperties": True}


def _default(value: Any) -> Schema:
    return {} if value == MANDATORY else {"default": value}


def _parameter(parameter: Parameter, lang: Language, *, loose: bool) -> Schema:
    kind: Schema = {"type": _TYPES[parameter.kind]}
    span = _accepted(parameter)
    if span is not None:
        kind |= _bounds(span)
    choices = _choices(parameter)
    if choices and parameter.kind == "list":
        kind["items"] = {"enum": choices}
    elif choices:
        kind = {"enum": choices}
    elif parameter.kind == "list" and parameter.items:
        kind["items"] = {"type": _TYPES[parameter.items]}
    elif parameter.software_pattern:
        kind["pattern"] = rf"^(?:{parameter.software_pattern})$"
    forms = [kind]
    if span is not None and span.extra:
        forms.append({"enum": list(span.extra)})
    if parameter.one_or_many:
        forms.append({"type": "array", "items": kind} if parameter.kind != "list" else {"type": "string"})
    if parameter.nullable or loose:
        forms.append({"type": "null"})
    if loose:
        forms.append(_INTERPOLATION)
    shown: Schema = forms[0] if len(forms) == 1 else {"anyOf": forms}
    shown = {"title": parameter.title[lang], "description": _description(parameter, lang), **shown}
    if parameter.default.document_known or parameter.default.software_known:
        shown["default"] = parameter.default.value
    return shown


def _accepted(parameter: Parameter) -> Range | None:
    """What the software takes; where only the documents name a range, they are not the ones who refuse."""
    if parameter.family == "verl":
        return parameter.software_range
    return parameter.software_range or parameter.range


def _choices(parameter: Parameter) -> list[Any]:
    if parameter.open_choices or parameter.choices_backend or (parameter.family == "verl" and not parameter.choices):
        return []
    choices = dict.fromkeys((*parameter.choices, *parameter.software_choices, *parameter.value_map.values()))
    return list(choices) if parameter.family == "agentsdk" else []


def _bounds(span: Range) -> Schema:
    found: Schema = {}
    for name, value, is_open in (("minimum", span.low, span.low_open), ("maximum", span.high, span.high_open)):
        if value is None or math.isinf(value):
            continue
        found[f"exclusive{name.capitalize()}" if is_open else name] = value
    return found


def _description(parameter: Parameter, lang: Language) -> str:
    lines = [parameter.help[lang], parameter.constraint[lang], *[note[lang] for note in parameter.notes]]
    return "\n\n".join(line for line in lines if line)
