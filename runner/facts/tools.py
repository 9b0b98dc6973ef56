"""The programs that start a training, and whose they are: looked up, never run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from .training import probe_training

TOOLS = ("agentic_rl", "ascendfactory-cli", "ray")
# Where pip puts scripts for one user; AgentSDK's installer tells its users to have it on the PATH.
USER_SCRIPTS = "~/.local/bin"
_LONGEST_FIRST_LINE = 512
_PATIENCE = 20.0  # seconds for the interpreter of another environment

ToolTrouble = Literal["", "missing", "not-executable", "interpreter-missing"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A program as a start would find it.

    Attributes:
        name: as it is called.
        path: absolute path of the one that is taken; "" when there is none.
        problem: why it can't be started, else "".
        interpreter: the Python that its first line names; "" for a binary, or when it is looked up (``env``).
        others: further ones on the path that are not taken.
        versions: packages of that interpreter, where it is another one than the training's; see `look_at_tools`.
        version: its version, where looking it up told.
    """

    name: str
    path: str = ""
    problem: ToolTrouble = ""
    interpreter: str = ""
    others: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    version: str = ""

    @property
    def usable(self) -> bool:
        """Whether it can be started."""
        return bool(self.path) and not self.problem


def look_at_tools(
    python: str, names: Iterable[str] = TOOLS, environment: Mapping[str, str] | None = None
) -> dict[str, Tool]:
    """Find programs beside the training interpreter, then on the path, then among the user's own scripts.

    A script of another environment is asked for the packages of that one (its interpreter is, the script never runs).

    Args:
        python: the training interpreter; the scripts of its environment lie beside it.
        names: the programs.
        environment: variables to take PATH and HOME from; those of this process when None.
    """
    variables = os.environ if environment is None else environment
    folders = _folders(python, variables)
    found = {name: _look_up(name, folders) for name in names}
    return {name: _with_versions(tool, python) for name, tool in found.items()}


def belongs_to(tool: Tool, python: str) -> bool:
    """Whether a script runs in the environment of the training interpreter, so that its packages are the script's."""
    beside = Path(python).absolute().parent  # not through links: an environment's python is one
    return bool(tool.path) and beside in (Path(tool.path).parent, Path(tool.interpreter or tool.path).parent)


def _with_versions(tool: Tool, python: str) -> Tool:
    if not tool.usable or not tool.interpreter or belongs_to(tool, python):
        return tool
    return replace(tool, versions=probe_training(tool.interpreter, timeout=_PATIENCE).versions)


def _folders(python: str, variables: Mapping[str, str]) -> list[Path]:
    own = [Path(python).absolute().parent] if os.sep in python else []
    listed = [Path(part) for part in variables.get("PATH", "").split(os.pathsep) if part]
    home = variables.get("HOME", "")
    user = [Path(home) / USER_SCRIPTS.removeprefix("~/")] if home else []
    return list(dict.fromkeys([*own, *listed, *user]))


def _look_up(name: str, folders: list[Path]) -> Tool:
    found: list[Path] = []
    for folder in folders:
        path = folder / name
        try:
            if path.is_file() and not any(path.samefile(other) for other in found):
                found.append(path)
        except (OSError, ValueError):
            continue
    # As a shell does: one that can't be executed is passed over while another can be.
    usable = [path for path in found if os.access(path, os.X_OK)]
    if not found:
        return Tool(name, problem="missing")
    taken = (usable or found)[0]
    others = tuple(str(path) for path in found if path != taken)
    if not usable:
        return Tool(name, str(taken), "not-executable", others=others)
    interpreter = _interpreter(taken)
    gone = bool(interpreter) and not os.access(interpreter, os.X_OK)
    return Tool(name, str(taken), "interpreter-missing" if gone else "", interpreter, others)


def _interpreter(script: Path) -> str:
    """The absolute program that the first line of a script names; "" where it names none."""
    try:
        with script.open("rb") as stream:
            first = stream.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return ""
    if not first.startswith(b"#!"):
        return ""
    words = first[2:].decode("utf-8", "replace").split()
    return words[0] if words and Path(words[0]).name not in ("env", "sh", "bash") else ""
