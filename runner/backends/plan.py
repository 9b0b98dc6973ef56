"""The launch plan: exactly what would be started, before anything is (design 8, `agentic-rl plan`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Text = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Note:
    """A remark of the plan: a value that was scaled, dropped, or means something else there; texts in zh and en.

    ``before`` and ``after`` are the value in the file (or verl's default) and the one handed over, where a value
    was changed. ``info`` is what is worth knowing beside that; ``warning`` the part of it that `run` says too, before
    it starts.
    """

    kind: Literal["scaled", "ignored", "constant", "differs", "info", "warning"]
    key: str
    text: Text
    before: Any = None
    after: Any = None


@dataclass(frozen=True, slots=True)
class Resume:
    """What a start would do with earlier checkpoints of the same project and experiment."""

    mode: Literal["fresh", "resume"]
    directory: str
    step: int = 0
    reason: Text = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Plan:
    """What `run` hands to the supervisor.

    Attributes:
        backend: ``verl``, ``agentsdk``, ``mindspeed-rl``, ``ascendfactory``.
        backend_version: version of the back end the plan is made for.
        device: ``npu``, ``gpu`` or ``cpu``.
        argv: argument list; never a shell string.
        env: variables set on top of the supervisor's own environment.
        env_reasons: why each of them is set, with its source.
        unset: variables removed from it.
        cwd: absolute working directory of the training process.
        files: files the supervisor writes into the run directory before the start (relative path -> text).
        overrides: the verl keys and values behind ``argv`` (for display and diff).
        total_steps: steps the run will take, when known (for the progress display), else None.
        metrics_file: path (relative to the run directory) of verl's ``file`` logger, or "".
        checkpoint_dir: absolute directory of the checkpoints.
        device_stream: argument list of a process that prints what the device tools of all nodes of the cluster say
            (``agentic_rl_inside/cluster_devices.py``); () asks this machine's own tool.
        plain_paths: whether the back end refuses paths with other characters than ``[0-9A-Za-z_./-]``, also that of
            the run directory.
        rehearsal: a tiny model stands in for the one of the file, and sizes are scaled.
    """

    backend: str
    backend_version: str
    device: Literal["npu", "gpu", "cpu"]
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    project: str
    experiment: str
    unset: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    overrides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    notes: tuple[Note, ...] = ()
    resume: Resume | None = None
    total_steps: int | None = None
    metrics_file: str = ""
    checkpoint_dir: str = ""
    device_stream: tuple[str, ...] = ()
    env_reasons: Mapping[str, Text] = field(default_factory=dict[str, Text])
    plain_paths: bool = False
    rehearsal: bool = False
