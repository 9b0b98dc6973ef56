"""Start a run: the command line does it, detached; this screen is left for the run's own afterwards."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from .i18n import language


@dataclass(frozen=True, slots=True)
class Launched:
    """What became of the attempt; ``run`` is empty when nothing was started, ``output`` then says why."""

    run: str
    code: int
    output: str


def run_argv(path: Path) -> list[str]:
    """The command that starts a run of a file and returns as soon as it trains, by this very interpreter."""
    module = "agentic_rl_wizard.runner.cli.main"
    start = f"import sys; from {module} import main; sys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", start, "run", str(path), "--detach", "--lang", language()]


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
    run = await asyncio.to_thread(run_of, output) if code == 0 else ""
    return Launched(run, code, output)


def run_of(output: str) -> str:
    """The run that the command says it started, by its id; the latest one where it names none."""
    from ..runner.process.index import list_runs

    named = [record.id for record in list_runs() if record.id in output]
    return named[-1] if named else "last"
