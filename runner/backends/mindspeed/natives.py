"""A configuration of MindSpeed-RL in the making: native keys, only those that the version knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ...catalogue.yaml_text import string_text, yaml_text
from ...native.mindspeed_keys import mindspeed_keys, mindspeed_table
from ..plan import Note, Text

_HEAD = ("defaults", "model", "megatron_training", "actor_config", "ref_config", "reward_config", "critic_config")
_UNTYPED = ("actor_resource", "reference_resource", "reward_resource", "critic_resource", "vit_resource")


@dataclass(slots=True)
class Natives:
    """Ordered native keys (dotted); ``installed`` (class -> names) overrules the table of the version."""

    version: str
    installed: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[Note] = field(default_factory=list[Note])

    def knows(self, key: str) -> bool:
        """Whether the config classes take a key; what stands below a mapping of theirs is left to them."""
        found = mindspeed_table(key)
        if found is None:
            return True
        table, name = found
        head = name.partition(".")[0].replace("-", "_")
        if head == "model" or head in _UNTYPED:
            return True
        if self.installed.get(table):
            return head in self.installed[table]
        return (table, head) in mindspeed_keys(self.version)

    def put(self, key: str, value: Any) -> bool:
        """Set a key if this version knows it; tell whether it does."""
        if not self.knows(key):
            return False
        self.values[key] = value
        return True

    def note(self, kind: str, key: str, text: Text) -> None:
        """Remember a remark for the plan."""
        self.notes.append(Note(cast("Any", kind), key, text))

    def training(self, name: str, default: Any = None) -> Any:
        """A training value of the actor in force: its own section, else the shared one."""
        for section in ("actor_config", "megatron_training"):
            if f"{section}.{name}" in self.values:
                return self.values[f"{section}.{name}"]
        return default

    def place(self, name: str) -> str:
        """The key under which a training value of the actor stands, or would stand."""
        shared = f"megatron_training.{name}"
        return shared if shared in self.values and f"actor_config.{name}" not in self.values else f"actor_config.{name}"

    def text(self, header: tuple[str, ...] = ()) -> str:
        """The file as YAML that Hydra composes; sections in the order of MindSpeed-RL's own files."""
        root = nested(self.values)
        names = [name for name in _HEAD if name in root] + [name for name in root if name not in _HEAD]
        lines = [f"# {line}" for line in header]
        lines += _lines({name: root[name] for name in names})
        return "\n".join([*lines, ""])


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as nested mappings."""
    root: dict[str, Any] = {}
    for key, value in values.items():
        node, parts = root, key.split(".")
        for part in parts[:-1]:
            inner = node.setdefault(part, {})
            node = cast("dict[str, Any]", inner) if isinstance(inner, dict) else node
        node[parts[-1]] = value
    return root


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield f"{string_text(name)}:"
            yield from (f"  {line}" for line in _lines(cast("Mapping[str, Any]", value)))
        else:
            yield f"{string_text(name)}: {yaml_text(value)}"
