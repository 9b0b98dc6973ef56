"""MindSpeed-RL started directly (`cli/train_grpo.py` and its siblings), on NPUs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..catalogue import Catalogue
from ..document.model import Document
from ..native.shape import native_backend
from .backend import Installed
from .errors import PlanError
from .plan import Note, Plan, Text
from .request import Request
from .source import AgentSource, NativeSource, Source

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts

NAME, JUDGE, LAYOUT = "mindspeed-rl", "mindspeed-rl", "megatron"
NEEDS = ("npu",)


def probe(training: TrainingFacts, tools: Mapping[str, Tool]) -> Installed:
    """Not looked for yet."""
    del tools
    return Installed(
        NAME, False, training.versions.get("mindspeed_rl", ""), start="cli/train_grpo.py", why_not=_NOT_YET
    )


def asked(document: Document) -> Source:
    """The file, which can't be started yet."""
    return NativeSource(document) if native_backend(document.values) else AgentSource(document)


def hints(document: Document, request: Request) -> tuple[Note, ...]:
    """None yet."""
    del document, request
    return ()


def make_plan(document: Document, catalogue: Catalogue, request: Request) -> Plan:
    """Plan a start of MindSpeed-RL.

    Raises:
        PlanError: always, for now.
    """
    del document, catalogue, request
    raise PlanError("mindspeed-not-yet")


_NOT_YET: Text = {"en": "starting it directly is not supported yet", "zh": "尚不支持直接启动"}
