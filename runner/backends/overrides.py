"""AgentSDK parameters -> verl overrides of one version, with a note for whatever does not carry over as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from ..catalogue import Catalogue, Parameter
from ..catalogue.versions import version_holds
from ..document.model import Document
from .hydra_text import override
from .plan import Note, Text
from .verl_keys import is_declared


@dataclass(slots=True)
class Overrides:
    """Ordered verl overrides; a later ``put`` of a key wins. Keys no version declares are refused by name."""

    version: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    added: set[str] = field(default_factory=set[str])
    notes: list[Note] = field(default_factory=list[Note])

    def put(self, key: str, value: Any) -> bool:
        """Set a key if this verl declares it; tell whether it does."""
        if not is_declared(key, self.version):
            return False
        self.values[key] = value
        return True

    def add(self, key: str, value: Any) -> None:
        """Set a key that is passed with ``+`` where this verl does not declare it (a free-form mapping)."""
        if not self.put(key, value):
            self.values[key] = value
            self.added.add(key)

    def note(self, kind: str, key: str, text: Text) -> None:
        """Remember a remark for the plan."""
        self.notes.append(Note(cast("Any", kind), key, text))

    def argv(self) -> list[str]:
        """The override arguments, in order."""
        return [override(key, value, declared=key not in self.added) for key, value in self.values.items()]


@lru_cache(maxsize=1)
def launcher_data() -> Mapping[str, Any]:
    """The constants of AgentSDK's verl adapter (templates/backends/agentsdk_verl.yaml)."""
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "agentsdk_verl.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


def put_constants(overrides: Overrides) -> None:
    """Apply what agentic_rl hands to verl beside the user's parameters, as far as this version knows it."""
    for entry in cast("Iterable[Mapping[str, Any]]", launcher_data()["constants"]):
        if version_holds(str(entry.get("versions", "")), overrides.version):
            overrides.put(str(entry["key"]), entry["value"])


def put_parameters(overrides: Overrides, document: Document, catalogue: Catalogue, base: Path) -> None:
    """Map every first-level and ``verl:`` parameter; an absent one counts with the software's default.

    A value in the ``verl:`` section overrides a first-level one that becomes the same key (AgentSDK does so too).
    """
    for parameter in catalogue.parameters.values():
        if parameter.section not in ("", "verl"):
            continue
        given, value = value_in(document, parameter)
        if not given:
            if parameter.required or not parameter.default.software_known:
                continue
            value = parameter.default.value
        put_parameter(overrides, parameter, value, given, base)


def value_in(document: Document, parameter: Parameter) -> tuple[bool, Any]:
    """Whether the file sets the parameter, under its own name or an alias, and the value."""
    for name in (parameter.name, *parameter.aliases):
        key = f"{parameter.section}.{name}" if parameter.section else name
        if document.has(key):
            return True, document.get(key)
    return False, parameter.default.value


def put_parameter(overrides: Overrides, parameter: Parameter, value: Any, given: bool, base: Path) -> None:
    """Put one parameter under each key it has in this version; note when it has none."""
    keys = [key for spec, key in parameter.verl if version_holds(spec, overrides.version)]
    if not keys:
        if given and parameter.verl:
            overrides.note("ignored", parameter.key, _NO_KEY)
        elif given and parameter.name not in _SELECTS:
            overrides.note("ignored", parameter.key, _NOT_FOR_VERL)
        return
    for key in keys:
        overrides.put(key, convert(parameter, value, base))


def convert(parameter: Parameter, value: Any, base: Path) -> Any:
    """The value as verl takes it: mapped words, absolute paths, floats for float parameters."""
    if isinstance(value, list):
        return [convert_item(parameter, item) for item in cast("list[Any]", value)]
    if parameter.kind == "path" and isinstance(value, str):
        return absolute(value, base)
    if parameter.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return convert_item(parameter, value)


def convert_item(parameter: Parameter, value: Any) -> Any:
    """One scalar through the parameter's value map."""
    return parameter.value_map.get(value, value) if isinstance(value, str) else value


def absolute(value: str, base: Path) -> str:
    """Absolute form of a path, relative ones from ``base``; a hub name (``org/model``) that is no local path stays."""
    path = Path(value).expanduser()
    if path.is_absolute():
        return str(path)
    local = base / path
    return str(local) if value.startswith(".") or local.exists() else value


_SELECTS = frozenset({"train_backend"})
_NO_KEY: Text = {
    "en": "this version of verl has no such setting; the value is not passed on",
    "zh": "该版本的 verl 没有这项设置，取值不会传递",
}
_NOT_FOR_VERL: Text = {
    "en": "verl has no setting for it; under AgentSDK only its agent wrapper or MindSpeed-RL reads it",
    "zh": "verl 没有对应的设置；在 AgentSDK 中只有智能体 wrapper 或 MindSpeed-RL 会读取它",
}
