"""What this machine has, from device files and counters of the kernel; starts no process and takes a millisecond."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Accelerator = Literal["npu", "gpu", "cpu"]

_NPU = re.compile(r"davinci\d+\Z")
_GPU = re.compile(r"nvidia\d+\Z")
_VISIBLE = {"npu": "ASCEND_RT_VISIBLE_DEVICES", "gpu": "CUDA_VISIBLE_DEVICES"}


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine (each node of a cluster of equal ones) as the training process would see it; None is unknown.

    Attributes:
        accelerator: ``npu`` when there are Ascend devices, else ``gpu``, else ``cpu``.
        devices: accelerators of a node, after the variable that hides some; 0 on a CPU.
        present: accelerators of that kind in the node, hidden ones too.
        cpus: cores of a node that this process may use (affinity and the container's quota).
        memory_gib: main memory of a node, or the container's limit where that is lower.
        free_memory_gib: what of it is available now.
        free_disk_gib: free space at the place that was asked about.
        tools: which of ``npu-smi`` and ``nvidia-smi`` are on the path.
        nodes: how many such machines there are.
        device_memory_gib: memory of one accelerator, all of it.
        free_device_memory_gib: what of it is free before the run, on the fullest accelerator.
        ray_devices: accelerators that Ray knows of, in the whole cluster.
        env: environment variables that are set there.
        title: name of the profile it was read from, in both languages.
    """

    accelerator: Accelerator | None
    devices: int | None
    present: int | None = None
    cpus: int | None = None
    memory_gib: float | None = None
    free_memory_gib: float | None = None
    free_disk_gib: float | None = None
    tools: tuple[str, ...] = ()
    nodes: int | None = None
    device_memory_gib: float | None = None
    free_device_memory_gib: float | None = None
    ray_devices: int | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    title: Mapping[str, str] = field(default_factory=dict[str, str])


def look_at_machine(place: str | os.PathLike[str] = ".", root: str | os.PathLike[str] = "/") -> Machine:
    """Look at this machine.

    Args:
        place: where free disk space matters.
        root: where ``dev``, ``proc`` and ``sys`` are (tests put a folder of their own).
    """
    top = Path(root)
    names = _listed(top / "dev")
    npus = sum(1 for name in names if _NPU.match(name))
    gpus = sum(1 for name in names if _GPU.match(name))
    accelerator: Accelerator = "npu" if npus else "gpu" if gpus else "cpu"
    present = npus or gpus
    total, free = _memory(top)
    try:
        disk = shutil.disk_usage(place).free / 2**30
    except OSError:
        disk = 0.0
    tools = tuple(tool for tool in ("npu-smi", "nvidia-smi") if shutil.which(tool))
    return Machine(accelerator, _visible(accelerator, present), present, _cpus(top), total, free, disk, tools)


def _listed(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _visible(accelerator: Accelerator, present: int) -> int:
    listed = os.environ.get(_VISIBLE.get(accelerator, ""))
    if listed is None or not present:
        return present
    return min(present, len([part for part in listed.split(",") if part.strip() and part.strip() != "-1"]))


def _cpus(root: Path) -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    quota, _, period = _text(root / "sys/fs/cgroup/cpu.max").partition(" ")
    if quota.isdecimal() and period.isdecimal() and int(period):
        cores = min(cores, max(1, int(quota) // int(period)))
    return cores


def _memory(root: Path) -> tuple[float, float]:
    counters = dict(re.findall(r"^(\w+):\s+(\d+) kB", _text(root / "proc/meminfo"), re.MULTILINE))
    total, free = (int(counters.get(name, 0)) / 2**20 for name in ("MemTotal", "MemAvailable"))
    limit = _text(root / "sys/fs/cgroup/memory.max")
    if limit.isdecimal() and int(limit) / 2**30 < total:
        total = int(limit) / 2**30
        used = _text(root / "sys/fs/cgroup/memory.current")
        free = min(free, total - int(used) / 2**30) if used.isdecimal() else min(free, total)
    return total, free


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
