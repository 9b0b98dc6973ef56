"""umask, ulimits, shared memory, the clock, and Ray processes that are left."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .finding import Finding, Scene

# Ray warns below 4096 open files and recommends 8192 at least (ray/_private/services.py); it raises the soft limit by
# itself where the hard one allows.
_NOFILE_LEAST, _NOFILE_GOOD, _NOFILE_WANTED = 4096, 8192, 65536
_NPROC_LEAST, _NPROC_WANTED = 4096, 65536
_MEMLOCK_GIB = 1
_STACK_KIB = 8192
_SHM_LEAST, _SHM_GOOD = 1.0, 8.0  # GiB; 64 MiB is what docker gives
_DAY = 86400.0
_SHM = "/dev/shm"  # noqa: S108 - named, not opened


def judge_limits(scene: Scene) -> Iterator[Finding]:
    """Findings about the system's limits."""
    system = scene.system
    params = {
        "machine": system.machine,
        "system": system.system,
        "kernel": system.kernel,
        "container": system.container,
    }
    yield Finding("machine-ok", "ok", "machine", params)
    if system.newest and system.clock < system.newest - _DAY:
        now = time.strftime("%Y-%m-%d %H:%M", time.gmtime(system.clock))
        yield Finding("clock-wrong", "warning", "clock", {"now": f"{now} UTC"})
    if scene.ray:
        params = {"pids": [one.pid for one in scene.ray], "age": _age(max(one.age_s for one in scene.ray))}
        yield Finding("ray-left", "hint", "ray", params)
    yield from _umask(scene)
    yield from _ulimits(scene)
    yield from _shm(scene)


def _age(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _umask(scene: Scene) -> Iterator[Finding]:
    umask = scene.limits.umask
    nofile = scene.limits.limits.get("nofile", (0, 0))[0]
    shown = "" if umask is None else f"{umask:03o}"
    yield Finding("limits-ok", "ok", "limits", {"nofile": "unlimited" if nofile < 0 else nofile})
    if umask is not None and umask & 0o027 != 0o027:
        strict = "agentic_rl" in scene.software.programs
        yield Finding("umask-open", "warning" if strict else "hint", "umask", {"umask": shown})


def _ulimits(scene: Scene) -> Iterator[Finding]:
    limits = scene.limits.limits
    soft, hard = limits.get("nofile", (-1, -1))
    if 0 <= soft < _NOFILE_GOOD:
        short = 0 <= hard < _NOFILE_GOOD
        level = "warning" if short and soft < _NOFILE_LEAST else "hint"
        capped = hard if 0 <= hard < _NOFILE_WANTED else ""
        params = {"soft": soft, "wanted": _NOFILE_WANTED, "hard": capped}
        yield Finding("nofile-low", level, "ulimit -n", params)
    soft, _ = limits.get("nproc", (-1, -1))
    if 0 <= soft < _NPROC_LEAST and not scene.system.root:  # the kernel does not count root's
        yield Finding("nproc-low", "warning", "ulimit -u", {"soft": soft, "wanted": _NPROC_WANTED})
    soft, _ = limits.get("memlock", (-1, -1))
    if scene.npu and scene.nodes > 1 and 0 <= soft < _MEMLOCK_GIB << 30:
        yield Finding("memlock-low", "hint", "ulimit -l", {"soft": soft >> 10})
    soft, _ = limits.get("stack", (-1, -1))
    if scene.npu and 0 <= soft < _STACK_KIB << 10:
        yield Finding("stack-low", "hint", "ulimit -s", {"soft": soft >> 10})


def _shm(scene: Scene) -> Iterator[Finding]:
    place = scene.limits.place("shm")
    if place is None or place.total_gib is None or place.free_gib is None:
        return
    wanted = 64 if scene.npu else 8
    if place.total_gib < (_SHM_GOOD if scene.npu else _SHM_LEAST):
        level = "warning" if place.total_gib < _SHM_LEAST else "hint"
        yield Finding("shm-small", level, _SHM, {"total": f"{place.total_gib:.2g}", "wanted": wanted})
    elif place.free_gib < _SHM_LEAST:
        yield Finding("shm-full", "warning", _SHM, {"free": f"{place.free_gib:.2g}"})
