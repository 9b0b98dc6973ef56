"""What a file says to verl, whatever its shape: an AgentSDK file, or verl's own tree (native or AscendFactory's)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, cast

from ..catalogue import Catalogue, load_catalogue
from ..catalogue.ascendfactory import OUTPUT
from ..document.model import Document
from ..native.settings import Settings, settings_of_tree
from ..native.shape import native_backend, shape_of
from ..native.tree import prefix_of
from ..native.verl_keys import default_of, is_declared
from .errors import PlanError
from .overrides import Overrides, absolute, put_constants, put_parameters
from .plan import Text


class Source(Protocol):
    """A file as the plan reads it."""

    @property
    def native(self) -> bool:
        """Whether the file holds verl's own keys."""
        ...

    def refuse(self) -> None:
        """Raise `PlanError` where verl alone can't run the file as it is meant."""
        ...

    def fill(self, overrides: Overrides, base: Path) -> None:
        """Put what the file says; relative paths count from ``base``."""
        ...

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment; ``experiment`` overrides the file's."""
        ...

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """Where verl keeps the checkpoints."""
        ...

    def train_file(self) -> str:
        """The training data, "" where it is no single file."""
        ...

    def keys(self) -> tuple[str, ...]:
        """Verl's own keys that the file holds; none where it holds parameters of another software."""
        ...

    def devices(self) -> int:
        """Devices a machine that it asks for."""
        ...


def source_of(document: Document) -> Source:
    """The right kind of source for a file's shape."""
    native = native_backend(document.values) or shape_of(document.values) == "ascendfactory"
    return NativeSource(document) if native else AgentSource(document)


class AgentSource:
    """An AgentSDK file: its parameters, under the constants that AgentSDK's own adapter sets."""

    native = False

    def __init__(self, document: Document) -> None:
        self.document = document
        self.catalogue: Catalogue = load_catalogue()

    def refuse(self) -> None:
        """Another back end: verl alone would train something else."""
        if self.document.get("train_backend") == "mindspeed_rl":
            raise PlanError("mindspeed-not-verl", key="train_backend")

    def fill(self, overrides: Overrides, base: Path) -> None:
        """What AgentSDK's adapter hands over."""
        put_constants(overrides)
        put_parameters(overrides, self.document, self.catalogue, base)

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment."""
        project = self.document.get("verl.project_name", "default-agent")
        return str(project), experiment or str(self.document.get("verl.experiment_name", "default-experiment"))

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """``checkpoints/<project>/<experiment>`` under the working directory (document 000, resume)."""
        del base
        project, name = self.names(experiment)
        return workdir / "checkpoints" / project / name

    def keys(self) -> tuple[str, ...]:
        """None: an AgentSDK file holds no key of verl's."""
        return ()

    def train_file(self) -> str:
        """The training data."""
        return str(self.document.get("verl.train_files", ""))

    def devices(self) -> int:
        """Devices a machine."""
        return int(self.document.get("num_gpus_per_node", 8))


class NativeSource:
    """verl's own tree: every key as it stands, no constants beside them."""

    native = True

    def __init__(self, document: Document) -> None:
        self.document = document
        self.settings: Settings = settings_of_tree(document)
        self.values: dict[str, Any] = self.settings.values
        self.prefix = prefix_of(document)

    def refuse(self) -> None:
        """Keys of another software."""
        if native_backend(self.document.values) == "mindspeed-rl":
            raise PlanError("mindspeed-not-verl")

    def fill(self, overrides: Overrides, base: Path) -> None:
        """Every key of the tree."""
        overrides.own_names = True
        for key, value in self.values.items():
            if key.startswith("~") or value == {}:
                continue
            overrides.native(key, _absolute_paths(key, value, base), added=key in self.settings.added)
        for name in self.settings.parameters:
            overrides.note("ignored", name, _NOT_VERL)

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment."""
        project = self.values.get("trainer.project_name", "verl_examples")
        return str(project), experiment or str(self.values.get("trainer.experiment_name", "gsm8k"))

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """``trainer.default_local_dir`` where the file sets it, else below ``af_output_dir``, else as verl does."""
        project, name = self.names(experiment)
        given = self.values.get("trainer.default_local_dir")
        if isinstance(given, str) and "${" not in given:
            found = Path(absolute(given, base)) if given.startswith((".", "/", "~")) else workdir / given
            return found if not experiment else found.with_name(f"{found.name}-{experiment.rpartition('-')[2]}")
        if self.settings.output:
            output = base / Path(self.settings.output).expanduser()
            model = self.document.get("af_model_name")
            if isinstance(model, str) and model:  # where AscendFactory keeps them: the next start may be either's
                return output / "".join(
                    (f"checkpoint_{model}", f"-{experiment.rpartition('-')[2]}" if experiment else "")
                )
            return output / "checkpoints" / project / name
        return workdir / "checkpoints" / project / name

    def keys(self) -> tuple[str, ...]:
        """Every key of the tree."""
        return tuple(self.values)

    def train_file(self) -> str:
        """The training data, "" for a list."""
        value = self.values.get("data.train_files", "")
        return value if isinstance(value, str) else ""

    def devices(self) -> int:
        """Devices a machine."""
        value = self.values.get("trainer.n_gpus_per_node", 8)
        return value if isinstance(value, int) else 8


def _has_megatron_keys(overrides: Overrides) -> bool:
    return any(key.startswith(_MEGATRON) for key in overrides.values)


_MEGATRON = ("actor_rollout_ref.actor.megatron.", "actor_rollout_ref.ref.megatron.")


def on_megatron(overrides: Overrides) -> bool:
    """Whether the configuration must be the one for Megatron, and not verl's own choice (FSDP).

    A launch script may choose it by ``--config-name`` alone: then its keys tell, which FSDP's does not declare.
    """
    strategy = overrides.values.get("actor_rollout_ref.actor.strategy")
    if strategy is None and "model_engine" not in overrides.values and _has_megatron_keys(overrides):
        strategy = "megatron"
    declared = not is_declared("actor_rollout_ref.actor.megatron.tensor_model_parallel_size", overrides.version)
    return strategy == "megatron" and declared


def value_of(overrides: Overrides, key: str) -> Any:
    """A value in force: what is put, else the declared default."""
    if key in overrides.values:
        return overrides.values[key]
    try:
        return default_of(key, overrides.version)
    except KeyError:
        return None


def _absolute_paths(key: str, value: Any, base: Path) -> Any:
    """Paths of the catalogue's path keys made absolute; hub names and other systems' paths (``hdfs://``) stay."""
    parameter = load_catalogue("verl").parameters.get(key)
    if parameter is None or parameter.kind != "path" or key == OUTPUT:
        return value
    if isinstance(value, list):
        return [_absolute_paths(key, item, base) for item in cast("list[Any]", value)]
    if not isinstance(value, str) or "${" in value or "://" in value:
        return value
    return absolute(value, base)


_NOT_VERL: Text = {
    "en": "stands beside verl's own tree; verl does not read it",
    "zh": "位于 verl 配置树之外，verl 不会读取",
}
