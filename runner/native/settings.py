"""verl's settings read from any form: an AgentSDK file, an AscendFactory file, a native tree, a launch script.

Nothing is lost on the way: what a form can't express travels in comment lines ``# agentic-rl: keep KEY=VALUE``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import yaml

from ..catalogue import load_catalogue
from ..catalogue.ascendfactory import OUTPUT, PREFIX, TREE
from ..catalogue.yaml_text import yaml_text
from ..document import Document
from .agentsdk import agentsdk_constants, agentsdk_parameters, converted
from .flat import leaves
from .script import Script
from .shape import shape_of
from .tree import tree_entries

MAIN_PPO = "verl.trainer.main_ppo"

Kind = Literal["unknown-variable", "command", "branch", "broken", "option", "deleted", "outside", "environment"]

_KEEP = re.compile(r"^[ \t]*#[ \t]*agentic-rl:[ \t]*keep[ \t]+(.+?)[ \t]*$", re.MULTILINE)


@dataclass(slots=True)
class Settings:
    """What verl is told.

    Attributes:
        values: verl key -> value, in the order of the source.
        added: keys that are passed with ``+`` because that verl does not declare them.
        parameters: AgentSDK parameters and other keys that are none of verl's (``agent_name``).
        module: the entry point.
        output: ``af_output_dir``, or "".
        constants: verl keys that AgentSDK's launcher sets without a word of the file.
        remarks: (kind, subject) of whatever was not followed or can't be carried over.
    """

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    added: set[str] = field(default_factory=set[str])
    parameters: dict[str, Any] = field(default_factory=dict[str, Any])
    module: str = MAIN_PPO
    output: str = ""
    constants: frozenset[str] = frozenset()
    remarks: list[tuple[Kind, str]] = field(default_factory=list[tuple[Kind, str]])

    def keep(self, key: str, value: Any, *, native: bool) -> None:
        """Take a key that the source's form could not express: one of verl's (``native``), or one of AgentSDK's."""
        if key == OUTPUT:
            self.output = str(value)
        elif native:
            self.values[key] = value
            self.constants -= {key}
        else:
            self.parameters[key] = value


def kept_lines(text: str) -> Iterator[tuple[str, Any]]:
    """The keys that an earlier conversion kept in comments, with their values."""
    for match in _KEEP.finditer(text):
        key, equals, value = match[1].partition("=")
        try:
            if equals and key.strip():
                yield key.strip(), yaml.safe_load(value)
        except yaml.YAMLError:
            continue  # edited by hand into something else: a comment like any other


def kept_line(key: str, value: Any) -> str:
    """The comment line that keeps a key; the value is YAML on one line."""
    return f"# agentic-rl: keep {key}={yaml_text(value)}"


def settings_of_agentsdk(document: Document, version: str) -> Settings:
    """What AgentSDK hands to verl from its file: constants, parameters and defaults of absent ones."""
    found = Settings()
    for key, value in agentsdk_constants(version):
        found.values[key] = value
    found.constants = frozenset(found.values)
    for handed in agentsdk_parameters(document.values, load_catalogue(), version):
        for key in handed.keys:
            found.values.pop(key, None)  # the place of the parameter, not that of the constant
            found.values[key] = converted(handed.parameter, handed.value)
            found.constants = found.constants - {key} if handed.given else found.constants | {key}
        if not handed.keys and handed.given:
            found.parameters[handed.parameter.key] = handed.value
    for section, values in (("", document.values), ("verl", document.get("verl")), ("mindspeed_rl", None)):
        for name, value in _pairs(values):
            key = f"{section}.{name}" if section else name
            if name not in ("verl", "mindspeed_rl") and load_catalogue().resolve(key) is None:
                found.parameters[key] = value
    for key, value in leaves({"mindspeed_rl": document.get("mindspeed_rl")}):
        if document.has("mindspeed_rl"):
            found.parameters[key] = value
    for key, value in kept_lines(document.text):
        found.keep(key, value, native=True)
    return found


def settings_of_tree(document: Document) -> Settings:
    """The settings of a native verl tree, of flat dotted keys, or of an AscendFactory file."""
    found = Settings()
    if shape_of(document.values) == "ascendfactory":
        found.output = str(document.get(OUTPUT, ""))
        for name, value in _pairs(document.values):
            if name not in (TREE, OUTPUT) and not name.startswith(PREFIX):
                found.parameters[name] = value
                found.remarks.append(("outside", name))
    for one in tree_entries(document):
        if one.sign == "~":
            found.remarks.append(("deleted", one.key))
            continue
        found.values[one.key] = one.value
        if one.sign:
            found.added.add(one.key)
    for key, value in kept_lines(document.text):
        found.keep(key, value, native=False)
    return found


def settings_of_script(script: Script, text: str = "") -> Settings:
    """The settings of a launch script; ``text`` is the script itself, whose kept keys are read too."""
    found = Settings(module=script.module or MAIN_PPO)
    for override in script.overrides:
        if override.mark == "~":
            found.values.pop(override.key, None)
            found.remarks.append(("deleted", override.key))
            continue
        found.values.pop(override.key, None)
        found.values[override.key] = override.value
        if override.mark:
            found.added.add(override.key)
    for key, value in kept_lines(text):
        found.keep(key, value, native=False)
    kinds: tuple[tuple[Kind, list[str]], ...] = (
        ("unknown-variable", script.unknown),
        ("command", script.commands),
        ("branch", list(script.branches)),
        ("broken", script.broken),
        ("option", script.options),
        ("environment", list(script.environment)),
    )
    for kind, subjects in kinds:
        found.remarks.extend((kind, subject) for subject in subjects)
    return found


def _pairs(values: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(values, Mapping):
        for name, value in cast("Mapping[Any, Any]", values).items():
            yield str(name), value
