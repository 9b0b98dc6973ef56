"""Asks the device tool every few seconds while a run lives, without ever waiting for it.

The supervisor calls `poll` at each of its ticks. The tool is a child of the supervisor in a process group of its own,
never more than one at a time: a tool that hangs in the kernel and survives SIGKILL stops the asking, not the
supervisor.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from ..stream.devices import NPU_QUERY, NVIDIA_QUERIES, Device, DeviceProblem, DeviceTable, read_devices

INTERVAL = 5.0
_LIMIT = 10.0
# A sample this old, in seconds, is no longer shown as what the devices do.
STALE = 60.0
_MOST_OUTPUT = 1 << 20
_SET_DEATH_SIGNAL = 1
_FOLDERS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")


def find_queries() -> tuple[tuple[str, ...], ...]:
    """The calls that list this machine's devices, the tool with its full path; () when it has none."""
    for queries in ((NPU_QUERY,), NVIDIA_QUERIES):
        tool = queries[0][0]
        path = shutil.which(tool) or shutil.which(tool, path=os.pathsep.join(_FOLDERS))
        if path:
            return tuple((path, *argv[1:]) for argv in queries)
    return ()


class DeviceSampler:
    """Keeps the newest sample of the devices.

    Attributes:
        table: the newest sample that listed devices; None before the first.
        problems: codes of what is wrong now: those of the parser, and ``timeout``, ``stuck``, ``failed``,
            ``not_started``, ``flood``.
    """

    def __init__(
        self, queries: Sequence[Sequence[str]] | None = None, interval: float = INTERVAL, limit: float = _LIMIT
    ) -> None:
        """Make a sampler; ``queries`` are run one after the other and read together (default: the tool found)."""
        self._queries = [list(one) for one in (find_queries() if queries is None else queries)]
        self._interval = interval
        self._limit = limit
        self._child: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._started = 0.0
        self._due = 0.0
        self._next = 0
        self._output = bytearray()
        self._bytes = 0
        self._at = 0.0
        self.table: DeviceTable | None = None
        self.problems: tuple[str, ...] = ()

    @property
    def available(self) -> bool:
        """Whether this machine has a device tool."""
        return bool(self._queries)

    @property
    def pid(self) -> int:
        """Process id, and id of the process group, of the tool that runs now; 0 for none."""
        return self._child.pid if self._child else 0

    @property
    def age(self) -> float | None:
        """Seconds since the newest sample; None before the first."""
        return time.monotonic() - self._at if self.table else None

    def poll(self) -> None:
        """Start, read or end the tool, whatever is due. Takes microseconds, never blocks, never raises."""
        if not self._queries:
            return
        if self._child is None:
            if time.monotonic() >= self._due:
                self._due = time.monotonic() + self._interval
                self._begin(0)
            return
        ended = self._child.poll() is not None
        flood = not self._read()
        if not ended and not self._killed and (flood or time.monotonic() - self._started > self._limit):
            self._kill("flood" if flood else "timeout")
        elif not ended and self._killed and time.monotonic() - self._started > self._limit + 2:
            self.problems = ("stuck",)
        elif ended:
            self._end(self._child.returncode)

    def row(self) -> dict[str, Any] | None:
        """The fields of a line of devices.jsonl; None where there is no tool, or no sample and no problem yet."""
        age = self.age
        if age is None and not self.problems:
            return None
        table = self.table if age is not None and age <= STALE else None
        row: dict[str, Any] = {"source": table.source if table else os.path.basename(self._queries[0][0])}  # noqa: PTH119
        row["driver"] = table.driver if table else None
        row["age_s"] = None if age is None else round(age, 1)
        row["devices"] = [as_row(one) for one in table.devices] if table else []
        if self.problems:
            row["problems"] = list(self.problems)
        return row

    def close(self) -> None:
        """End the tool; waits for half a second at most."""
        if self._child is None:
            return
        self._kill("")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(0.5)
        self._drop()

    def _begin(self, place: int) -> None:
        if place == 0:
            self._output.clear()
        self._next = place + 1
        self._bytes = 0
        self._killed = False
        self._started = time.monotonic()
        try:
            child = subprocess.Popen(
                self._queries[place],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "LC_ALL": "C"},
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        except (OSError, subprocess.SubprocessError):
            self.problems = ("not_started",)
            return
        if child.stdout:
            os.set_blocking(child.stdout.fileno(), False)
        self._child = child

    def _read(self) -> bool:
        """Take what is there; False when it is too much."""
        stream = self._child.stdout if self._child else None
        while stream and self._bytes <= _MOST_OUTPUT:
            try:
                data = os.read(stream.fileno(), 1 << 16)
            except BlockingIOError:
                return True
            except OSError:
                return True
            if not data:
                return True
            self._bytes += len(data)
            self._output += data
        return self._bytes <= _MOST_OUTPUT

    def _kill(self, problem: str) -> None:
        self._killed = True
        if problem:
            self.problems = (problem,)
        if self._child:
            with contextlib.suppress(OSError):
                os.killpg(self._child.pid, signal.SIGKILL)

    def _drop(self) -> None:
        if self._child:
            if self._child.stdout:
                self._child.stdout.close()
            self._child = None

    def _end(self, code: int) -> None:
        killed = self._killed
        self._kill("")  # what it started in its group
        self._drop()
        if killed:
            return
        if code == 0 and self._next < len(self._queries):
            self._output += b"\n"
            self._begin(self._next)
            return
        table = read_devices(bytes(self._output))
        if table.devices:
            self.table, self._at = table, time.monotonic()
        problems = [DeviceProblem("failed")] if code else []
        self.problems = tuple(dict.fromkeys(one.code for one in (*problems, *table.problems)))


def as_row(device: Device) -> dict[str, Any]:
    """A device as it stands in devices.jsonl."""
    row = device.as_json()
    if device.phy_id is not None:
        row["phy_id"] = device.phy_id
    return row


def die_with_parent() -> None:
    """In the child: Linux ends it when the supervisor ends, `kill -9` included."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
