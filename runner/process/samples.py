"""What a run uses of this machine, CPU and devices, a line in devices.jsonl every few seconds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .cluster_sampler import ClusterSampler
from .device_sampler import DeviceSampler
from .logfile import JsonAppender
from .procs import Process, memory_bytes
from .record import DEVICES

INTERVAL = 5.0


class Sampler:
    """Samples CPU and memory of a set of processes, and the devices where the machine has a tool that lists them."""

    def __init__(self, directory: Path, devices: DeviceSampler | ClusterSampler | None = None) -> None:
        self._file = JsonAppender(directory / DEVICES)
        self._devices = devices or DeviceSampler()
        self._before: dict[tuple[int, float], float] = {}
        self._at = time.monotonic()

    @property
    def tool(self) -> int:
        """Process id of the device tool that runs now, which is no process of the run; 0 for none."""
        return self._devices.pid

    def poll(self) -> None:
        """See to the device tool; never waits for it."""
        self._devices.poll()

    def sample(self, found: Iterable[Process]) -> None:
        """Write one line. ``cpu.percent``: 100 is one core; ``memory_mib``: what is the processes' own."""
        now = time.monotonic()
        used = {(one.pid, one.start): one.cpu_seconds for one in found}
        spent = sum(max(seconds - self._before.get(key, 0.0), 0.0) for key, seconds in used.items())
        percent = 100 * spent / max(now - self._at, 0.1)
        memory = sum(memory_bytes(pid) for pid, _ in used)
        first = not self._before
        self._before, self._at = used, now
        cpu: dict[str, Any] = {
            "percent": None if first else round(percent, 1),
            "cores": os.cpu_count(),
            "memory_mib": round(memory / 2**20, 1),
            "processes": len(used),
            "available_mib": _available_mib(),
        }
        row: dict[str, Any] = {"time": round(time.time(), 3), "source": "processes", "cpu": cpu, "devices": []}
        self._file.write({**row, **(self._devices.row() or {})})

    def close(self) -> None:
        """End the device tool, close the file."""
        self._devices.close()
        self._file.close()


def _available_mib() -> float | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:
            for line in stream:
                if line.startswith("MemAvailable:"):
                    return round(int(line.split()[1]) / 1024, 1)
    except (OSError, ValueError):
        pass
    return None
