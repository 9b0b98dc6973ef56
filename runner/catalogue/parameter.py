"""One entry of the catalogue: everything known about one parameter, declared once (design 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .ascendfactory import PREFIX
from .versions import version_holds

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
    """The parameter takes effect only while the parameter ``key`` has one of ``values``.

    ``backend`` limits the condition to one training back end (``verl`` or ``mindspeed_rl``); "" is every one.
    """

    key: str
    values: tuple[Any, ...]
    backend: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a configuration file.

    Attributes:
        key: dotted key in the file, e.g. ``lr`` or ``verl.train_files``; the name is the one the software takes.
        section: ``""`` (first level), ``verl`` or ``mindspeed_rl``.
        group: id of the group of fields it is shown in (see ``Catalogue.groups``).
        kind: type of the value; ``items`` is the kind of a list's items.
        choices: documented values of a choice; empty when free.
        software_choices: what the software accepts, where that is more than is documented; empty where it is the same.
        choices_backend: the back end that reads the choices; on the other one any value passes. "" is both.
        nullable: whether ``null`` is a legal value ("not provided").
        required: whether the software (agentic_rl) refuses a file without it.
        optional_for: targets that start without it all the same (``verl``, ``local``).
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
        without_effect: launcher -> reason (zh, en) why the value is accepted and ignored there. Launchers:
            ``agentsdk/verl`` and ``agentsdk/mindspeed_rl`` (agentic_rl starts that back end), ``verl`` (verl started
            directly, on an accelerator or on this CPU). See ``ignored_by``.
        path: for kind ``path``: what the (existing) path must be: ``file``, ``directory`` or ``any``.
        pattern: regular expression the documents ask for; ``software_pattern``: the one the software needs.
        misprints: documented value that is a slip of the pen -> what is meant.
        harmful: legal value that is known to spoil training -> why.
        judge: who refuses a value outside the range when it is not AgentSDK's schema (``vLLM``).
        source: document row it comes from, e.g. ``000 first level, row 12`` or ``004, row 13``; "" when only the
            software has it.
        notes: further remarks, zh and en.
        family: ``agentsdk``, or ``verl`` for a key of verl's own configuration (`load_catalogue`).
        required_in: variants of document 004 (``ppo``, ``multi-turn`` ...) whose files must set the key.
        variants: variants that the document gives the key for; empty: any.
        example: the document's sample value, where it has one.
        one_or_many: whether one value and a list of them are both taken (``data.train_files``, ``trainer.logger``).
        open_choices: whether more words than ``choices`` may work: plug-ins register them, or nothing reads the value.
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
    software_choices: tuple[Any, ...] = ()
    choices_backend: str = ""
    optional_for: tuple[str, ...] = ()
    software_pattern: str = ""
    misprints: Mapping[Any, Any] = field(default_factory=dict[Any, Any])
    harmful: Mapping[Any, Text] = field(default_factory=dict[Any, Text])
    judge: str = ""
    family: Literal["agentsdk", "verl"] = "agentsdk"
    required_in: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    example: Any = None
    one_or_many: bool = False
    open_choices: bool = False

    @property
    def name(self) -> str:
        """Last part of the key."""
        return self.key.rpartition(".")[2]

    @property
    def documented(self) -> bool:
        """Whether the documents know the parameter; the others are known from the software alone."""
        return bool(self.source)

    def required_for(self, target: str) -> bool:
        """Whether a file for this target (``agentsdk``, ``verl``, ``local``) must hold the key."""
        return self.required and target not in self.optional_for

    def needed_in(self, variant: str) -> bool:
        """Whether document 004 says that a file of this variant must set the key (its mark 必修改)."""
        return self.required or variant in self.required_in

    def file_key(self, target: str) -> str:
        """The dotted key in a file for the target: AscendFactory's hold verl's keys below ``backend_config``."""
        nested = target == "ascendfactory" and self.family == "verl" and bool(self.verl)
        return f"{PREFIX}{self.key}" if nested else self.key

    def ignored_by(self, target: str, backend: str = "verl") -> Text | None:
        """Why the value is ignored when ``target`` starts ``backend``; None where it is not.

        Args:
            target: ``agentsdk`` (agentic_rl starts the back end), ``verl`` or ``local`` (verl started directly).
            backend: ``verl`` or ``mindspeed_rl``; read only for the target ``agentsdk``.
        """
        return self.without_effect.get(f"agentsdk/{backend}" if target == "agentsdk" else "verl")

    def verl_keys(self, version: str) -> tuple[str, ...]:
        """The dotted verl keys that this parameter becomes when verl of that version is started directly."""
        return tuple(key for spec, key in self.verl if version_holds(spec, version))

    def name_in(self, generation: str) -> str | None:
        """The dotted key that AgentSDK generation ``A``, ``B`` or ``C`` knows it by; None where it has none."""
        return self.names.get(generation)
