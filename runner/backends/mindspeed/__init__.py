"""MindSpeed-RL started directly (`cli/train_grpo.py` and its siblings), on NPUs: its own YAML set from any file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...catalogue import Catalogue
from ...document.model import Document
from ..backend import Installed
from ..errors import PlanError
from ..plan import Note, Plan, Text
from ..request import Request
from .asked import MindSpeedFile
from .facts import DataState, MindSpeedFacts
from .plan import CONFIG, FOLDER
from .plan import make_plan as plan_for

if TYPE_CHECKING:
    from ...facts.tools import Tool
    from ...facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "mindspeed-rl", "mindspeed-rl", ""  # what was saved is looked at with the repository
NEEDS = ("npu",)


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """Its source tree, which cli looks for as the tool ``mindspeed-rl``; the index has only a placeholder."""
    tool = tools.get(NAME)
    if tool is None or not tool.usable:
        return Installed(NAME, False, start="cli/train_grpo.py", why_not=_NOT_FOUND)
    start = f"cd {tool.path} && {training.python} cli/train_grpo.py"
    return Installed(NAME, True, tool.version, tool.path, start)


def asked(document: Document) -> MindSpeedFile:
    """The file, as MindSpeed-RL is given it."""
    return MindSpeedFile(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """Nothing that the notes of the plan do not tell."""
    del document, request
    return ()


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """What would be started.

    Raises:
        PlanError: see `plan.make_plan`.
    """
    del catalogue
    if request.mindspeed is None:
        raise PlanError("mindspeed-missing", {})
    return plan_for(document, request, request.mindspeed)


_NOT_FOUND: Text = {
    "en": "its repository was not found: export MINDSPEED_RL_PATH, or give the command there",
    "zh": "未找到其代码仓库：请设置 MINDSPEED_RL_PATH，或在仓库目录中执行命令",
}

__all__ = [
    "CONFIG",
    "FOLDER",
    "DataState",
    "MindSpeedFacts",
    "MindSpeedFile",
    "asked",
    "hints",
    "make_plan",
    "probe",
]
