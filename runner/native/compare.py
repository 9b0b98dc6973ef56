"""Two configurations compared by parameter, defaults resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ..catalogue import load_catalogue
from ..document import Document
from .agentsdk import value_in
from .flat import leaves, same_value
from .settings import Settings
from .verl_keys import default_of, verl_keys


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of a key in one configuration.

    ``given`` is False for a default, ``known`` is False where none is known; ``follows`` is the key whose value a
    default repeats.
    """

    value: Any = None
    given: bool = False
    known: bool = True
    follows: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose value differs; ``same_in_effect`` where one side says what is the default of the other anyway."""

    key: str
    left: Setting
    right: Setting

    @property
    def same_in_effect(self) -> bool:
        """Whether both mean the same value, or repeat the value of a key that is told anyway."""
        if self.left.follows and self.left.follows == self.right.follows:
            return True
        return self.left.known and self.right.known and same_value(self.left.value, self.right.value)


def parameters_of(document: Document) -> dict[str, Setting]:
    """Every parameter of an AgentSDK file, absent ones with the software's default, and its unknown keys."""
    found: dict[str, Setting] = {}
    catalogue = load_catalogue()
    for parameter in catalogue.parameters.values():
        given, value = value_in(document.values, parameter)
        found[parameter.key] = Setting(value, given, given or parameter.default.software_known)
    for section in ("", "verl", "mindspeed_rl"):
        values: Any = document.get(section) if section else document.values
        for name, value in cast("Mapping[Any, Any]", values).items() if isinstance(values, Mapping) else ():
            key = f"{section}.{name}" if section else str(name)
            if key not in ("verl", "mindspeed_rl") and catalogue.resolve(key) is None:
                found[key] = Setting(value, True)
    return found


def keys_of(settings: Settings, version: str) -> dict[str, Setting]:
    """Every verl key: what the settings say, else the declared default; an interpolated default is followed once."""
    engine = "megatron" if settings.values.get("actor_rollout_ref.actor.strategy") == "megatron" else "fsdp"
    found = {key: Setting(default_of(key, version, engine), False) for key in verl_keys(version, engine)}
    for key, value in settings.values.items():
        if isinstance(value, Mapping) and value:
            found.update({inner: Setting(item, True) for inner, item in leaves(cast("Mapping[Any, Any]", value), key)})
        else:
            found[key] = Setting(value, key not in settings.constants)
    for key, value in settings.parameters.items():
        found[key] = Setting(value, True)
    return {key: _followed(setting, found) for key, setting in found.items()}


def differences(left: Mapping[str, Setting], right: Mapping[str, Setting]) -> Iterator[Difference]:
    """The keys that differ, in the order of the left side; keys that only one of them sets to its default included."""
    absent = Setting(known=False)
    for key in dict.fromkeys((*left, *right)):
        one, other = left.get(key, absent), right.get(key, absent)
        if not (one.given or other.given):
            if one.known and other.known and not same_value(one.value, other.value):
                yield Difference(key, one, other)  # two versions with two defaults
            continue
        if one.given != other.given or not same_value(one.value, other.value):
            yield Difference(key, one, other)


def _followed(setting: Setting, found: Mapping[str, Setting]) -> Setting:
    value = setting.value
    if not setting.given and isinstance(value, str) and value.startswith("${") and value.endswith("}"):
        name = value[2:-1].removeprefix("oc.select:").partition(",")[0].strip()
        if name in found and found[name].value != value:
            return Setting(found[name].value, False, follows=name)
    return setting
