"""The catalogue: every parameter of every section, with the questions one asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .nearest import closest
from .parameter import Parameter, Text

SECTIONS = ("", "mindspeed_rl", "verl")  # in the order of the documents' tables


@dataclass(frozen=True, slots=True)
class Group:
    """A group of fields that belong together on the screen and in a template; it lies in one section."""

    id: str
    section: str
    title: Text
    help: Text


@dataclass(frozen=True, slots=True)
class Candidate:
    """A parameter that a wrong key may have meant; ``misplaced``: the name is right, its section is not."""

    parameter: Parameter
    misplaced: bool = False

    @property
    def key(self) -> str:
        """Dotted key of the parameter."""
        return self.parameter.key


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All parameters by dotted key, in the order of the documents, and the groups in the order of the screen.

    ``family`` is ``agentsdk`` or ``verl``; in the latter all keys and aliases are verl's dotted keys, in one section.
    """

    parameters: Mapping[str, Parameter]
    groups: Mapping[str, Group]
    family: str = "agentsdk"
    _aliases: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False)
    _names: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"], init=False, repr=False)

    def __post_init__(self) -> None:
        for parameter in self.parameters.values():
            prefix = f"{parameter.section}." if parameter.section else ""
            for alias in parameter.aliases:
                self._aliases[prefix + alias] = parameter.key
                self._names.setdefault(alias, []).append(parameter.key)
            self._names.setdefault(parameter.name, []).append(parameter.key)

    def section(self, name: str) -> list[Parameter]:
        """The parameters of a section: ``""`` (first level), ``verl`` or ``mindspeed_rl``."""
        return [parameter for parameter in self.parameters.values() if parameter.section == name]

    def group(self, name: str) -> list[Parameter]:
        """The parameters of a group, in the order of the documents."""
        return [parameter for parameter in self.parameters.values() if parameter.group == name]

    def resolve(self, key: str) -> tuple[Parameter, str | None] | None:
        """The parameter at a dotted key, and the alias that was used (None when it is its proper name).

        Returns None for a key that the catalogue does not know at this place.
        """
        parameter = self.parameters.get(key)
        if parameter is not None:
            return parameter, None
        target = self._aliases.get(key)
        if target is None:
            return None
        parameter = self.parameters[target]
        return parameter, key.removeprefix(f"{parameter.section}.") if parameter.section else key

    def find(self, name: str) -> Parameter | None:
        """The parameter that a name, a dotted key or an alias means; None when there is none.

        A name that stands in two sections (``adv_estimator``) means verl's; `find_all` gives both.
        """
        found = self.find_all(name)
        return (
            next((parameter for parameter in found if parameter.section != "mindspeed_rl"), found[0]) if found else None
        )

    def find_all(self, name: str) -> list[Parameter]:
        """Every parameter that a name, a dotted key or an alias may mean, whatever its section."""
        direct = self.resolve(name)
        if direct is not None:
            return [direct[0]]
        return [self.parameters[key] for key in self._names.get(name, [])]

    def elsewhere(self, name: str, section: str) -> list[Parameter]:
        """The parameters of that very name (or alias) in other sections than ``section``."""
        found = (self.parameters[key] for key in self._names.get(name, []))
        return [parameter for parameter in found if parameter.section != section]

    def nearest(self, name: str, section: str = "", limit: int = 3) -> list[Candidate]:
        """What an unknown name of ``section`` may have meant, the best first.

        A name that is right in another section comes first and is marked ``misplaced`` (document 000's samples lost
        their indentation); then names of the same section that are spelled alike; then those of other sections.
        """
        if self.family == "verl":
            return self._nearest_verl(name, limit)
        exact = self.elsewhere(name, section)
        if exact:
            return [Candidate(parameter, misplaced=True) for parameter in exact[:limit]]
        own = [key for key, parameter in self.parameters.items() if parameter.section == section]
        result = [Candidate(self.parameters[key]) for key in self._alike(name, own, limit)]
        if not result:
            others = [key for key, parameter in self.parameters.items() if parameter.section != section]
            result = [Candidate(self.parameters[key], misplaced=True) for key in self._alike(name, others, limit)]
        return result

    def _nearest_verl(self, name: str, limit: int) -> list[Candidate]:
        """A dotted key that is spelled alike; then keys whose last part is right and stands elsewhere."""
        last = name.rpartition(".")[2]
        alike = self._alike(name, list(self.parameters), limit) if len(name.strip()) > 1 else []  # n is like any letter
        result = [Candidate(self.parameters[key]) for key in alike]
        # Among keys of one name, those that share most parts with what was written come first.
        parts = set(name.split("."))
        elsewhere = [key for key in self._names.get(last, []) if key != name]
        elsewhere.sort(key=lambda key: -len(parts & set(key.split("."))))
        result += [Candidate(self.parameters[key], misplaced=True) for key in elsewhere]
        unique: dict[str, Candidate] = {}
        for candidate in result:
            unique.setdefault(candidate.key, candidate)
        return list(unique.values())[:limit]

    def _alike(self, name: str, keys: list[str], limit: int) -> list[str]:
        spelled: dict[str, str] = {}
        for key in keys:
            parameter = self.parameters[key]
            # verl's keys are mistyped in any of their parts; AgentSDK's are compared below their section.
            own = parameter.key if "." in name else parameter.name
            for word in (own, *parameter.aliases):
                spelled.setdefault(word, key)
        found: list[str] = []
        for word in closest(name, spelled, limit=limit * 2):
            if spelled[word] not in found:
                found.append(spelled[word])
        return found[:limit]

    def by_verl_key(self, key: str) -> list[tuple[Parameter, str]]:
        """The parameters that become this dotted verl key, each with the versions for which that holds."""
        return [
            (parameter, spec)
            for parameter in self.parameters.values()
            for spec, dotted in parameter.verl
            if dotted == key
        ]

    def by_mindspeed_rl_key(self, key: str) -> list[Parameter]:
        """The parameters that become this MindSpeed-RL key."""
        return [parameter for parameter in self.parameters.values() if key and parameter.mindspeed_rl == key]
