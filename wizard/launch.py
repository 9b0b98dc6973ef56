"""Start a run: the command line does it, detached; this screen is left for the run's own afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Launched:
    """What became of the attempt; ``run`` is empty when nothing was started, ``output`` then says why."""

    run: str
    code: int
    output: str


def run_argv(path: Path) -> list[str]:
    """The command that starts a run of a file and returns at once, by this very interpreter."""
    return [sys.executable, "-m", "agentic_rl_wizard.runner.cli.main", "run", str(path), "--detach", "--json"]


async def start_detached(path: Path) -> Launched:
    """Start a run of a saved file and wait until the supervisor has it."""
    child = await asyncio.create_subprocess_exec(
        *run_argv(path),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    raw, _ = await child.communicate()
    output = raw.decode("utf-8", "replace")
    code = child.returncode if child.returncode is not None else 1
    return Launched(run_of(output) if code == 0 else "", code, output)


def run_of(output: str) -> str:
    """The run's reference in what the command printed: the first JSON line that names one, else ``last``."""
    for line in output.splitlines():
        try:
            event: Any = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            for name in ("run", "id", "directory"):
                found: Any = event.get(name)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
                if isinstance(found, str) and found:
                    return found
    return "last"
