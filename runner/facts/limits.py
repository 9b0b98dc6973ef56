"""Limits of this process and its places: umask, ulimits, shared memory, disks, the temporary directory."""

from __future__ import annotations

import os
import re
import resource
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LIMITS = {
    "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC,
    "memlock": resource.RLIMIT_MEMLOCK,
    "stack": resource.RLIMIT_STACK,
}
UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class Place:
    """A directory in which a run writes.

    Attributes:
        role: ``work``, ``home``, ``ray`` or ``shm``.
        path: the directory, or its nearest parent that exists.
        free_gib: free space for this user; None when the system does not tell.
        total_gib: size of the file system.
        used_percent: how full it is, as `df` counts.
        free_inodes: None where the file system has no fixed number.
        writable: whether this user may write there.
    """

    role: str
    path: str
    free_gib: float | None = None
    total_gib: float | None = None
    used_percent: float | None = None
    free_inodes: int | None = None
    writable: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """What the system allows this user.

    Attributes:
        umask: of this process, as the shell handed it down; None when the system does not tell.
        limits: name (``nofile``, ``nproc``, ``memlock``, ``stack``) -> (soft, hard); -1 is unlimited.
        places: the directories in which a run writes.
        temporary: where Ray makes its sessions when nothing else is said (``RAY_TMPDIR``, else ``TMPDIR``, else /tmp).
        temporary_from: the variable that names it, "" for the default.
    """

    umask: int | None = None
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, "tuple[int, int]"])
    places: tuple[Place, ...] = ()
    temporary: str = "/tmp"  # noqa: S108 - Ray's own default
    temporary_from: str = ""

    def place(self, role: str) -> Place | None:
        """The directory with that role."""
        return next((one for one in self.places if one.role == role), None)


def look_at_limits(
    work: str | os.PathLike[str] = ".", root: str | os.PathLike[str] = "/", env: Mapping[str, str] | None = None
) -> Limits:
    """Look at the limits of this process.

    Args:
        work: the directory in which a run would be started.
        root: where ``proc`` and ``dev/shm`` are.
        env: the environment to judge; this process's own when None.
    """
    variables = os.environ if env is None else env
    named = next((name for name in ("RAY_TMPDIR", "TMPDIR") if variables.get(name)), "")
    temporary = variables[named] if named else tempfile.gettempdir() if env is None else "/tmp"  # noqa: S108
    top = Path(root)
    shm = top / "dev" / "shm"
    wanted = {"work": Path(work), "home": Path(variables.get("HOME") or "~").expanduser(), "ray": Path(temporary)}
    return Limits(
        umask=_umask(top / "proc" / "self" / "status"),
        limits={name: _limit(number) for name, number in LIMITS.items()},
        places=(*(look_at_place(role, path) for role, path in wanted.items()),
                *((look_at_place("shm", shm),) if shm.is_dir() else ())),
        temporary=temporary,
        temporary_from=named,
    )  # fmt: skip


def look_at_place(role: str, path: Path) -> Place:
    """Free space where a directory is, or would be made."""
    try:
        there = path.absolute()
        while not there.exists() and there != there.parent:
            there = there.parent
        state = os.statvfs(there)
    except (OSError, ValueError):
        return Place(role, str(path))
    taken, usable = state.f_blocks - state.f_bfree, state.f_blocks - state.f_bfree + state.f_bavail
    return Place(
        role,
        str(there),
        state.f_bavail * state.f_frsize / 2**30,
        state.f_blocks * state.f_frsize / 2**30,
        100 * taken / usable if usable else None,
        state.f_favail if state.f_files else None,
        os.access(there, os.W_OK),
    )


def _umask(status: Path) -> int | None:
    # Not by os.umask(), which would change it for a moment under all other threads.
    try:
        match = re.search(r"^Umask:\s*([0-7]+)", status.read_text(encoding="ascii", errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return int(match[1], 8) if match else None


def _limit(number: int) -> tuple[int, int]:
    soft, hard = resource.getrlimit(number)
    return (
        UNLIMITED if soft == resource.RLIM_INFINITY else soft,
        UNLIMITED if hard == resource.RLIM_INFINITY else hard,
    )
