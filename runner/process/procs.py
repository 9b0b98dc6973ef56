"""What /proc tells: start times that identify a pid, descendants, and processes that bear a run's mark.

Read directly instead of through psutil: one pass over /proc/*/stat costs a few milliseconds, and importing psutil
would be most of what a start takes.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Set in the environment of the training process; every descendant inherits it, whatever session it moves to.
MARK = "AGENTIC_RL_RUN_ID"

_TICKS = float(os.sysconf("SC_CLK_TCK"))
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Process:
    """One process. ``start`` is in seconds since the boot; with the pid it names a process for good."""

    pid: int
    parent: int
    start: float
    state: str
    name: str
    cpu_seconds: float

    @property
    def alive(self) -> bool:
        """False for a zombie: it holds nothing but its exit code."""
        return self.state not in "ZX"


def process(pid: int) -> Process | None:
    """The process with this pid, or None."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name is in parentheses and may itself hold blanks and parentheses.
    head, _, tail = text.rpartition(b")")
    fields = tail.split()
    if len(fields) < 20:
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    cpu = (int(fields[11]) + int(fields[12])) / _TICKS
    return Process(pid, int(fields[1]), int(fields[19]) / _TICKS, fields[0].decode(), name, cpu)


def processes() -> dict[int, Process]:
    """All processes that can be seen, by pid."""
    found: dict[int, Process] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - thousands of names, no Path for each
        if entry.isdigit() and (one := process(int(entry))):
            found[one.pid] = one
    return found


def start_time(pid: int) -> float:
    """Start of a process in seconds since the boot; 0.0 when there is none."""
    one = process(pid)
    return one.start if one else 0.0


def is_alive(pid: int, start: float) -> bool:
    """Whether the very process that was started then still runs (pids are used again; zombies do not count)."""
    if pid <= 0:
        return False
    one = process(pid)
    return one is not None and one.alive and abs(one.start - start) < 0.005


def boot_id() -> str:
    """An identifier of the time since this machine booted; "" where the kernel does not tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def host() -> str:
    """The name of this machine."""
    return socket.gethostname()


def memory_bytes(pid: int) -> int:
    """Memory that is this process's own (resident minus shared), in bytes; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_bytes().split()
    except OSError:
        return 0
    return max(int(fields[1]) - int(fields[2]), 0) * _PAGE


def bears_mark(pid: int, run_id: str) -> bool:
    """Whether the process was started with this run's mark; False for processes of others."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"{MARK}={run_id}".encode() in environment.split(b"\0")


def command_line(pid: int) -> str:
    """The command line of a process, at most 200 characters; its name where it has none."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        raw = b""
    text = raw.replace(b"\0", b" ").decode("utf-8", "replace").strip()
    one = process(pid)
    return text[:200] or (f"[{one.name}]" if one else "")


def processes_of_run(run_id: str, roots: Iterable[int] = (), known: Iterable[tuple[int, float]] = ()) -> list[Process]:
    """Every living process of a run, except the caller.

    Args:
        run_id: the mark.
        roots: pids all of whose descendants belong to the run (the keeper, as subreaper, and the training).
        known: (pid, start) of processes that were seen to belong to it. Ray's workers overwrite their environment
            with a title (`ray::IDLE`), so that the mark alone does not find them once their parents are gone.
    """
    table = processes()
    me = os.getpid()
    mine = {pid for pid, start in known if pid in table and abs(table[pid].start - start) < 0.005}
    mine |= {pid for pid in table if bears_mark(pid, run_id)}
    tops = set(roots)
    children: dict[int, list[int]] = {}
    for one in table.values():
        children.setdefault(one.parent, []).append(one.pid)
    todo = list(mine | tops)
    seen = set(todo)
    while todo:
        for child in children.get(todo.pop(), []):
            if child not in seen:
                seen.add(child)
                todo.append(child)
    found = (table[pid] for pid in sorted((seen - tops) | mine) if pid in table and pid != me)
    return [one for one in found if one.alive]
