"""AgentSDK parameters -> verl overrides of one version, with a note for whatever does not carry over as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..catalogue import Catalogue, Parameter
from ..document.model import Document
from ..native import Handed, agentsdk_constants, agentsdk_parameters, converted, is_declared
from ..native.hydra_text import override, with_references
from .plan import Note, Text


@dataclass(slots=True)
class Overrides:
    """Ordered verl overrides; a later ``put`` of a key wins. Keys no version declares are refused by name."""

    version: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    added: set[str] = field(default_factory=set[str])
    notes: list[Note] = field(default_factory=list[Note])
    engine: str = "fsdp"  # whose configuration is composed
    extra: frozenset[str] = frozenset()  # keys that only the configuration of the chosen trainer declares
    own_names: bool = False  # the file holds verl's own keys: notes name those

    def put(self, key: str, value: Any) -> bool:
        """Set a key if this verl declares it; tell whether it does."""
        if not is_declared(key, self.version, self.engine) and key not in self.extra:
            return False
        self.values[key] = value
        return True

    def native(self, key: str, value: Any, *, added: bool = False) -> None:
        """Set a key of verl's own as a person wrote it; with ``+`` where they wrote one or no engine declares it."""
        known = is_declared(key, self.version) or is_declared(key, self.version, "megatron") or "." not in key
        known = known or key in self.extra
        self.values[key] = with_references(value)
        if added or not known:
            self.added.add(key)

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


def put_constants(overrides: Overrides) -> None:
    """Apply what agentic_rl hands to verl beside the user's parameters, as far as this version knows it."""
    for key, value in agentsdk_constants(overrides.version):
        overrides.put(key, value)


def put_parameters(overrides: Overrides, document: Document, catalogue: Catalogue, base: Path) -> None:
    """Map every first-level and ``verl:`` parameter; an absent one counts with the software's default."""
    for handed in agentsdk_parameters(document.values, catalogue, overrides.version):
        put_parameter(overrides, handed, base)


def put_parameter(overrides: Overrides, handed: Handed, base: Path) -> None:
    """Put one parameter under each key it has in this version; note when it has none."""
    parameter = handed.parameter
    if not handed.keys:
        if handed.given and parameter.verl:
            overrides.note("ignored", parameter.key, _NO_KEY)
        elif handed.given and parameter.name not in _SELECTS:
            overrides.note("ignored", parameter.key, _NOT_FOR_VERL)
        return
    for key in handed.keys:
        overrides.put(key, convert(parameter, handed.value, base))


def convert(parameter: Parameter, value: Any, base: Path) -> Any:
    """The value as verl takes it: mapped words, absolute paths, floats for float parameters."""
    if parameter.kind == "path" and isinstance(value, str):
        return absolute(value, base)
    return converted(parameter, value)


def absolute(value: str, base: Path) -> str:
    """Absolute form of a path, relative ones from ``base``; a hub name (``org/model``) that is no local path stays."""
    path = Path(value).expanduser()
    if path.is_absolute():
        return str(path)
    local = base / path
    return str(local) if value.startswith(".") or local.exists() else value


_SELECTS = frozenset({"train_backend", "use_tensorboard"})  # they choose the back end and a logger
_NO_KEY: Text = {
    "en": "this version of verl has no such setting; the value is not passed on",
    "zh": "该版本的 verl 没有这项设置，取值不会传递",
}
_NOT_FOR_VERL: Text = {
    "en": "verl has no setting for it; under AgentSDK only its agent wrapper or MindSpeed-RL reads it",
    "zh": "verl 没有对应的设置；在 AgentSDK 中只有智能体 wrapper 或 MindSpeed-RL 会读取它",
}
