"""What every back end is asked: is it there, what does the file mean to it, and what would be started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..catalogue import Catalogue
from ..document.model import Document
from .plan import Note, Plan, Text
from .request import Request

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts


@dataclass(frozen=True, slots=True)
class Installed:
    """Whether a back end is there.

    Attributes:
        backend: its name, as ``--backend`` takes it.
        present: whether it could be started.
        version: its version, "" when it is not known.
        program: what is executed: a path, or a module of the training interpreter.
        start: how it would be started, for people: the beginning of its command line.
        why_not: why it can't be started, and what to do (zh and en); empty when it can.
        packages: versions of the packages it would run with; None: those of the training interpreter.
        remark: what else is worth knowing: another version beside it, another interpreter than the one named.
    """

    backend: str
    present: bool
    version: str = ""
    program: str = ""
    start: str = ""
    why_not: Text = field(default_factory=dict[str, str])
    remark: Text = field(default_factory=dict[str, str])
    packages: Mapping[str, str] | None = None


class Asked(Protocol):
    """What a file asks of a back end, before anything is planned."""

    def refuse(self) -> None:
        """Raise `PlanError` where the back end can't run the file as it is meant."""
        ...

    def names(self, experiment: str = "") -> tuple[str, str]:
        """Project and experiment; ``experiment`` overrides the file's."""
        ...

    def checkpoint_directory(self, workdir: Path, base: Path, experiment: str = "") -> Path:
        """Where the back end keeps its checkpoints."""
        ...

    def train_file(self) -> str:
        """The training data, "" where it is no single file."""
        ...

    def devices(self) -> int:
        """Devices a machine that it asks for."""
        ...


class Backend(Protocol):
    """A back end: a module of this package.

    Attributes:
        NAME: as ``--backend`` takes it.
        JUDGE: the target whose checks judge a file that it starts (``check_document``'s target).
        NEEDS: the devices it can train on.
        LAYOUT: how its checkpoints lie on disk: ``verl`` or ``megatron``; "" where none are looked for.
    """

    NAME: str
    JUDGE: str
    NEEDS: tuple[str, ...]
    LAYOUT: str

    def probe(self, training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
        """What is installed; looks at the facts alone."""
        ...

    def asked(self, document: Document) -> Asked:
        """The file, as this back end reads it."""
        ...

    def make_plan(self, document: Document, catalogue: Catalogue, request: Request) -> Plan:
        """What would be started.

        Raises:
            PlanError: it can't be started as asked.
        """
        ...

    def hints(self, document: Document, request: Request) -> tuple[Note, ...]:
        """What its users should know before the start."""
        ...
