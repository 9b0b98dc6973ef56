"""The supervisor of one run: `python -m agentic_rl_wizard.runner.process.supervisor RUN_DIR`, launch on stdin.

Its beginning: detach, take the lock, fork the keeper (keeper.py says why there are two), report to the one who
asked for it; oversight.py is the rest of its life.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .board import Board, Phase, Slot
from .directory import DirectoryRefused, write_file
from .keeper import become_subreaper
from .lock import RunLock, RunLocked
from .masking import mask_text
from .oversight import Supervisor, fork_keeper
from .procs import MARK
from .record import RunRecord
from .spec import Launch
from .sweep import make_ray_directory, note_processes, remove_ray_directory

# The descriptor, inherited from `start_run`, on which it waits for one line of JSON.
READY = "AGENTIC_RL_READY_FD"


def main(argv: list[str]) -> int:
    """Entry of `python -m ...supervisor RUN_DIR`."""
    if len(argv) != 2:
        sys.stderr.write("usage: python -m agentic_rl_wizard.runner.process.supervisor RUN_DIR < launch.json\n")
        return 2
    directory = Path(argv[1])
    launch = Launch.from_json(sys.stdin.read())
    ready = int(os.environ.pop(READY, "-1"))
    if os.fork():
        os._exit(0)  # the starter need not reap us; init will
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    os.umask(0o027)
    become_subreaper()
    supervisor, refusal = _start(directory, launch)
    if supervisor is None:
        _report(ready, refusal)
        return 1
    supervisor.on_running = lambda: _report(ready, None)
    supervisor.supervise()
    return 0


def _report(ready: int, refusal: Mapping[str, Any] | None) -> None:
    if ready >= 0:
        try:
            os.write(ready, json.dumps(refusal or {"ok": True}).encode() + b"\n")
            os.close(ready)
        except OSError:
            pass  # the starter is gone; the run is not


def _start(directory: Path, launch: Launch) -> tuple[Supervisor | None, dict[str, Any] | None]:
    record = RunRecord.read(directory)
    lock: RunLock | None = None
    ray = ""
    try:
        if launch.checkpoint_dir:
            lock = RunLock(launch.checkpoint_dir, record.id, record.directory)
        for name, text in launch.files.items():
            write_file(directory, name, text)
        env = environment_of(launch, record.id)
        if "RAY_TMPDIR" not in env and (ray := make_ray_directory()):
            env["RAY_TMPDIR"] = ray
    except RunLocked as error:
        return None, {"code": "run.locked", "directory": error.directory, **error.holder}
    except DirectoryRefused as error:
        _undo(lock, ray)
        return None, {"code": error.code, **error.params}
    except OSError as error:
        _undo(lock, ray)
        return None, {
            "code": "run.no_directory",
            "path": error.filename,
            "error": error.strerror or str(error),
        }
    board = Board()
    supervisor = Supervisor(directory, launch, board, -1, lock, ray)
    fork_keeper(supervisor, env)
    if board[Slot.PHASE] in (Phase.NONE, Phase.NOT_STARTED):
        board[Slot.DONE] = 1
        _undo(lock, ray)
        cause = os.strerror(board[Slot.ERRNO]) if board[Slot.ERRNO] else "the keeper ended"
        return None, {"code": "run.not_started", "program": mask_text(launch.argv[0]), "cwd": launch.cwd,
                      "error": cause}  # fmt: skip
    note_processes(directory, (supervisor.keeper, supervisor.keeper_start), ray, ())
    return supervisor, None


def _undo(lock: RunLock | None, ray: str) -> None:
    if lock:
        lock.release()
    remove_ray_directory(ray)


def environment_of(launch: Launch, run_id: str, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """The training's environment: ours, without ``unset``, with the plan's variables and the run's mark."""
    env = {key: value for key, value in (os.environ if base is None else base).items() if key not in launch.unset}
    env.update(launch.env)
    env[MARK] = run_id
    # Python's own buffer would hold a step's metrics back until it is full.
    env.setdefault("PYTHONUNBUFFERED", "1")
    return env


if __name__ == "__main__":
    sys.exit(main(sys.argv))
