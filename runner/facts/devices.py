"""Runs the device tools and returns what they printed; a tool that is missing, fails or hangs is a value, too.

`npu-smi` may hang on a broken card, and a process that waits in the kernel does not even die by SIGKILL: it is left
behind then, never waited for.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Literal

TIMEOUT = 10.0
# Where the Ascend driver and CUDA put their tools; `sudo` and service managers often hand down a PATH without them.
TOOL_FOLDERS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")
_MOST_OUTPUT = 4 << 20
_OF_A_FLOOD = 1 << 16  # bytes that are kept of it: reading all of it would take seconds and tell nothing
_GRACE = 1.0

ToolProblem = Literal["", "missing", "not_started", "timeout", "failed", "flood"]


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What one call of a tool gave.

    Attributes:
        argv: the call; the tool's full path where it was found.
        returncode: None when it did not end by itself.
        problem: "" when it ended with 0; ``missing``, ``not_started`` (see detail), ``timeout``, ``failed`` (other
            exit code), ``flood`` (more than 4 MiB of output, of which the first 64 KiB are kept).
        detail: the system's words for ``not_started``.
        seconds: how long it took.
    """

    argv: tuple[str, ...]
    stdout: bytes = b""
    stderr: bytes = b""
    returncode: int | None = None
    problem: ToolProblem = ""
    detail: str = ""
    seconds: float = 0.0


def find_tool(name: str) -> str | None:
    """Full path of a tool, or None."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(TOOL_FOLDERS))


def run_tool(argv: Sequence[str], timeout: float = TIMEOUT, env: Mapping[str, str] | None = None) -> ToolOutput:
    """Run a tool to its end, at most ``timeout`` seconds, in a process group of its own; never raises.

    ``env`` is its environment; without it, it gets this process's own and speaks English.
    """
    path = find_tool(argv[0])
    if path is None:
        return ToolOutput(tuple(argv), problem="missing")
    command = (path, *argv[1:])
    started = time.monotonic()
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"} if env is None else dict(env),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        return ToolOutput(command, problem="not_started", detail=getattr(error, "strerror", None) or str(error))
    try:
        out, err, problem = _read_all(child, started + timeout)
    finally:
        # Also after a good end: whatever the tool started in its group ends with it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE)
        for stream in (child.stdout, child.stderr):
            if stream:
                stream.close()
    code = None if problem else child.returncode
    if not problem and code != 0:
        problem = "failed"
    return ToolOutput(command, out, err, code, problem, seconds=time.monotonic() - started)


def _read_all(child: subprocess.Popen[bytes], end: float) -> tuple[bytes, bytes, ToolProblem]:
    """Read both streams until the tool has ended; its own children may hold the pipes open for longer."""
    parts: dict[int, bytearray] = {}
    with selectors.DefaultSelector() as selector:
        streams: list[IO[bytes]] = [stream for stream in (child.stdout, child.stderr) if stream]
        for stream in streams:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream.fileno(), selectors.EVENT_READ)
            parts[stream.fileno()] = bytearray()
        first, second = (parts[stream.fileno()] for stream in streams)
        problem: ToolProblem = ""
        while selector.get_map() or child.poll() is None:
            now = time.monotonic()
            if now >= end:
                problem = "timeout"
                break
            over = child.poll() is not None
            ready = selector.select(0 if over else min(end - now, 0.05))
            if over and not ready:
                break
            for key, _ in ready:
                with contextlib.suppress(BlockingIOError):
                    data = os.read(key.fd, 1 << 16)
                    parts[key.fd] += data
                    if not data:
                        selector.unregister(key.fd)
            if not selector.get_map() and not ready:
                time.sleep(0.01)  # it closed its output and goes on
            if len(first) + len(second) > _MOST_OUTPUT:
                return bytes(first[:_OF_A_FLOOD]), bytes(second[:_OF_A_FLOOD]), "flood"
    return bytes(first), bytes(second), problem


@dataclass(frozen=True, slots=True)
class CpuFacts:
    """The processors of this machine: number, busy share in percent (of all), memory in MiB."""

    cores: int
    percent: float
    memory_used_mib: int
    memory_total_mib: int


def look_at_cpu(seconds: float = 0.1) -> CpuFacts | None:
    """Measure for ``seconds``; None where the system does not tell."""
    import psutil  # 30 ms of import that `--from` need not pay

    try:
        memory = psutil.virtual_memory()
        percent = psutil.cpu_percent(seconds)
    except (OSError, RuntimeError, psutil.Error):
        return None
    used = (memory.total - memory.available) >> 20
    return CpuFacts(os.cpu_count() or 1, percent, used, memory.total >> 20)
