"""One entry of the catalogue: everything known about one parameter, declared once (design 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["int", "float", "bool", "str", "path", "list"]
Text = Mapping[str, str]  # {"zh": ..., "en": ...}


@dataclass(frozen=True, slots=True)
class Range:
    """Allowed values of a number: bounds (None: open-ended), each with or without the bound itself."""

    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    extra: tuple[float, ...] = ()  # single values outside the bounds, e.g. -1 for "never"

    def holds(self, value: float) -> bool:
        """Tell whether ``value`` lies in the range (NaN never does)."""
        if value in self.extra:
            return True
        if value != value:
            return False
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return not (self.high is not None and (value > self.high or (self.high_open and value == self.high)))


@dataclass(frozen=True, slots=True)
class Default:
    """The default as documented and the default of the software; ``known`` is False where none is stated."""

    document: Any = None
    software: Any = None
    document_known: bool = False
    software_known: bool = False

    @property
    def differs(self) -> bool:
        """True where document and software disagree."""
        return self.document_known and self.software_known and self.document != self.software

    @property
    def value(self) -> Any:
        """What an absent key means: the software's default, else the documented one."""
        return self.software if self.software_known else self.document


@dataclass(frozen=True, slots=True)
class Condition:
    """The parameter takes effect only while the parameter ``key`` has one of ``values``."""

    key: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a configuration file.

    Attributes:
        key: dotted key in the file, e.g. ``lr`` or ``verl.train_files``; the name is the one the software takes.
        section: ``""`` (first level), ``verl`` or ``mindspeed_rl``.
        group: id of the group of fields it is shown in (see ``Catalogue.groups``).
        kind: type of the value; ``items`` is the kind of a list's items.
        choices: allowed values of a choice; empty when free.
        nullable: whether ``null`` is a legal value ("not provided").
        required: whether the software refuses a file without it.
        range: documented range; ``software_range``: what the software itself accepts, where it differs.
        default: documented and software default.
        unit: e.g. ``token``, ``step``, ``sample``; empty when none.
        title, help, constraint: texts in zh and en; ``constraint`` is the documented rule in our words.
        aliases: other names that documents or older software use -> note; accepted with a warning.
        names: name per AgentSDK generation ("A", "B", "C"); None where that generation lacks the parameter.
        value_map: documented value -> value that the software registers (``clip-cov`` -> ``clip_cov``).
        verl: dotted verl keys it becomes, as (version range, key) pairs; version range "" means every version.
        mindspeed_rl: MindSpeed-RL key it becomes, or "".
        effective_when: conditions that must all hold for the value to matter.
        without_effect: back end -> reason (zh, en) why the value is accepted and ignored there.
        path: for kind ``path``: what it must be (``file``, ``directory``, ``any``) and whether it must exist.
        source: document row it comes from, e.g. ``000 first level, row 12``; "" when only the software has it.
        notes: further remarks, zh and en.
    """

    key: str
    section: str
    group: str
    kind: Kind
    title: Text
    help: Text
    constraint: Text
    source: str
    items: Kind | None = None
    choices: tuple[Any, ...] = ()
    nullable: bool = False
    required: bool = False
    range: Range | None = None
    software_range: Range | None = None
    default: Default = field(default_factory=Default)
    unit: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    names: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    value_map: Mapping[Any, Any] = field(default_factory=dict[Any, Any])
    verl: tuple[tuple[str, str], ...] = ()
    mindspeed_rl: str = ""
    effective_when: tuple[Condition, ...] = ()
    without_effect: Mapping[str, Text] = field(default_factory=dict[str, Text])
    path: Literal["", "file", "directory", "any"] = ""
    pattern: str = ""
    notes: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        """Last part of the key."""
        return self.key.rpartition(".")[2]
