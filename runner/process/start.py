"""Starts a run: directory, files, supervisor; returns when the training process exists."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from ..backends.plan import Plan
from .directory import DirectoryRefused, make_run_directory, next_run_directory, write_file
from .index import register
from .masking import mask_text, mask_value
from .procs import boot_id, host
from .record import CONFIG, PLAN, RECORD, ROLLOUTS, RunRecord
from .spec import Launch, Limits
from .supervisor import READY

SUPERVISOR_LOG = "supervisor.log"


class StartFailed(Exception):
    """The training could not be started; nothing of it is left.

    Attributes:
        code: ``run.locked``, ``run.not_started``, ``run.no_directory``, ``run.bad_file_name`` or ``run.supervisor``.
        params: what the supervisor told: ``program``, ``error``, ``directory``, ``run``, ``host``, ``pid``, ``path``.
    """

    def __init__(self, code: str, params: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: " + ", ".join(f"{key}={value}" for key, value in params.items()))
        self.code = code
        self.params = dict(params)


def start_run(
    plan: Plan,
    config_text: str,
    runs_root: str | Path,
    config_path: str = "",
    *,
    directory: Path | None = None,
    python: str = sys.executable,
    limits: Limits | None = None,
    versions: Mapping[str, str] | None = None,
    failures: Mapping[str, Any] | None = None,
    timeout: float = 60.0,
) -> RunRecord:
    """Start a run under a detached supervisor.

    Args:
        plan: what to start.
        config_text: the configuration as given; kept, with secrets masked, as config.yaml.
        runs_root: where the run directories are.
        directory: the run directory that the plan was made for, from ``next_run_directory``; a new one if None.
        config_path: the configuration's file, for display.
        python: the interpreter of the supervisor (it needs this package; the training has its own in ``argv``).
        limits: time limits of a stop.
        versions: installed versions, for run.json.
        failures: the failure catalogue as plain data (``catalogue.load_failures``); without it only the line of the
            error is told at the end.
        timeout: seconds to wait for the supervisor.

    Raises:
        DirectoryRefused: the run directory can't be made.
        StartFailed: the checkpoint directory is in use, or the program can't be started.
    """
    given = directory is not None
    directory = directory or next_run_directory(runs_root, plan.project, plan.experiment)
    while True:
        try:
            make_run_directory(directory)
            break
        except DirectoryRefused as error:
            if given or not isinstance(error.__cause__, FileExistsError):
                raise
            directory = next_run_directory(runs_root, plan.project, plan.experiment)  # two starts in one second
    earlier = _earlier_attempt(directory) if plan.resume and plan.resume.mode == "resume" else ""
    record = RunRecord(
        id=secrets.token_hex(4),
        directory=str(directory),
        project=plan.project,
        experiment=plan.experiment,
        backend=plan.backend,
        backend_version=plan.backend_version,
        device=plan.device,
        host=host(),
        boot_id=boot_id(),
        uid=os.getuid(),
        created=time.time(),
        config=str(Path(config_path).absolute()) if config_path else "",
        checkpoint_dir=plan.checkpoint_dir,
        resumed_step=plan.resume.step if plan.resume and plan.resume.mode == "resume" else 0,
        total_steps=plan.total_steps,
        previous=earlier,
        versions=dict(versions or {}),
    )
    try:
        write_file(directory, CONFIG, mask_text(config_text))
        masked = mask_value(asdict(plan))
        write_file(directory, PLAN, json.dumps(masked, ensure_ascii=False, indent=1, default=str) + "\n")
        (directory / ROLLOUTS).mkdir(0o750)
        (directory / RECORD).touch(0o640)
        record.write()
        answer = _start_supervisor(directory, Launch.of(plan, limits or Limits(), failures), python, timeout)
    except OSError as error:
        shutil.rmtree(directory, ignore_errors=True)
        raise StartFailed("run.no_directory", {"path": str(directory), "error": str(error)}) from error
    if answer.get("ok"):
        register(record)
        return RunRecord.read(directory)
    if answer.get("code") != "run.supervisor":
        # It never ran: a directory of it would only be in the way of `last`.
        shutil.rmtree(directory, ignore_errors=True)
        with contextlib.suppress(OSError):
            directory.parent.rmdir()
            directory.parent.parent.rmdir()
    code = str(answer.pop("code", "run.supervisor"))
    raise StartFailed(code, answer)


def _earlier_attempt(directory: Path) -> str:
    """The latest attempt of the same experiment, or ""."""
    others = [path for path in directory.parent.iterdir() if path != directory and (path / RECORD).is_file()]
    return str(max(others, key=lambda path: (path / RECORD).stat().st_mtime)) if others else ""


def _start_supervisor(directory: Path, launch: Launch, python: str, timeout: float) -> dict[str, Any]:
    reading, writing = os.pipe()
    log = os.open(directory / SUPERVISOR_LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)
    try:
        process = subprocess.Popen(
            [python, "-m", "agentic_rl_wizard.runner.process.supervisor", str(directory)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd="/",  # -m puts the working directory on the path: not the user's, which may hold any json.py
            env={**os.environ, READY: str(writing)},
            pass_fds=[writing],
            start_new_session=True,
        )
    except OSError as error:
        os.close(reading)
        return {"code": "run.supervisor", "error": str(error)}
    finally:
        os.close(writing)
        os.close(log)
    with contextlib.suppress(BrokenPipeError):
        process.communicate(launch.to_json().encode())
    text = b""
    end = time.monotonic() + timeout
    while not text.endswith(b"\n") and time.monotonic() < end:
        if select.select([reading], [], [], 1.0)[0]:
            piece = os.read(reading, 65536)
            if not piece:
                break
            text += piece
    os.close(reading)
    if text.endswith(b"\n"):
        return cast("dict[str, Any]", json.loads(text))
    said = (directory / SUPERVISOR_LOG).read_text(encoding="utf-8", errors="replace").strip()
    return {
        "code": "run.supervisor",
        "error": said[-2000:] or "no answer",
        "log": str(directory / SUPERVISOR_LOG),
    }
