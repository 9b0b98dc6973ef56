"""Which catalogue describes a document, and how its parameters' keys stand in the file; told by the file's shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ...runner.catalogue.ascendfactory import PREFIX
from . import rooms

if TYPE_CHECKING:
    from ...runner.catalogue import Catalogue
    from ...runner.catalogue.parameter import Parameter
    from ...runner.native.shape import Shape
    from ..i18n import Language


@dataclass(frozen=True, slots=True)
class Family:
    """The catalogue of a file and the way its keys are written there.

    Attributes:
        name: ``agentsdk``, ``verl`` (native trees and AscendFactory's files), or "": no catalogue describes the file.
        shape: shape of the file (`runner.check.shape_of`).
        variant: variant of document 004 whose needs count; "" when it is not known.
    """

    name: Literal["agentsdk", "verl", ""]
    shape: Shape
    variant: str = ""

    @property
    def catalogue(self) -> Catalogue | None:
        """The catalogue; read when it is asked for, since verl's costs as much again as AgentSDK's."""
        return rooms.catalogue(self.name) if self.name else None

    @property
    def prefix(self) -> str:
        """What stands before the keys of the catalogue in the file."""
        return PREFIX if self.shape == "ascendfactory" else ""

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the catalogue that the file may hold, each with its key as the file has it."""
        return _written(self)

    def resolve(self, key: str) -> tuple[Parameter, str] | None:
        """The parameter at a key of the file and its proper key there; None where the catalogue knows none."""
        catalogue = self.catalogue
        if catalogue is None:
            return None
        bare = key.removeprefix(self.prefix)
        found = catalogue.resolve(bare)
        if found is None:
            return None
        proper = self._proper(found[0])
        here = proper == key if found[1] is None else key.startswith(self.prefix)  # not beside backend_config
        return (found[0], proper) if here else None

    def file_key(self, key: str) -> str:
        """A key of the catalogue as the file has it."""
        catalogue = self.catalogue
        parameter = catalogue.parameters.get(key) if catalogue is not None else None
        return self._proper(parameter) if parameter is not None else key

    def new(self, key: str, text: str, language: Language) -> rooms.New:
        """How a key is added to the text: with its comment, at the place that the catalogue's order gives it."""
        if not self.name:
            return rooms.NOTHING_NEW
        lines = {line.strip() for line in text.splitlines()}
        comment = rooms.comment_for(key, self.name, self.prefix, language)
        if comment and all(f"# {line}" in lines for line in comment):
            comment = []  # left there when the key was taken out
        if self.name == "agentsdk":
            return rooms.New(comment)
        section = key.rpartition(".")[0]
        inside = [one.key for one in self.parameters() if not section or one.key.startswith(f"{section}.")]
        names = [one[len(section) + 1 if section else 0 :].partition(".")[0] for one in inside]
        return rooms.New(comment, tuple(dict.fromkeys(names)))

    def _proper(self, parameter: Parameter) -> str:
        return parameter.file_key("ascendfactory") if self.shape == "ascendfactory" else parameter.key


@lru_cache(maxsize=16)
def _written(family: Family) -> tuple[Parameter, ...]:
    """The parameters with the keys of the file; those that document 004 asks of the variant are required."""
    catalogue = family.catalogue
    if catalogue is None:
        return ()
    if family.name == "agentsdk":
        return tuple(catalogue.parameters.values())
    return tuple(
        replace(
            one,
            key=family.file_key(one.key),
            required=family.shape == "ascendfactory" and one.needed_in(family.variant),
        )
        for one in catalogue.parameters.values()
        if one.verl or family.shape == "ascendfactory"  # af_output_dir is no key of verl
    )


def family_of(values: Mapping[str, Any], template: str = "") -> Family:
    """The family of a document by its values.

    A file of AgentSDK alone is recognised by its own keys, without loading the room of checks before the first picture.
    """
    own = rooms.catalogue().parameters
    if all(key in own or key in ("verl", "mindspeed_rl") for key in values):
        return Family("agentsdk", "agentsdk")
    shape, back_end = rooms.shape_of(values)
    if shape == "agentsdk":
        return Family("agentsdk", "agentsdk")
    if back_end == "verl":
        return Family("verl", shape, rooms.variant(template))
    return Family("", shape)
