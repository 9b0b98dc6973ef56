"""What a file asks of MindSpeed-RL, before anything is planned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...document.model import Document
from ...native.mindspeed_agentsdk import DEVICES
from ...native.shape import native_backend
from ...native.tree import prefix_of
from ..errors import PlanError

_PLACES = ("actor_config", "megatron_training")


class MindSpeedFile:
    """An AgentSDK file with ``mindspeed_rl:``, MindSpeed-RL's own file, or AscendFactory's with its tree."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.own = native_backend(document.values) == "mindspeed-rl"

    def refuse(self) -> None:
        """An agent wrapper: MindSpeed-RL alone would train something else."""
        wrapper = self.document.get("agent_engine_wrapper_path")
        if not self.own and isinstance(wrapper, str) and wrapper:
            raise PlanError("mindspeed-wrapper", {"path": wrapper}, key="agent_engine_wrapper_path")

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment: MindSpeed-RL names them only for W&B, else the file's name does."""
        project = str(self.value("rl_config.wandb_project") or "mindspeed-rl") if self.own else "mindspeed-rl"
        stem = self.document.path.stem if self.document.path is not None else "configuration"
        given = self.value("rl_config.wandb_exp_name") if self.own else None
        return project, experiment or str(given or stem)

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """Where it saves; a relative path of its own files counts from the repository's root, given as ``base``."""
        given = self.save()
        if not given:
            return workdir
        found = base / Path(given).expanduser()
        number = experiment.rpartition("-")[2]
        return found.with_name(f"{found.name}-{number}") if number.isdecimal() else found

    def train_file(self) -> str:
        """The training data: the prefix of packed files, or what AgentSDK reads."""
        return self._text("mindspeed_rl.data_path", "data_path")

    def save(self) -> str:
        """The directory of the checkpoints as the file writes it, "" where it names none."""
        return self._text("mindspeed_rl.save_params_path", "save")

    def devices(self) -> int:
        """Devices that it asks for."""
        value = self.value(DEVICES) if self.own else self.document.get("num_gpus_per_node", 8)
        return value if isinstance(value, int) else 8

    def value(self, key: str) -> Any:
        """A native key of the file, whatever its shape; None where it does not hold it."""
        full = prefix_of(self.document) + key
        return self.document.values.get(full, self.document.get(full))

    def _text(self, agentsdk: str, name: str) -> str:
        if not self.own:
            value = self.document.get(agentsdk)
        else:
            value = next((found for place in _PLACES if (found := self.value(f"{place}.{name}")) is not None), "")
        return value if isinstance(value, str) else ""
