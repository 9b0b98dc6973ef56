"""One file under check: each parameter it sets, wherever and under whatever name it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from ..catalogue import Catalogue, Edit, Level, Parameter, Problem, load_catalogue, validate_value
from ..document import Document
from ..native import AGENTSDK_VERL, NEWEST_VERL
from ..native.generation import GENERATION_A, Generation, generation_of, judged_generation, knows
from .world import World

SECTION_NAMES = ("mindspeed_rl", "verl")
_WORDS = frozenset(("misprint-value", "not-a-choice"))


@dataclass(frozen=True, slots=True)
class Found:
    """A parameter that the file sets.

    Attributes:
        parameter: what it is.
        key: the dotted key as it stands in the file; it differs from the parameter's where the name is another one
            (``alias``) or it stands at the wrong level (``misplaced``).
    """

    parameter: Parameter
    key: str
    value: Any
    alias: str | None = None
    misplaced: bool = False


class Case:
    """What the checks ask about. ``found`` maps a parameter's own key to what the file says about it."""

    def __init__(self, document: Document, world: World, target: str, *, validate: bool = True) -> None:
        self.document = document
        self.world = world
        self.target = target
        self.catalogue: Catalogue = load_catalogue()
        self.generation: Generation = judged_generation(document.values, target, world.backend_version)
        self.verl_version = world.verl_version or (AGENTSDK_VERL if target == "agentsdk" else NEWEST_VERL)
        self.found: dict[str, Found] = {}
        self.unknown: list[str] = []
        self.repeated: list[Found] = []
        self._of_generation: dict[str, Parameter] = {}  # of the older ones, whose keys differ from the catalogue's
        if self.generation != "C":
            self._of_generation = {self.proper_key(p): p for p in self.catalogue.parameters.values() if self._knows(p)}
        self._read()
        self.backend = self._backend()
        self.broken: set[str] = set()  # parameters whose value is an error; relations leave them alone
        self.value_problems: list[Problem] = []
        if validate:
            self._validate()

    # What the file says.

    def sections(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The first level ("") and each section that is a mapping."""
        yield "", self.document.values
        for name in SECTION_NAMES:
            section = self.document.values.get(name)
            if isinstance(section, Mapping):
                yield name, cast("Mapping[str, Any]", section)

    def used(self, key: str) -> bool:
        """Whether a parameter belongs to the first level or to the section of the back end that will run."""
        section = key.partition(".")[0]
        return section not in SECTION_NAMES or section == self.backend

    def read(self, key: str) -> bool:
        """Whether the software looks at the parameter at all: AgentSDK validates the unused section too."""
        return self.target == "agentsdk" or self.used(key)

    def value(self, key: str) -> Any:
        """The value that counts: the file's, else the software's default."""
        found = self.found.get(key)
        return found.value if found is not None else self.catalogue.parameters[key].default.value

    def number(self, key: str) -> int | None:
        """A positive integer that is no error in itself; None otherwise, and then no relation is judged with it."""
        value = self.value(key)
        if key in self.broken or not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            return None
        return value

    def file_key(self, key: str) -> str:
        """The key under which the file sets a parameter; the generation's own where it does not."""
        found = self.found.get(key)
        return found.key if found is not None else self.proper_key(self.catalogue.parameters[key])

    def proper_key(self, parameter: Parameter) -> str:
        """The key that this generation of AgentSDK reads a parameter from."""
        return parameter.name_in(self.generation[0]) or parameter.key

    # Problems with their place.

    def problem(
        self,
        level: Level,
        code: str,
        key: str,
        params: Mapping[str, Any] | None = None,
        edits: tuple[Edit, ...] = (),
        related: tuple[str, ...] = (),
        at: str = "value",
    ) -> Problem:
        """A problem at a key of the file, at its value or (``at="key"``) at its name."""
        place = self.document.place(key)
        line, column = place.line, place.column
        if at == "value" and key in self.document.places and place.value_line:
            line, column = place.value_line, place.value_column
        return Problem(level, code, key, line, column, dict(params or {}), edits, related)

    # How it is made.

    def _read(self) -> None:
        if self.generation == "A":
            self._read_generation_a()
            return
        for section, values in self.sections():
            for name, value in values.items():
                if not section and name in SECTION_NAMES:
                    continue
                key = f"{section}.{name}" if section else name
                resolved = self._resolve(key)
                if resolved is not None:
                    self._note(Found(resolved[0], key, value, resolved[1]))
                else:
                    self.unknown.append(key)
        for key in list(self.unknown):
            section, _, name = key.rpartition(".")
            parameter = self._meant(name, section)
            if parameter is not None and parameter.key not in self.found:
                self.unknown.remove(key)
                self._note(Found(parameter, key, self.document.get(key), None, misplaced=True))

    def _knows(self, parameter: Parameter) -> bool:
        return knows(self.generation, parameter.name, parameter.names)

    def _resolve(self, key: str) -> tuple[Parameter, str | None] | None:
        """The parameter at that very place in this generation, and the other name it bears there."""
        if self.generation == "C":
            return self.catalogue.resolve(key)
        found = self._of_generation.get(key)
        if found is not None:
            return found, None
        resolved = self.catalogue.resolve(key)
        if resolved is None or self.proper_key(resolved[0]).rpartition(".")[0] != key.rpartition(".")[0]:
            return None
        return resolved if self._knows(resolved[0]) else None

    def _read_generation_a(self) -> None:
        for name, value in self.document.values.items():
            if name in GENERATION_A:
                parameter = self.catalogue.find(name) if name != "data_path" else None
                parameter = parameter or self.catalogue.parameters["mindspeed_rl.data_path"]
                self._note(Found(parameter, name, value))
            else:
                self.unknown.append(name)

    def _note(self, found: Found) -> None:
        if found.parameter.key not in self.found:
            self.found[found.parameter.key] = found
        elif found.alias is None and self.found[found.parameter.key].alias is not None:
            self.repeated.append(self.found[found.parameter.key])
            self.found[found.parameter.key] = found
        else:
            self.repeated.append(found)

    def _meant(self, name: str, section: str) -> Parameter | None:
        """The parameter of that very name (or alias) at another level; of two, that of the back end in use."""
        exact = [p for p in self.catalogue.elsewhere(name, section) if name == p.name or name in p.aliases]
        if self.generation != "C":
            moved = self._of_generation.values()
            exact = [p for p in exact if self._knows(p)]
            exact += [p for p in moved if p.name == name and self.proper_key(p).rpartition(".")[0] != section]
        backend = self.document.values.get("train_backend")
        preferred = [p for p in exact if p.section in ("", backend)]
        return (preferred or exact or [None])[0]

    def _backend(self) -> str:
        value = self.document.values.get("train_backend")
        if self.generation == "A" or generation_of(self.document.values) == "A":
            return "mindspeed_rl"
        if isinstance(value, str) and value in SECTION_NAMES:
            return value
        present = [name for name in SECTION_NAMES if name in self.document.values]
        return present[0] if len(present) == 1 else "verl"

    def _unread(self, parameter: Parameter) -> bool:
        """Whether verl, started directly, will never compare the word with those it knows (AgentSDK's schema does)."""
        return self.target != "agentsdk" and any(
            condition.backend in ("", self.backend) and self.value(condition.key) not in condition.values
            for condition in parameter.effective_when
        )

    def _validate(self) -> None:
        for key, found in self.found.items():
            if not self.read(key):
                continue
            for problem in validate_value(found.parameter, found.value, self.backend):
                edits = tuple(replace(edit, key=found.key) for edit in problem.edits)
                level = "warning" if problem.code in _WORDS and self._unread(found.parameter) else problem.level
                code = problem.code
                if self.generation == "A" and code == "undocumented-pattern":
                    level, code = "error", "bad-pattern"  # 7.3.0 enforces what later releases only write down
                elif self.generation in ("B", "B+") and (key, code) == ("model_name", "undocumented-choice"):
                    level, code = "error", "not-a-choice"  # the other presets came with 26.0.0
                self.value_problems.append(self.problem(level, code, found.key, problem.params, edits))
                if level == "error":
                    self.broken.add(key)
