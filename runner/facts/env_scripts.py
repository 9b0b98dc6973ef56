"""Environment scripts of CANN, nnal and the driver: where they usually are, and what sourcing them changes.

A script is read once, in a shell of its own with a fixed argument list; nothing of it is parsed or guessed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 20.0  # seconds for one script; set_env.sh takes well below one
_COMMAND = 'source "$1" >/dev/null 2>&1; env -0'
_LARGEST = 4 * 1024 * 1024  # bytes of an environment that are read
# The first of each row that exists is taken; a row whose variable is set has been sourced already.
_USUAL: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("driver/bin/setenv.bash",)),
    ("ASCEND_TOOLKIT_HOME", ("ascend-toolkit/set_env.sh", "cann/set_env.sh", "latest/set_env.sh")),
    ("ATB_HOME_PATH", ("nnal/atb/set_env.sh",)),
)
_ROOTS = ("/usr/local/Ascend", "~/Ascend")
# What every shell makes of itself.
_OF_THE_SHELL = frozenset(("_", "SHLVL", "PWD", "OLDPWD", "BASH_FUNC_module%%"))


@dataclass(frozen=True, slots=True)
class ScriptChange:
    """What one script sets: variable -> new value; ``problem`` tells why it could not be read, else ""."""

    path: str
    changed: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: str = ""


def usual_scripts(environ: Mapping[str, str], roots: Iterable[str] = _ROOTS) -> list[str]:
    """The scripts that are there and have not been sourced; none when CANN's variables are set."""
    if environ.get("ASCEND_TOOLKIT_HOME") and environ.get("ATB_HOME_PATH"):
        return []
    found: list[str] = []
    home = environ.get("HOME", "")
    homes = [Path(home + root[1:]) for root in roots if root.startswith("~") and home]
    folders = [*(Path(root) for root in roots if not root.startswith("~")), *homes]
    for variable, names in _USUAL:
        if variable and environ.get(variable):
            continue
        places = [folder / name for folder in folders for name in names]
        first = next((place for place in places if place.is_file()), None)
        if first is not None:
            found.append(str(first))
    return found


def read_scripts(paths: Iterable[str], environ: Mapping[str, str], timeout: float = TIMEOUT) -> list[ScriptChange]:
    """Source the scripts one after the other, each in the environment that the ones before it left."""
    current = dict(environ)
    found: list[ScriptChange] = []
    for path in paths:
        change = _read(path, current, timeout)
        current.update(change.changed)
        found.append(change)
    return found


def _read(path: str, environ: Mapping[str, str], timeout: float) -> ScriptChange:
    if not Path(path).is_file():
        return ScriptChange(path, problem="no such file")
    try:
        child = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-c", _COMMAND, "_", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
            start_new_session=True,
        )
    except OSError as error:
        return ScriptChange(path, problem=error.strerror or str(error))
    try:
        output, _ = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return ScriptChange(path, problem=f"no end within {timeout:g} s")
    if child.returncode != 0 or len(output) > _LARGEST:
        return ScriptChange(path, problem=f"exit code {child.returncode}")
    pairs = (item.partition(b"=") for item in output.split(b"\0") if b"=" in item)
    after = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
    changed = {n: v for n, v in after.items() if environ.get(n) != v and n not in _OF_THE_SHELL}
    return ScriptChange(path, changed)
