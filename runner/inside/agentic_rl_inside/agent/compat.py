"""``import agentic_rl`` where AgentSDK is not installed. The real package always wins.

The finder stands at the end of ``sys.meta_path``, is installed by :func:`install` in the training process only, and
knows the names that users import (AgentSDK 26.0). A mere folder called ``agentic_rl`` on the path is no package.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

ROOT = "agentic_rl"
STAND_IN = "__agentic_rl_inside__"
_CORE = ("BaseEngineWrapper", "Trajectory", "StepTrajectory", "Step")
# module -> the names it offers; a module with modules below it is a package
MODULES: dict[str, tuple[str, ...]] = {
    ROOT: _CORE,
    f"{ROOT}.runner": _CORE,
    f"{ROOT}.runner.agent_engine_wrapper": _CORE,
    f"{ROOT}.runner.agent_engine_wrapper.base": ("Trajectory", "StepTrajectory", "Step"),
    f"{ROOT}.runner.agent_engine_wrapper.base_engine_wrapper": ("BaseEngineWrapper", "Trajectory"),
    f"{ROOT}.base": (),
    f"{ROOT}.base.log": (),
    f"{ROOT}.base.log.loggers": ("Loggers",),
}


class Loggers:
    """AgentSDK's logger, for wrappers that import it: Python's own under the same name."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def get_logger(self) -> logging.Logger:
        return self._logger

    def __getattr__(self, name: str) -> Any:
        return getattr(self._logger, name)


class _Modules(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        parent = fullname.rpartition(".")[0]
        ours = not parent or hasattr(sys.modules.get(ROOT), STAND_IN)
        if fullname not in MODULES or not ours:
            return None
        package = any(name.startswith(fullname + ".") for name in MODULES)
        return ModuleSpec(fullname, self, origin="agentic-rl stand-in", is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        from . import trajectory, wrapper

        setattr(module, STAND_IN, True)
        for name in MODULES[module.__name__]:
            places = (wrapper, trajectory, sys.modules[__name__])
            setattr(module, name, next(getattr(place, name) for place in places if hasattr(place, name)))
        if module.__name__ == ROOT:
            module.__dict__["__version__"] = "0.0.0"
            module.__dict__["__all__"] = list(_CORE)


_finder = _Modules()


def install() -> bool:
    """Make ``import agentic_rl`` work; tell whether the stand-in answers (False: the real package does)."""
    if ROOT not in sys.modules and _finder not in sys.meta_path:
        found = importlib.util.find_spec(ROOT)
        if found is None:
            sys.meta_path.append(_finder)
        elif found.loader is None or found.origin is None:  # a folder without __init__
            sys.meta_path.insert(0, _finder)
    return hasattr(importlib.import_module(ROOT), STAND_IN)


def remove() -> None:
    """Undo :func:`install` (tests)."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for name in [name for name, module in sys.modules.items() if name in MODULES and hasattr(module, STAND_IN)]:
        del sys.modules[name]
