"""What a file of AgentSDK asks of agentic_rl: names, places and devices, of either training back end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...catalogue import load_catalogue
from ...document.model import Document
from ...native import value_in
from ..overrides import absolute


def trains_with(document: Document) -> str:
    """``verl`` or ``mindspeed_rl``; a file of 7.3.0 names none and means the latter (agentic_rl's own default)."""
    value: Any = document.get("train_backend")
    return "verl" if value == "verl" else "mindspeed_rl"


class AgentSdkSource:
    """Names, places and devices of one file."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.verl = trains_with(document) == "verl"

    def refuse(self) -> None:
        """agentic_rl starts what its checks let pass."""

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment; MindSpeed-RL has none: the agent and the model stand for them."""
        if self.verl:
            project, name = self._value("verl.project_name"), self._value("verl.experiment_name")
            return str(project), experiment or str(name)
        return str(self.document.get("agent_name", "agent")), experiment or str(
            self.document.get("model_name", "qwen2.5-7b")
        )

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """verl: ``checkpoints/<project>/<experiment>`` under the working directory; MindSpeed-RL: save_params_path."""
        if self.verl:
            project, name = self.names(experiment)
            return workdir / "checkpoints" / project / name
        saved = self._value("mindspeed_rl.save_params_path")
        return Path(absolute(saved, base)) if isinstance(saved, str) and saved else workdir

    def train_file(self) -> str:
        """The training data."""
        value = self._value("verl.train_files" if self.verl else "mindspeed_rl.data_path")
        return value if isinstance(value, str) else ""

    def devices(self) -> int:
        """Devices a machine."""
        return self._count("num_gpus_per_node", 8)

    def nodes(self) -> int:
        """Machines: ``verl.nnodes``, or num_node on MindSpeed-RL."""
        return self._count("verl.nnodes" if self.verl else "num_node", 1)

    def _count(self, key: str, default: int) -> int:
        value = self._value(key)
        return value if isinstance(value, int) and value > 0 else default

    def _value(self, key: str) -> Any:
        parameter = load_catalogue().parameters[key]
        given, value = value_in(self.document.values, parameter)
        if not given and parameter.name in self.document.values and parameter.section:
            return self.document.values[parameter.name]  # 7.3.0 had one level
        return value
