"""Runs the child of `agent try` in the training interpreter, and everything that it starts to its end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from ..inside import INSIDE

START_LIMIT = 300.0  # seconds until the wrapper is about to be loaded: imports of torch from a cold disk
GRACE = 5.0  # seconds beyond the wrapper's time in which the child may say itself where it stands
KEPT = 64 * 1024  # bytes of output that are kept
_MODULE = "agentic_rl_inside.agent.tryout"


@dataclass(slots=True)
class Answer:
    """What came of it.

    Attributes:
        ready: the child's line about model and tasks; None when it never came that far.
        end: its last line; None when it was ended from outside or ended itself.
        code: exit code, negative for a signal; None when it could not be started.
        killed: "" or what its time was up for: ``start`` or ``wrapper``.
        output: the last of what it printed.
        dropped: bytes that it printed before those.
        left: command lines of processes that the wrapper started and left.
        error: why it could not be started.
    """

    ready: dict[str, Any] | None = None
    end: dict[str, Any] | None = None
    code: int | None = None
    killed: str = ""
    output: bytes = b""
    dropped: int = 0
    left: list[str] = field(default_factory=list[str])
    error: str = ""


def run_child(python: str, request: Mapping[str, Any], timeout: float) -> Answer:
    """Start the child, wait for it no longer than ``timeout`` seconds (its start aside), and clean up behind it."""
    from ...process.procs import MARK, command_line, processes_of_run
    from ...process.sweep import sweep

    mark = f"try-{uuid.uuid4().hex}"
    answer = Answer()
    with tempfile.TemporaryDirectory(prefix="agentic-rl-try-") as folder:
        lines = Path(folder) / "answer.jsonl"
        try:
            child = subprocess.Popen(
                [python, "-m", _MODULE, str(lines)],
                env={**_environment(), MARK: mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            answer.error = error.strerror or str(error)
            return answer
        reader = threading.Thread(target=_read, args=(cast("IO[bytes]", child.stdout), answer), daemon=True)
        reader.start()
        try:
            with contextlib.suppress(BrokenPipeError), cast("IO[bytes]", child.stdin) as stdin:
                stdin.write(json.dumps(request).encode())
            answer.killed = _wait(child, lines, timeout)
        finally:
            # Before the group is ended: who is still there was left behind by the wrapper.
            found = [one for one in processes_of_run(mark) if one.pid != child.pid]
            answer.left = [command_line(one.pid) for one in found]
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            answer.code = child.wait()
            sweep(lambda: processes_of_run(mark), 0.0, 2.0)
        reader.join(2.0)
        for line in _lines(lines):
            if line.get("event") == "ready":
                answer.ready = line
            elif answer.end is None:
                answer.end = line
    return answer


def _wait(child: subprocess.Popen[bytes], lines: Path, timeout: float) -> str:
    """Until it ends, or its time is up."""
    began, ready = time.monotonic(), 0.0
    while child.poll() is None:
        now = time.monotonic()
        if not ready and lines.exists():
            ready = now
        if ready and now - ready > timeout + GRACE:
            return "wrapper"
        if not ready and now - began > START_LIMIT:
            return "start"
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(0.1)
    return ""


def _read(stream: IO[bytes], answer: Answer) -> None:
    """Keep the end of the output, and read the rest away: a full pipe would stop the wrapper."""
    while chunk := stream.read1(65536) if hasattr(stream, "read1") else b"":  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        kept = answer.output + cast("bytes", chunk)
        answer.dropped += max(len(kept) - KEPT, 0)
        answer.output = kept[-KEPT:]


def _lines(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with contextlib.suppress(OSError):
        for line in path.read_text("utf-8", "replace").splitlines():
            with contextlib.suppress(ValueError):  # cut off when the process was ended
                found.append(json.loads(line))
    return found


def _environment() -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONSTARTUP")}
    environment["PYTHONPATH"] = os.pathsep.join(p for p in (str(INSIDE), os.environ.get("PYTHONPATH", "")) if p)
    # A tiny model gains nothing from threads that wait for each other; nothing is fetched.
    environment |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    environment |= {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return environment
