"""A folder that appears whole or not at all: built beside its final place and renamed.

Directories get mode 750 and files 640, as AgentSDK demands.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def make_whole(out: Path, build: Callable[[Path], T]) -> T:
    """Build a folder in the place of ``out``; what is there stays until the new one is done.

    Args:
        out: the folder.
        build: fills the folder that it is given; its answer is returned.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    workshop = Path(tempfile.mkdtemp(prefix=f".{out.name}.partial-{os.getpid()}-", dir=out.parent))
    old = workshop.with_name(workshop.name + ".old")
    try:
        made = build(workshop)
        _set_modes(workshop)
        if out.exists():
            out.rename(old)
        workshop.rename(out)
    finally:
        for rest in (workshop, old):
            shutil.rmtree(rest, ignore_errors=True)
    return made


def _sweep(out: Path) -> None:
    """Remove what killed preparations left beside ``out``."""
    for left in out.parent.glob(f".{out.name}.partial-*"):
        pid = left.name.removeprefix(f".{out.name}.partial-").split("-")[0]
        if pid.isdigit() and not Path("/proc", pid).exists():
            shutil.rmtree(left, ignore_errors=True)


def _set_modes(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o750)
        for name in files:
            os.chmod(os.path.join(parent, name), 0o640)
