"""The facts a check may use, handed over by cli and wizard as values; every one of them may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..facts.checkpoints import CheckpointFacts
    from ..facts.dataset import DatasetFacts
    from ..facts.machine import Machine
    from ..facts.megatron import MegatronFacts
    from ..facts.model import ModelFacts
    from ..facts.paths import PathFacts
    from ..facts.training import DataFacts, TrainingFacts
    from ..facts.wrapper import WrapperFacts


@dataclass(frozen=True, slots=True)
class World:
    """What is known beside the file itself.

    Attributes:
        config: the configuration file as AgentSDK's file check sees it.
        paths: dotted key -> what lies at the path it holds.
        data: dotted key -> what the data file it names holds.
        machine: the machine it will run on, or a profile of one.
        model: shape of the model that is trained, from its config.json, a preset or a profile.
        dataset: the training data, from the data file or a profile.
        checkpoint: the checkpoint that a run would go on from, or what a profile says of one.
        weights: dotted key as it stands in the file -> the Megatron weights in the directory it names.
        wrapper: what the source of the agent wrapper holds; None when there is none, or it was not looked at.
        training: the training interpreter, where it was asked about the modules that the wrapper imports.
        verl_declared: engine (``fsdp``, ``megatron``) -> keys with their defaults, as the installed verl's packaged
            configuration declares them; None leaves it to the table of known versions.
        backend_version: version of AgentSDK (or MindSpeed-RL); "" is the newest known.
        verl_version: version of verl; "" is 0.5.0 under AgentSDK and 0.9.1 started directly.
    """

    config: PathFacts | None = None
    paths: Mapping[str, PathFacts] = field(default_factory=dict[str, "PathFacts"])
    data: Mapping[str, DataFacts] = field(default_factory=dict[str, "DataFacts"])
    machine: Machine | None = None
    model: ModelFacts | None = None
    dataset: DatasetFacts | None = None
    checkpoint: CheckpointFacts | None = None
    weights: Mapping[str, MegatronFacts] = field(default_factory=dict[str, "MegatronFacts"])
    wrapper: WrapperFacts | None = None
    training: TrainingFacts | None = None
    verl_declared: Mapping[str, Mapping[str, Any]] | None = None
    backend_version: str = ""
    verl_version: str = ""
