"""What an AscendFactory file asks for: where it writes, which checkpoint it goes on from, how many machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...catalogue.ascendfactory import OUTPUT, PREFIX
from ...document.model import Document
from ...native.shape import native_backend
from ..overrides import absolute

MODEL_NAME = "af_model_name"


class FactorySource:
    """Names, places and devices of one file; ``below`` reads keys of the back end's own tree."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.verl = native_backend(document.values) != "mindspeed-rl"

    def refuse(self) -> None:
        """AscendFactory starts what its checks let pass."""

    def below(self, key: str, default: Any = None) -> Any:
        """A value of the tree below ``backend_config``; None counts as absent."""
        value: Any = self.document.get(PREFIX + key)
        return default if value is None else value

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment as the tree has them, else the model's name."""
        model = str(self.document.get(MODEL_NAME) or "ascendfactory")
        project = str(self.below("trainer.project_name", "ascendfactory"))
        return project, experiment or str(self.below("trainer.experiment_name", model))

    def output(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """``af_output_dir``; one of its own below the working directory where the file names none."""
        given: Any = self.document.get(OUTPUT)
        found = Path(absolute(given, base)) if isinstance(given, str) and given else workdir / "af_output"
        found = found if found.is_absolute() else base / found
        # A new experiment gets a folder beside it: the checkpoints' name is made from the model, not the experiment.
        return found if not experiment else found.with_name(f"{found.name}-{experiment.rpartition('-')[2]}")

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """Where the tree says, else ``<af_output_dir>/checkpoint_<af_model_name>`` (facts/agentsdk.md 7.2).

        The model's name may be known to AscendFactory alone: then the one folder of that form counts that is there,
        and without any the output folder stands for it.
        """
        output = self.output(workdir, base, experiment)
        given = self.below("trainer.default_local_dir" if self.verl else "actor_config.save")
        if isinstance(given, str) and "${" not in given and not experiment:
            found = Path(absolute(given, base))
            return found if found.is_absolute() else workdir / found
        name = self.document.get(MODEL_NAME)
        if isinstance(name, str) and name:
            return output / f"checkpoint_{name}"
        present = sorted(output.glob("checkpoint_*")) if output.is_dir() else []
        return present[0] if len(present) == 1 else output

    def train_file(self) -> str:
        """The training data, "" for a list."""
        value = self.below("data.train_files" if self.verl else "megatron_training.data_path", "")
        return value if isinstance(value, str) else ""

    def devices(self) -> int:
        """Devices a machine."""
        value = self.below("trainer.n_gpus_per_node" if self.verl else "rl_config.actor_resource.num_npus", 8)
        return value if isinstance(value, int) and value > 0 else 8

    def nodes(self) -> int:
        """Machines; MindSpeed-RL's files do not name them."""
        value = self.below("trainer.nnodes", 1) if self.verl else 1
        return value if isinstance(value, int) and value > 0 else 1
