"""What a wrapper is judged against, and the form of a finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...catalogue import Level

if TYPE_CHECKING:
    from ...facts.training import TrainingFacts
    from ...facts.wrapper import WrapperFacts

CONSTRUCTOR = (
    *("agent_name", "tokenizer", "sampling_params", "max_prompt_length", "max_response_length"),
    *("n_parallel_agents", "max_steps"),
)
"""The keywords with which every generation from 26.0.0 on makes the wrapper (facts/agentsdk.md 4)."""

GENERATE = "generate_agent_trajectories_async"


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the wrapper will run.

    Attributes:
        facts: its source.
        target: what starts the training; "" when no configuration says so.
        generation: of AgentSDK, A to C; "" when it is not known.
        backend: ``verl`` or ``mindspeed_rl``; "" when it is not known.
        keys: ``dataset_additional_keys``; None when it is not known.
        stepwise: ``use_stepwise_advantage``; None when it is not known.
        training: the interpreter that was asked about the modules.
    """

    facts: WrapperFacts
    target: str = ""
    generation: str = ""
    backend: str = ""
    keys: tuple[str, ...] | None = None
    stepwise: bool | None = None
    training: TrainingFacts | None = None

    @property
    def file(self) -> str:
        """The file's name."""
        return PurePath(self.facts.path).name

    def place(self, line: int, file: str = "") -> str:
        """``file:line``, as every message begins."""
        name = file or self.file
        return f"{name}:{line}" if line else name

    @property
    def sdk(self) -> bool:
        """Whether AgentSDK itself will load the file."""
        return self.target == "agentsdk"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A finding in the wrapper; ``params`` hold ``place`` and what the texts need."""

    level: Level
    code: str
    line: int
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    related: tuple[str, ...] = ()


def mistake(
    setting: Setting, level: Level, code: str, line: int, file: str = "", related: tuple[str, ...] = (), **params: Any
) -> Mistake:
    """A finding at a line of the wrapper (or of a module beside it)."""
    return Mistake(level, code, line, {"place": setting.place(line, file), **params}, related)
