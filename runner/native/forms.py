"""verl's settings written in another form, with a report of what each key became.

The AgentSDK form knows fewer keys than verl, and its launcher sets some itself: those are kept in comment lines
(`settings.kept_line`) and named, so that a way back gives every key its value again.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ..catalogue import Catalogue, Parameter, load_catalogue, validate_value
from ..catalogue.ascendfactory import OUTPUT, TREE
from ..catalogue.versions import version_holds
from ..catalogue.yaml_text import string_text, yaml_text
from ..document import parse_document
from .agentsdk import agentsdk_constants, converted
from .flat import same_value
from .hydra_text import override, with_references
from .settings import MAIN_PPO, Settings, kept_line, settings_of_agentsdk
from .verl_keys import default_of, is_declared, verl_keys
from .verl_moves import is_open

Form = Literal["agentsdk", "ascendfactory", "verl", "verl-overrides"]
FORMS: tuple[Form, ...] = ("agentsdk", "ascendfactory", "verl", "verl-overrides")
OUTPUT_PLACEHOLDER = "/path/to/output"

Reason = Literal["no-parameter", "refused-value", "launcher-sets", "not-verl", "undeclared", "unknown", "not-obeyed"]


@dataclass(slots=True)
class Converted:
    """A configuration in its new form.

    Attributes:
        text: the file.
        kept: key -> why the form can't express it; it stands in a comment line of the file.
        noted: key -> a remark about a key that was carried over.
        missing: keys that the new form needs and the source does not have.
    """

    text: str = ""
    kept: dict[str, Reason] = field(default_factory=dict[str, Reason])
    noted: dict[str, Reason] = field(default_factory=dict[str, Reason])
    missing: list[str] = field(default_factory=list[str])


def to_form(
    settings: Settings, form: Form, version: str, header: Iterable[str] = (), titles: Callable[[str], str] | None = None
) -> Converted:
    """Write settings in a form.

    Args:
        settings: what verl is told.
        form: the form wanted.
        version: known verl version whose keys are meant.
        header: comment lines at the top, without ``#``.
        titles: comment for a key (dotted, as in the file); "" for none.
    """
    top = [f"# {line}".rstrip() for line in header]
    if form == "agentsdk":
        return _agentsdk(settings, version, top, titles or _no_title)
    found = Converted()
    kept = dict(settings.parameters)
    if form != "ascendfactory" and settings.output:
        kept[OUTPUT] = settings.output
    found.kept = dict.fromkeys(kept, "not-verl")
    notes = [kept_line(key, value) for key, value in kept.items()]
    values: dict[str, Any] = {}
    for key, value in settings.values.items():
        known = is_declared(key, version, "megatron") or is_declared(key, version)
        signed = form != "verl-overrides" and not known and key in settings.added and not _takes_anything(key, version)
        if not known and (signed or form == "verl-overrides"):
            found.noted[key] = "undeclared"
        elif not known and not _takes_anything(key, version):
            found.noted[key] = "unknown"  # a slip, or a key of another version: no + that would hide it
        values[f"+{key}" if signed else key] = value
    if form == "verl-overrides":
        found.text = _script(settings, version, [*top, *notes])
        return found
    body = _tree(_nested(values), TREE if form == "ascendfactory" else "", titles or _no_title)
    if form == "ascendfactory":
        output = settings.output or OUTPUT_PLACEHOLDER
        if not settings.output:
            found.missing.append(OUTPUT)
        body = [f"{OUTPUT}: {yaml_text(output)}", f"{TREE}:", *[f"  {line}" for line in body]]
    found.text = "\n".join([*top, *body, *notes]) + "\n"
    return found


def _takes_anything(key: str, version: str) -> bool:
    """Whether a tree needs no ``+`` for an undeclared key, because it stands in a mapping that takes anything."""
    if is_open(key):
        return True
    parent = key.rpartition(".")[0]
    while parent:
        for engine in ("fsdp", "megatron"):
            if parent in verl_keys(version, engine):
                return default_of(parent, version, engine) in (None, {})
        parent = parent.rpartition(".")[0]
    return False


def _script(settings: Settings, version: str, top: list[str]) -> str:
    lines: list[str] = []
    for key, value in settings.values.items():
        declared = is_declared(key, version) or is_declared(key, version, "megatron")
        text = override(key, with_references(value), declared=declared and key not in settings.added)
        lines.append(f"    {shlex.quote(text)}")
    command = f"python3 -m {settings.module}" if not settings.module.endswith(".py") else f"python3 {settings.module}"
    launch = " \\\n".join([command, *lines, '    "$@"'])
    return "\n".join(["#!/usr/bin/env bash", *top, "set -euo pipefail", "", launch]) + "\n"


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as nested mappings; a key below one that holds a value stays dotted."""
    root: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith("+"):
            root[key] = value  # Hydra's sign is read at the start of a whole key
            continue
        node, parts = root, key.split(".")
        while len(parts) > 1:
            inner = node.setdefault(parts[0], {})
            if not isinstance(inner, dict):
                break
            node, parts = cast("dict[str, Any]", inner), parts[1:]
        node[".".join(parts)] = value
    return root


