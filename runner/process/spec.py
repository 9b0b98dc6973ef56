"""What the supervisor is told about the run: the plan's launch part, through its stdin, so that secrets in the
environment of a plan never reach the disk or a command line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..backends.plan import Plan


@dataclass(frozen=True, slots=True)
class Limits:
    """How long each step of a stop may take, in seconds.

    Ray's driver needs about 4 s for SIGINT on two cores (measured with verl 0.9.1), and tears down its workers
    then; on a node with 8 NPUs it may be writing a checkpoint.
    """

    interrupt: float = 20.0
    terminate: float = 10.0
    now: float = 3.0
    linger: float = 3.0  # what is left after a clean end may leave by itself that long
    sweep: float = 5.0


@dataclass(frozen=True, slots=True)
class Launch:
    """The launch part of a plan, with real values, and the failure catalogue by which its end will be told."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    unset: tuple[str, ...]
    cwd: str
    files: Mapping[str, str]
    metrics_file: str
    checkpoint_dir: str
    limits: Limits = field(default_factory=Limits)
    failures: Mapping[str, Any] = field(default_factory=dict[str, Any])
    device_stream: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan, limits: Limits, failures: Mapping[str, Any] | None = None) -> Launch:
        """The part of a plan that the supervisor needs."""
        return cls(
            plan.argv,
            dict(plan.env),
            plan.unset,
            plan.cwd,
            dict(plan.files),
            plan.metrics_file,
            plan.checkpoint_dir,
            limits,
            dict(failures or {}),
            plan.device_stream,
        )

    def to_json(self) -> str:
        """As text for the supervisor's stdin."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Launch:
        """Read what ``to_json`` wrote."""
        data: dict[str, Any] = json.loads(text)
        limits = Limits(**data.pop("limits"))
        for name in ("argv", "unset", "device_stream"):
            data[name] = tuple(data[name])
        return cls(limits=limits, **data)
