"""The file that agentic_rl gets: a person's file in the dialect of the installed generation, and nothing else.

Its schema forbids unknown keys and other types than its own, its loader reads ``1e-6`` as a text, and its file check
refuses relative paths and links (facts/agentsdk.md 1.2, 1.4); what is written here passes all of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ...catalogue import Catalogue, Parameter
from ...catalogue.yaml_text import yaml_text
from ...document.model import Document
from ...native.generation import GENERATION_A, RELEASES, Generation, generation_named, generation_of, knows
from ..errors import PlanError
from ..plan import Note
from ..said import said

SECTIONS = ("mindspeed_rl", "verl")
LARGEST = 1 << 20  # bytes of a configuration that agentic_rl reads
LONGEST_PATH = 1024  # characters
_ILLEGAL = re.compile(r"[^0-9A-Za-z_./-]")


@dataclass(slots=True)
class Resolved:
    """The text, and what became of the file's keys on the way."""

    text: str = ""
    notes: list[Note] = field(default_factory=list[Note])


def generation_for(document: Document, version: str) -> Generation:
    """The dialect to write: that of the installed version, else that of the file.

    Raises:
        PlanError: ``agentsdk-other-start``: the version has no ``agentic_rl --config-path``.
    """
    shown = generation_of(document.values)
    named = generation_named(version) or ("A" if shown == "A" else "C")
    if named in ("D", "E"):
        raise PlanError("agentsdk-other-start", {"version": version}, exit_code=2)
    # A pre-release bears the number of its release; the file of one that lives there shows which it is.
    return shown if named in ("B", "B+") and shown in ("B", "B+") else named


def resolve(
    document: Document, catalogue: Catalogue, generation: Generation, base: Path, changes: Mapping[str, Any]
) -> Resolved:
    """Write the file.

    Args:
        document: the file as it was checked.
        catalogue: AgentSDK's parameters.
        generation: the dialect.
        base: folder in which relative paths of the file start.
        changes: catalogue keys whose value the plan replaces (``--fresh``: the experiment's name).

    Raises:
        PlanError: ``agentsdk-backend``: 7.3.0 trains with MindSpeed-RL alone; ``agentsdk-path``: a path that its file
            check refuses and that has no other spelling; ``agentsdk-size``: more than 1 MiB.
    """
    if generation == "A" and document.get("train_backend") == "verl":
        raise PlanError("agentsdk-backend", {"version": RELEASES["A"]}, exit_code=2, key="train_backend")
    resolved = Resolved()
    found = _found(document, catalogue, generation, resolved.notes)
    for key, value in changes.items():
        found[key] = (catalogue.parameters[key], value)
    if generation == "A":
        _complete(found, catalogue)
    lines: dict[str, list[str]] = {name: [] for name in ("", *SECTIONS)}
    for parameter in catalogue.parameters.values():
        if parameter.key not in found:
            continue
        value = found[parameter.key][1]
        if parameter.kind == "path" and isinstance(value, str):
            value = _real(parameter.key, value, base, resolved.notes)
        section, _, name = name_in(parameter, generation).rpartition(".")
        lines[section].append(f"{name}: {yaml_text(value)}")
    told = document.path.name if document.path is not None else "-"
    text = [f"# Written by agentic-rl from {told} for AgentSDK {RELEASES[generation]}; change that file, not this one."]
    text += lines[""]
    for section in SECTIONS:
        if lines[section]:
            text += [f"{section}:", *(f"  {line}" for line in lines[section])]
    resolved.text = "\n".join(text) + "\n"
    if len(resolved.text.encode()) > LARGEST:
        raise PlanError("agentsdk-size", {"bytes": len(resolved.text.encode()), "limit": LARGEST}, exit_code=2)
    return resolved


def name_in(parameter: Parameter, generation: Generation) -> str:
    """The dotted key that a generation reads a parameter from; B+ has what B has, and its own under C's names."""
    name = parameter.name_in(generation[0]) or parameter.key
    return name.rpartition(".")[2] if generation == "A" else name


def _found(
    document: Document, catalogue: Catalogue, generation: Generation, notes: list[Note]
) -> dict[str, tuple[Parameter, Any]]:
    """Parameter key -> the parameter and its value in the file; notes tell of what has another name or no place."""
    found: dict[str, tuple[Parameter, Any]] = {}
    named: dict[str, str] = {}
    for key, value in _keys(document.values):
        parameter = _parameter(catalogue, key)
        if parameter is None or not _known(parameter, generation) or not _has_place(parameter, generation, document):
            notes.append(Note("ignored", key, said("agentsdk-unknown", release=RELEASES[generation])))
            continue
        other = key.rpartition(".")[2] != parameter.name
        if parameter.key in found and other:
            continue  # its own name counts beside a documented one
        found[parameter.key] = (parameter, value)
        named[parameter.key] = key
    for own, key in named.items():
        written = name_in(catalogue.parameters[own], generation)
        if written != key:
            notes.append(Note("info", key, said("agentsdk-renamed", name=written)))
    return found


def _keys(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if name in SECTIONS and isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", deep) for inner, deep in cast("Mapping[str, Any]", value).items())
        elif name not in SECTIONS:
            yield name, value


def _parameter(catalogue: Catalogue, key: str) -> Parameter | None:
    """The parameter that a key of any generation means."""
    resolved = catalogue.resolve(key)
    if resolved is not None:
        return resolved[0]
    if "." not in key and key in GENERATION_A:
        return catalogue.parameters.get(f"mindspeed_rl.{key}")
    older = (p for p in catalogue.parameters.values() if p.name_in("B") == key)
    return next(older, None)


def _known(parameter: Parameter, generation: Generation) -> bool:
    if generation == "A":
        return parameter.name in GENERATION_A
    return generation == "C" or knows(generation, parameter.name, parameter.names)


def _has_place(parameter: Parameter, generation: Generation, document: Document) -> bool:
    """Whether the section that would hold the key is in the file: a new one would be refused for what it lacks."""
    section = name_in(parameter, generation).rpartition(".")[0]
    return not section or section in (parameter.section, document.get("train_backend"))


def _complete(found: dict[str, tuple[Parameter, Any]], catalogue: Catalogue) -> None:
    """7.3.0 had no defaults: each of its seven keys must stand in the file."""
    for parameter in catalogue.parameters.values():
        wanted = parameter.name in GENERATION_A and parameter.section != "verl"
        if wanted and parameter.key not in found and parameter.default.software_known:
            found[parameter.key] = (parameter, parameter.default.software)


def _real(key: str, value: str, base: Path, notes: list[Note]) -> str:
    """The absolute path without a link; whether it exists was checked."""
    real = os.path.realpath(base / Path(value).expanduser())
    check_path(real, key)
    if real != os.path.normpath(value):
        notes.append(Note("info", key, said("agentsdk-real", path=real)))
    return real


def check_path(path: str, key: str = "") -> None:
    """Refuse a path that AgentSDK's file check would refuse for its text.

    Raises:
        PlanError: ``agentsdk-path``.
    """
    bad = sorted(set(_ILLEGAL.findall(path)))
    if bad or ".." in path or len(path) > LONGEST_PATH:
        wrong = " ".join(repr(c) if c.isspace() else c for c in bad) or (".." if ".." in path else str(len(path)))
        raise PlanError("agentsdk-path", {"path": path, "wrong": wrong}, exit_code=2, key=key)