def _tree(values: Mapping[str, Any], prefix: str, titles: Callable[[str], str]) -> list[str]:
    lines: list[str] = []
    for name, value in values.items():
        key = f"{prefix}.{name}" if prefix else name
        title = titles(key)
        if title:
            lines.append(f"# {title}")
        if isinstance(value, Mapping) and value:
            lines.append(f"{string_text(name)}:")
            lines += [f"  {line}" for line in _tree(cast("Mapping[str, Any]", value), key, titles)]
        else:
            lines.append(f"{string_text(name)}: {yaml_text(value)}")
    return lines


def _agentsdk(settings: Settings, version: str, top: list[str], titles: Callable[[str], str]) -> Converted:
    found, catalogue = Converted(), load_catalogue()
    constants = dict(agentsdk_constants(version))
    chosen: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    if settings.module != MAIN_PPO:
        found.noted[settings.module] = "launcher-sets"
    for key, value in settings.values.items():
        parameter = _parameter(catalogue, key, version)
        if parameter is None or not _one_value(parameter, settings, version):
            if key in constants and same_value(constants[key], value):
                continue  # its launcher says so anyway
            kept[key] = value
            found.kept[key] = "launcher-sets" if key in constants else "no-parameter"
            continue
        if any(problem.level == "error" for problem in validate_value(parameter, value, "verl")):
            kept[key], found.kept[key] = value, "refused-value"
            continue
        if "agentsdk/verl" in parameter.without_effect:
            found.noted[key] = "not-obeyed"
        chosen.setdefault(parameter.key, value)
    _unsaid(catalogue, settings, version, constants, chosen)
    for key, value in settings.parameters.items():
        chosen[key] = value  # it came from a file of this form
    if settings.output:
        kept[OUTPUT], found.kept[OUTPUT] = settings.output, "not-verl"
    chosen["train_backend"] = "verl"
    needed = [p for p in catalogue.parameters.values() if p.required and p.section in ("", "verl")]
    found.missing = [parameter.key for parameter in needed if parameter.key not in chosen]
    lines = [*top, *_sections(catalogue, chosen, titles)]
    # Read back: a key that AgentSDK would hand over with another value (one parameter for two keys) is kept as well.
    again = settings_of_agentsdk(parse_document("\n".join([*lines, ""])), version)
    for key, value in settings.values.items():
        if key not in kept and not same_value(again.values.get(key), value):
            kept[key], found.kept[key] = value, "launcher-sets"
    lines += [kept_line(key, value) for key, value in kept.items()]
    found.text = "\n".join([*lines, ""])
    return found


def _parameter(catalogue: Catalogue, key: str, version: str) -> Parameter | None:
    """The AgentSDK parameter that becomes a verl key; one of the ``verl:`` section where both levels have one."""
    candidates = catalogue.by_verl_key(key)
    now = [p for p, spec in candidates if version_holds(spec, version)] or [p for p, _ in candidates]
    return next((p for p in now if p.section == "verl"), now[0] if now else None)


def _one_value(parameter: Parameter, settings: Settings, version: str) -> bool:
    """Whether all the keys that a parameter becomes have one value in the source, given or by default."""
    found: list[Any] = []
    for key in parameter.verl_keys(version):
        if key in settings.values:
            found.append(settings.values[key])
        elif is_declared(key, version):
            found.append(default_of(key, version))
    return all(same_value(value, found[0]) for value in found[1:])


def _unsaid(
    catalogue: Catalogue, settings: Settings, version: str, constants: Mapping[str, Any], chosen: dict[str, Any]
) -> None:
    """Write out verl's default where the source leaves a key out and AgentSDK would set something else."""
    for parameter in catalogue.parameters.values():
        keys = parameter.verl_keys(version)
        if not keys or parameter.key in chosen or parameter.required or not parameter.default.software_known:
            continue
        if any(key in settings.values or key in constants or not is_declared(key, version) for key in keys):
            continue
        before = default_of(keys[0], version)
        unclear = before is None or (isinstance(before, str) and ("${" in before or before == "???"))
        if unclear or same_value(converted(parameter, parameter.default.value), before):
            continue
        if not any(problem.level == "error" for problem in validate_value(parameter, before, "verl")):
            chosen[parameter.key] = before


def _sections(catalogue: Catalogue, chosen: Mapping[str, Any], titles: Callable[[str], str]) -> list[str]:
    lines: list[str] = []
    for section in ("", "verl", "mindspeed_rl"):
        known = [parameter.key for parameter in catalogue.section(section) if parameter.key in chosen]
        others = [k for k in chosen if k not in catalogue.parameters and _section_of(k) == section]
        if section and (known or others):
            lines.append(f"{section}:")
        for key in (*known, *others):
            indent, name = ("  ", key.partition(".")[2]) if section else ("", key)
            title = titles(key)
            lines += [f"{indent}# {title}"] if title else []
            lines.append(f"{indent}{string_text(name)}: {yaml_text(chosen[key])}")
    return lines


def _section_of(key: str) -> str:
    first = key.partition(".")[0]
    return first if first in ("verl", "mindspeed_rl") and "." in key else ""


def _no_title(key: str) -> str:
    del key
    return ""
