"""The modules that the wrapper imports, held against the interpreter that will import them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...catalogue import Level
from .setting import Mistake, Setting, mistake

if TYPE_CHECKING:
    from ...facts.wrapper import Import

_SDK = "agentic_rl"
_NAMES = frozenset(("BaseEngineWrapper", "Trajectory", "StepTrajectory", "Step", "__version__", "*"))
_LAZY_FAILS = (3, 12)  # the newest Python known to fail there


def judge_imports(setting: Setting) -> Iterator[Mistake]:
    """Relative imports, modules that are missing, names that AgentSDK does not have."""
    told: set[str] = set()
    for one in setting.facts.imports:
        if one.level:
            level: Level = "error" if one.place == "top" else "hint" if one.place == "guarded" else "warning"
            name = one.module or ", ".join(one.names)
            yield mistake(setting, level, "wrapper-relative-import", one.line, module="." * one.level + name, name=name)
        elif one.top in told:
            continue
        elif one.module == _SDK and not _NAMES.issuperset(one.names):
            names = sorted(set(one.names) - _NAMES)
            yield mistake(setting, "hint", "wrapper-unknown-name", one.line, names=names)
        else:
            found = list(_missing(setting, one))
            told.update(one.top for _ in found)
            yield from found


def _missing(setting: Setting, one: Import) -> Iterator[Mistake]:
    facts, training = setting.facts, setting.training
    if training is None or training.problem or one.top in (_SDK, *facts.stubs) or one.top in sys.stdlib_module_names:
        return
    where = training.modules.get(one.top, "there")
    if where == "there":
        return
    level = _level(setting, one)
    if level is None:
        return
    code = "wrapper-module-beside" if where == "beside" else "wrapper-module-missing"
    yield mistake(setting, level, code, one.line, module=one.top, python=training.python, reason=one.place)


def _level(setting: Setting, one: Import) -> Level | None:
    """How sure it is that the import fails, and in the very interpreter that will train."""
    training = setting.training
    if training is None:
        return None
    trains = bool({"verl", "agentic_rl", "agentic-rl"} & set(training.versions))
    if not training.named:
        return "hint" if trains and one.place == "top" else None
    if one.place in ("guarded", "conditional") or setting.facts.moves_path:
        return "hint"
    here = not setting.sdk or bool({"agentic_rl", "agentic-rl"} & set(training.versions))
    return "error" if one.place == "top" and here else "warning"


def judge_annotations(setting: Setting) -> Iterator[Mistake]:
    """A dataclass whose annotations are texts asks ``sys.modules`` for its own module, which is not there."""
    line, training = setting.facts.lazy_dataclass, setting.training
    if not line:
        return
    version = tuple(int(part) for part in (training.version if training else "").split(".")[:2] if part.isdigit())
    level: Level = "error" if version and version <= _LAZY_FAILS else "warning"
    yield mistake(setting, level, "wrapper-lazy-dataclass", line)
