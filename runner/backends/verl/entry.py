"""Which of verl's trainers a file means, and how it is started in a version (templates/backends/verl_entries.yaml)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from ...catalogue.versions import version_holds
from ..errors import PlanError

MAIN = "verl.trainer.main_ppo"
_SEARCH = "hydra.searchpath=[pkg://verl.trainer.config]"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point.

    Attributes:
        name: ``one-step-off``, ``fully-async``, or "" for the ordinary trainer.
        module: what ``python -m`` starts.
        config: name of its configuration, ``megatron`` the one for that engine; "" leaves it to the module.
        keys: keys that only its configuration declares.
        settings: what it needs where the file says nothing.
        source: whether the module stands in verl's repository alone.
    """

    name: str = ""
    module: str = MAIN
    config: str = ""
    megatron: str = "ppo_megatron_trainer"
    keys: frozenset[str] = frozenset()
    settings: tuple[tuple[str, Any], ...] = ()
    source: bool = False

    def options(self, megatron: bool) -> list[str]:
        """What stands between the module and the overrides.

        Their configurations look for verl's own in the working directory; the package is where it really is.
        """
        if not self.name:
            return [f"--config-name={self.megatron}"] if megatron else []
        name = [f"--config-name={self.megatron}"] if megatron else []
        return [*name, _SEARCH]


def trainer_of(keys: Iterable[str]) -> tuple[str, str]:
    """(trainer, the key that told) of a file's keys; two empty texts for the ordinary one."""
    told = [key for key in keys if key.startswith(("rollout.", "async_training."))]
    if not told:
        return "", ""
    own = {"rollout.n", "rollout.total_rollout_steps", "rollout.total_epochs", "rollout.test_freq"}
    fully = next((key for key in told if key.startswith("async_training.") or key in own), "")
    return ("fully-async", fully) if fully else ("one-step-off", told[0])


def entry_of(keys: Iterable[str], version: str, *, device: str, has_source: bool, prefix: str = "") -> Entry:
    """The entry point that a file's keys ask for.

    Args:
        keys: verl's keys in the file.
        version: of verl.
        device: ``cpu`` is refused for those that separate training and rollout.
        has_source: whether verl's repository is on the module path.
        prefix: what stands before the keys in the file.

    Raises:
        PlanError: ``entry-point-cpu``, ``entry-point-absent``, ``entry-point-source``.
    """
    name, key = trainer_of(keys)
    if not name:
        return Entry()
    params: dict[str, Any] = {"keys": key, "trainer": name, "version": version}
    if device == "cpu":
        raise PlanError("entry-point-cpu", params, exit_code=2, key=prefix + key)
    data = _data()[name]
    modules = cast("list[Mapping[str, Any]]", data["modules"])
    found = next((m for m in modules if version_holds(str(m["versions"]), version)), None)
    if found is None:
        params["since"] = str(modules[0]["versions"]).partition(",")[0].removeprefix(">=")
        raise PlanError("entry-point-absent", params, key=prefix + key)
    source = bool(found.get("source"))
    if source and not has_source:
        raise PlanError("entry-point-source", {**params, "module": found["module"]}, key=prefix + key)
    declared = [
        str(one)
        for group in cast("list[Mapping[str, Any]]", data["keys"])
        if version_holds(str(group.get("versions", "")), version)
        for one in cast("list[str]", group["keys"])
    ]
    settings = tuple((str(s["key"]), s["value"]) for s in cast("list[Mapping[str, Any]]", data["settings"]))
    return Entry(
        name, str(found["module"]), str(data["config"]), str(data["megatron"]), frozenset(declared), settings, source
    )


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Mapping[str, Any]]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "verl_entries.yaml"
    return cast("Mapping[str, Mapping[str, Any]]", yaml.safe_load(path.read_text(encoding="utf-8")))
