"""The devices of all nodes of a Ray cluster while a run of several nodes lives.

A process of the training interpreter (``agentic_rl_inside/cluster_devices.py``), which has the Ray that the cluster
speaks, prints what the device tool of each node says; here its lines are read, never waited for. It is started again
when it ends, and it ends when the supervisor does.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..stream.devices import DeviceTable, read_devices
from .device_sampler import STALE, as_row, die_with_parent

AGAIN = 30.0  # seconds until a stream that ended is started again
_MOST_LINE = 4 << 20


@dataclass(slots=True)
class _Node:
    """What is known of one node."""

    address: str
    table: DeviceTable | None = None
    at: float = 0.0
    problems: tuple[str, ...] = ()


class ClusterSampler:
    """Keeps the newest sample of each node's devices; takes the place of a `DeviceSampler`.

    Attributes:
        nodes: what is known of each node, by Ray's id of it.
        problem: why no node can be asked now (``no_cluster``, ``not_started``, ``ended``, ``flood``), else "".
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str] | None = None, again: float = AGAIN) -> None:
        """Make a sampler; ``argv`` prints the lines, in ``env`` (default: this process's own)."""
        self._argv = list(argv)
        self._env = dict(os.environ if env is None else env)
        self._again = again
        self._child: subprocess.Popen[bytes] | None = None
        self._due = 0.0
        self._rest = bytearray()
        self.nodes: dict[str, _Node] = {}
        self.problem = ""

    @property
    def pid(self) -> int:
        """Process id of the stream, which is no process of the run; 0 for none."""
        return self._child.pid if self._child else 0

    def poll(self) -> None:
        """Start the stream or read its lines, whatever is due. Never blocks, never raises."""
        if self._child is None:
            if time.monotonic() >= self._due:
                self._due = time.monotonic() + self._again
                self._begin()
            return
        ended = self._child.poll() is not None
        self._read()
        if ended:
            self.problem = self.problem or "ended"
            self.close()

    def row(self) -> dict[str, Any] | None:
        """The fields of a line of devices.jsonl: as of one machine, and each device with its ``node``."""
        if not self.nodes and not self.problem:
            return None
        now = time.monotonic()
        fresh = {key: one for key, one in self.nodes.items() if one.table and now - one.at <= STALE}
        tables = [one.table for one in fresh.values() if one.table]
        row: dict[str, Any] = {
            "source": next((table.source for table in tables if table.source), "ray"),
            "driver": next((table.driver for table in tables if table.driver), None),
            "age_s": round(max((now - one.at for one in fresh.values()), default=0.0), 1) if fresh else None,
            "devices": [
                {"node": one.address, **as_row(device)}
                for one in sorted(fresh.values(), key=lambda one: one.address)
                if one.table
                for device in one.table.devices
            ],
            "nodes": [self._node_row(one, now) for one in sorted(self.nodes.values(), key=lambda one: one.address)],
        }
        if self.problem:
            row["problems"] = [self.problem]
        return row

    def close(self) -> None:
        """End the stream."""
        if self._child is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(0.5)
        for stream in (self._child.stdin, self._child.stdout):
            if stream:
                stream.close()
        self._child = None
        self._rest.clear()

    def _begin(self) -> None:
        try:
            self._child = subprocess.Popen(
                self._argv,
                stdin=subprocess.PIPE,  # its end tells the stream to leave the cluster
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._env,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        except (OSError, subprocess.SubprocessError):
            self.problem = "not_started"
            return
        if self._child.stdout:
            os.set_blocking(self._child.stdout.fileno(), False)

    def _read(self) -> None:
        stream = self._child.stdout if self._child else None
        while stream:
            try:
                data = os.read(stream.fileno(), 1 << 16)
            except OSError:
                return
            if not data:
                return
            self._rest += data
            *lines, rest = self._rest.split(b"\n")
            self._rest = bytearray(rest)
            for line in lines:
                self._take(bytes(line))
            if len(self._rest) > _MOST_LINE:
                self.problem = "flood"
                self.close()
                return

    def _take(self, line: bytes) -> None:
        try:
            answer: Any = json.loads(line)
        except ValueError:
            return
        if not isinstance(answer, dict):
            return
        said = cast("dict[str, Any]", answer)
        problem = str(said.get("problem") or "")
        if not said.get("id"):
            self.problem = problem or self.problem
            return
        self.problem = ""
        node = self.nodes.setdefault(str(said["id"]), _Node(str(said.get("node", "?"))))
        table = read_devices(str(said.get("output", "")))
        if table.devices:
            node.table, node.at = table, time.monotonic()
        codes = [problem] if problem else []
        node.problems = tuple(dict.fromkeys((*codes, *(one.code for one in table.problems if said.get("tool")))))

    def _node_row(self, node: _Node, now: float) -> dict[str, Any]:
        row: dict[str, Any] = {"node": node.address, "age_s": round(now - node.at, 1) if node.table else None}
        if node.problems:
            row["problems"] = list(node.problems)
        return row
