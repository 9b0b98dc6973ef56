"""AscendFactory (`ascendfactory-cli train F`) from its own file, on NPUs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..catalogue import Catalogue
from ..document.model import Document
from .backend import Installed
from .errors import PlanError
from .found_tool import belongs_to, installed
from .plan import Note, Plan
from .request import Request
from .source import NativeSource

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "ascendfactory", "ascendfactory", "verl"
NEEDS = ("npu",)
PROGRAM = "ascendfactory-cli"
_DISTRIBUTIONS = ("ascendfactory", "ascend_factory")


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """The command `ascendfactory-cli`; its version is that of the package beside it."""
    tool = tools.get(PROGRAM)
    known = next((training.versions[name] for name in _DISTRIBUTIONS if name in training.versions), "")
    version = known if belongs_to(tool, training.python) else ""
    return installed(NAME, tool, PROGRAM, version, "train FILE", training.python)


def asked(document: Document) -> NativeSource:
    """The file, as AscendFactory reads it."""
    return NativeSource(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """What AscendFactory does that a file does not show."""
    del document, request
    return ()


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a start of AscendFactory.

    Raises:
        PlanError: not yet.
    """
    del document, catalogue
    raise PlanError("backend-absent", {"backend": request.backend, "reason": "-"})
