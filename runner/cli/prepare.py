"""From a file to a plan: read, look around, check, plan; behind plan, run, quickstart and the wizard."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..backends.errors import PlanError
from ..backends.plan import Plan
from ..catalogue import Problem
from ..document import Document

Device = Literal["npu", "gpu", "cpu"]

INSIDE = Path(__file__).resolve().parent.parent / "inside"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for. ``fresh``: start over under a new experiment name."""

    config: Path
    python: str
    workdir: Path
    run_dir: Path
    local: bool = False
    fresh: bool = False
    devices: str = ""
    ray_address: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The outcome: the document, its problems, and the plan or the reason why there is none."""

    document: Document
    target: str
    problems: tuple[Problem, ...]
    plan: Plan | None = None
    refusal: PlanError | None = None
    versions: dict[str, str] | None = None

    @property
    def errors(self) -> list[Problem]:
        """The problems that forbid a start."""
        return [p for p in self.problems if p.level == "error"]


def training_python(given: str | None) -> str:
    """The training interpreter: ``--python``, else $AGENTIC_RL_PYTHON, else the one that runs this tool."""
    return given or os.environ.get("AGENTIC_RL_PYTHON") or sys.executable


def free_experiment(base: Path, project: str, name: str) -> str:
    """A name next to ``name`` whose checkpoint directory does not exist yet: name-2, name-3, ..."""
    number = 2
    while (base / "checkpoints" / project / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"
