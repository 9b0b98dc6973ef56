"""What AgentSDK makes of a file for verl: its own constants, then every parameter under verl's key.

Source: AgentSDK 26.0.0's verl adapter (facts/agentsdk.md 3.1); its constants: templates/backends/agentsdk_verl.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ..catalogue import Catalogue, Parameter
from ..catalogue.versions import version_holds

SECTIONS = ("", "verl")


@dataclass(frozen=True, slots=True)
class Handed:
    """One parameter as verl gets it.

    Attributes:
        parameter: what it is in the file.
        given: whether the file sets it; otherwise ``value`` is the software's default.
        value: as the file writes it (see `converted`).
        keys: the verl keys it becomes in this version; empty when it has none.
    """

    parameter: Parameter
    given: bool
    value: Any
    keys: tuple[str, ...]


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "agentsdk_verl.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def agentsdk_constants(version: str) -> Iterator[tuple[str, Any]]:
    """What agentic_rl hands to verl beside the user's parameters, as far as this version of verl knows it."""
    for entry in cast("Iterable[Mapping[str, Any]]", _data()["constants"]):
        if version_holds(str(entry.get("versions", "")), version):
            yield str(entry["key"]), entry["value"]


def agentsdk_parameters(values: Mapping[str, Any], catalogue: Catalogue, version: str) -> Iterator[Handed]:
    """Every first-level and ``verl:`` parameter, in the catalogue's order.

    An absent one counts with the software's default and is left out where none is known. A value in the ``verl:``
    section comes after, and so overrides, a first-level one that becomes the same key (AgentSDK does so too).
    """
    for parameter in catalogue.parameters.values():
        if parameter.section not in SECTIONS:
            continue
        if (counts := value_that_counts(values, parameter)) is not None:
            yield Handed(parameter, *counts, parameter.verl_keys(version))


def value_that_counts(values: Mapping[str, Any], parameter: Parameter) -> tuple[bool, Any] | None:
    """Whether the file sets the parameter, and the value that AgentSDK hands over: the file's, else the software's
    default; None where the file is silent and no default is known.
    """
    given, value = value_in(values, parameter)
    if given:
        return True, value
    return None if parameter.required or not parameter.default.software_known else (False, parameter.default.value)


def value_in(values: Mapping[str, Any], parameter: Parameter) -> tuple[bool, Any]:
    """Whether the file sets the parameter, under its own name or an alias, and the value (else the default)."""
    section: Any = values.get(parameter.section) if parameter.section else values
    if isinstance(section, Mapping):
        for name in (parameter.name, *parameter.aliases):
            if name in section:
                return True, cast("Any", section[name])
    return False, parameter.default.value


def converted(parameter: Parameter, value: Any) -> Any:
    """The value as verl takes it: mapped words, floats for float parameters; paths as they are."""
    if isinstance(value, list):
        return [_word(parameter, item) for item in cast("list[Any]", value)]
    if parameter.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # a whole number of hundreds of digits; the check of the value speaks of it
            return value
    return _word(parameter, value)


def _word(parameter: Parameter, value: Any) -> Any:
    return parameter.value_map.get(value, value) if isinstance(value, str) else value
