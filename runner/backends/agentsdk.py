"""AgentSDK (`agentic_rl --config-path F`) from a file of AgentSDK, on NPUs."""

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
from .source import AgentSource

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "agentsdk", "agentsdk", "verl"
NEEDS = ("npu",)
PROGRAM = "agentic_rl"
_DISTRIBUTIONS = ("agentic_rl", "agentic-rl")


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """The command `agentic_rl`; its version is that of the package beside it."""
    tool = tools.get(PROGRAM)
    known = next((training.versions[name] for name in _DISTRIBUTIONS if name in training.versions), "")
    version = known if belongs_to(tool, training.python) else ""
    return installed(NAME, tool, PROGRAM, version, "--config-path FILE", training.python)


def asked(document: Document) -> AgentSource:
    """The file, as agentic_rl reads it."""
    return AgentSource(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """What agentic_rl does that a file does not show."""
    del document, request
    return ()


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a start of agentic_rl.

    Raises:
        PlanError: not yet.
    """
    del document, catalogue
    raise PlanError("backend-absent", {"backend": request.backend, "reason": "-"})
