"""What is asked of a back end, and the facts it may use; handed over by cli and wizard as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .plan import Note

if TYPE_CHECKING:
    from .mindspeed.facts import MindSpeedFacts
    from .rehearsal import Rehearsal

Device = Literal["npu", "gpu", "cpu"]


@dataclass(frozen=True, slots=True)
class CheckpointState:
    """What lies in a checkpoint directory: the last complete step (0: none) and the number of ranks that wrote it."""

    step: int = 0
    world_size: int | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Request:
    """How and where to start.

    Attributes:
        device: where verl trains; ``cpu`` uses the plugin in ``inside``.
        verl_version: version of verl in the training interpreter.
        python: the training interpreter.
        base: folder of the configuration file; relative paths in it start there, so that the file means the same
            wherever the command is given.
        workdir: directory in which the command was given; checkpoints go below it (document 000).
        run_dir: the run directory (may not exist yet).
        inside: folder that holds the package ``agentic_rl_inside``.
        rows: rows of the training data, when known; with it the number of steps is known beforehand.
        checkpoint: what lies in the checkpoint directory; None when it was not looked at.
        experiment: overrides the experiment's name (``--fresh``), else "".
        ray_address: the cluster to join, as ``--ray-address`` gives it, else "".
        ray_token: variables with which a cluster that asks for a token is joined; empty where there is none.
        devices: accelerators to use, as ``--devices`` gives them; "" is all.
        backend: the back end that was chosen, a name of registry.py.
        backend_version: its version, "" when it is not known.
        program: what starts it: the path of an executable, or of a folder (MindSpeed-RL's repository).
        environment: the variables that the training would inherit.
        notes: what is to be told about the choice.
        verl_source: folder of verl's repository with ``recipe/``, "" where it is not at hand.
        script_environment: what sourcing CANN's scripts changes: variable -> (value, script).
        mindspeed: what only a plan for MindSpeed-RL asks for.
        rehearsal: the model that stands in on a CPU; None where the file's own model is trained.
    """

    device: Device
    verl_version: str
    python: str
    base: Path
    workdir: Path
    run_dir: Path
    inside: Path
    rows: int | None = None
    checkpoint: CheckpointState | None = None
    experiment: str = ""
    devices: str = ""
    ray_address: str = ""
    rehearsal: Rehearsal | None = None
    ray_token: Mapping[str, str] = field(default_factory=dict[str, str])
    backend: str = "verl"
    backend_version: str = ""
    program: str = ""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[Note, ...] = ()
    verl_source: str = ""
    script_environment: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, "tuple[str, str]"])
    mindspeed: MindSpeedFacts | None = None
