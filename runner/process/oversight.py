"""Watches over one run from the start of its training process to the last trace of it.

Reads the growing train.log, writes run.json, metrics.jsonl, events.jsonl and devices.jsonl, stops the training
when told to by SIGTERM (SIGUSR1: at once), and, whatever the end was, leaves no process, lock or temporary
directory of the run behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from .board import UNKNOWN_STATUS, Board, Phase, Slot
from .cluster_sampler import ClusterSampler
from .ending import conclude, mask_files, save
from .keeper import Keeper, become_subreaper, catch_signals, make_pipe, run_and_leave
from .lock import RunLock
from .procs import Process, is_alive, processes_of_run, start_time
from .record import LOG, RunRecord
from .recorder import Recorder
from .samples import INTERVAL, Sampler
from .spec import Launch
from .sweep import note_processes, remove_ray_directory, sweep

_TICK = 0.2
_FIRST_INTERVAL = 0.4
_BUSY_ROUNDS = 16


class Supervisor:
    """Watches over one run until its end. Everything it needs is in the run directory or on the board."""

    def __init__(
        self, directory: Path, launch: Launch, board: Board, output: int, lock: RunLock | None, ray: str
    ) -> None:
        """Make a supervisor; ``output`` is the reading end of the training's output, held open, never read."""
        self.directory = directory
        self.launch = launch
        self.board = board
        self.output = output
        self.lock = lock
        self.ray = ray
        self.keeper = 0
        self.keeper_start = 0.0
        self.record = RunRecord.read(directory)
        self._known: set[tuple[int, float]] = set()
        self._noted: set[tuple[int, float]] | None = None
        self._sample_at = 0.0
        self.on_running: Callable[[], None] | None = None

    def supervise(self) -> None:
        """Run until the run's end. Called in a process of its own, also for the second time after a `kill -9`."""
        self._wakeup = catch_signals(self._on_signal)
        self._noted = None  # processes.json names a new keeper perhaps
        self._sample_at = 0.0
        self._interval = _FIRST_INTERVAL
        self.record = RunRecord.read(self.directory)
        self.record.supervisor_pid = os.getpid()
        self.record.supervisor_start = start_time(os.getpid())
        self.recorder = Recorder(self.directory, self.launch.metrics_file, self.board[Slot.PARSED])
        watch = self.launch.device_stream
        self.sampler = Sampler(self.directory, ClusterSampler(watch) if watch else None)
        if self.board[Slot.RESTARTS]:
            self.recorder.event("warning", text="the supervisor was killed and has been started again")
        else:
            self.record.state = "running"
            self.record.pid = self.board[Slot.CHILD]
            self.record.pid_start = start_time(self.record.pid)
            self.record.started = time.time()
            self.recorder.event("state", state="running", pid=self.record.pid)
        save(self.record)
        if self.on_running:
            self.on_running()
            self.on_running = None
        while self.board[Slot.PHASE] == Phase.STARTED:
            self._look()
            self._wait(_TICK)
        self._finish()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del frame
        wanted = {signal.SIGTERM: 1, signal.SIGINT: 1, signal.SIGUSR1: 2}.get(signal.Signals(number), 0)
        if wanted > self.board[Slot.STOP]:
            self.board[Slot.STOP] = wanted
            self.board[Slot.STOP_AT] = int(time.monotonic() * 1000)
            self.board[Slot.SIGNALS] = 0

    def _wait(self, seconds: float) -> None:
        ready, _, _ = select.select([self._wakeup], [], [], seconds)
        if ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wakeup, 4096)

    def _look(self) -> None:
        """One round: read what is new, stop if asked to, sample, see to the keeper."""
        for _ in range(_BUSY_ROUNDS):
            if not self.recorder.poll():
                break
            self.board[Slot.PARSED] = self.recorder.offset
            self._stop_if_asked()
        self._stop_if_asked()
        self._take_facts()
        self.sampler.poll()
        if time.monotonic() >= self._sample_at:
            # Often at first: a start spawns its processes in the first seconds, and they are to be known.
            self._sample_at = time.monotonic() + self._interval
            self._interval = min(2 * self._interval, INTERVAL)
            found = self.processes()
            self.sampler.sample(found)
        self._watch_keeper()

    def _take_facts(self) -> None:
        facts = self.recorder.facts
        lost = self.board[Slot.LOST]
        total = facts.total_steps or self.record.total_steps
        resumed = facts.resumed_step or self.record.resumed_step
        before = (self.record.total_steps, self.record.resumed_step, self.record.lost_bytes)
        if (total, resumed, lost) == before:
            return
        if lost and not self.record.lost_bytes:
            self.recorder.event("warning", text="train.log can't be written; the training goes on", lost_bytes=lost)
        self.record.total_steps, self.record.resumed_step, self.record.lost_bytes = total, resumed, lost
        save(self.record)

    def processes(self) -> list[Process]:
        """The living processes of the run; remembers them for the sweep."""
        found = processes_of_run(self.record.id, (self.keeper, self.board[Slot.CHILD]), self._known)
        # A supervisor that the keeper forked has its device tool below the keeper, where the run's processes are.
        tool = self.sampler.tool
        found = [one for one in found if one.pid != self.keeper and not (tool and tool in (one.pid, one.parent))]
        child = self.board[Slot.CHILD]
        if self.board[Slot.PHASE] == Phase.STARTED and all(one.pid != child for one in found):
            found += [one for one in processes_of_run("", (), {(child, self.record.pid_start)}) if one.pid == child]
        self._known |= {(one.pid, one.start) for one in found}
        self._known &= {(one.pid, one.start) for one in found}
        if self._known != self._noted:
            self._noted = set(self._known)
            note_processes(self.directory, (self.keeper, self.keeper_start), self.ray, self._known)
        return found

    def _stop_if_asked(self) -> None:
        wanted = self.board[Slot.STOP]
        if not wanted or self.board[Slot.PHASE] != Phase.STARTED:
            return
        limits = self.launch.limits
        steps = [(signal.SIGINT, 0.0), (signal.SIGTERM, limits.interrupt),
                 (signal.SIGKILL, limits.interrupt + limits.terminate)]  # fmt: skip
        if wanted == 2:
            steps = [(signal.SIGTERM, 0.0), (signal.SIGKILL, limits.now)]
        if not self.record.stop_requested or self.record.state != "stopping":
            self.record.stop_requested = True
            self.record.state = "stopping"
            save(self.record)
            self.recorder.event("state", state="stopping")
        sent = self.board[Slot.SIGNALS]
        since = time.monotonic() - self.board[Slot.STOP_AT] / 1000
        if sent < len(steps) and since >= steps[sent][1]:
            self.board[Slot.SIGNALS] = sent + 1
            with contextlib.suppress(OSError):
                os.killpg(self.board[Slot.CHILD], steps[sent][0])

    def _watch_keeper(self) -> None:
        if is_alive(self.keeper, self.keeper_start):
            return
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.keeper, os.WNOHANG)
        # The one that is left becomes the keeper, for the training (an orphan now) may have become its child; a
        # new supervisor takes over.
        self.board[Slot.RESTARTS] += 1
        self.recorder.close()
        self.sampler.close()
        keep_in_this_process(self)

    def _let_drain(self, seconds: float = 5.0) -> None:
        """Wait until the keeper has moved all that is in the pipe (a left process may go on writing: not forever)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not struct.unpack("i", fcntl.ioctl(self.output, termios.FIONREAD, b"\0" * 4))[0]:
                return
            self._wait(0.02)

    def _read_the_rest(self) -> None:
        """Parse to the end of train.log, however far behind; what comes later is not waited for."""
        with contextlib.suppress(OSError):
            size = (self.directory / LOG).stat().st_size
            while self.recorder.position < size and self.recorder.poll():
                self.board[Slot.PARSED] = self.recorder.offset
        self.recorder.poll(last=True)

    def _finish(self) -> None:
        limits = self.launch.limits
        self._let_drain()
        stopped = bool(self.board[Slot.STOP])
        # After a clean end something may still be at work, such as an upload of wandb.
        left = sweep(self.processes, 0 if stopped or self.board[Slot.STATUS] else limits.linger, limits.sweep)
        self._let_drain()
        self._read_the_rest()
        self._take_facts()
        if left:
            names = sorted({one.name for one in left})
            # After a clean end that is Ray being slow to leave, nothing a person should worry about.
            kind = "warning" if self.board[Slot.STATUS] and not stopped else "cleanup"
            self.recorder.event(kind, text="processes of the run were left and have been removed", names=names)
        remove_ray_directory(self.ray)
        mask_files(self.directory, self.launch.files)
        status = self.board[Slot.STATUS]
        known = status if status != UNKNOWN_STATUS else None
        conclude(self.record, known, stopped, self.recorder, self.launch.failures)
        if self.lock:
            self.lock.release()
        self.recorder.close()
        self.sampler.close()
        save(self.record)
        self.board[Slot.DONE] = 1
        end = time.monotonic() + 3
        while is_alive(self.keeper, self.keeper_start) and time.monotonic() < end:
            with contextlib.suppress(OSError):
                os.kill(self.keeper, signal.SIGCHLD)  # wakes it up
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.keeper, os.WNOHANG)
            time.sleep(0.005)


def keep_in_this_process(supervisor: Supervisor) -> None:
    """Become the keeper, fork a supervisor; never returns."""
    become_subreaper()
    supervisor.keeper, supervisor.keeper_start = os.getpid(), start_time(os.getpid())
    child = os.fork()
    if child == 0:
        run_and_leave(supervisor.supervise)
    keeper = Keeper(supervisor.board, supervisor.output, supervisor.directory / LOG, supervisor.supervise)
    keeper.adopt(child)
    run_and_leave(keeper.run)


def fork_keeper(supervisor: Supervisor, env: dict[str, str]) -> None:
    """Fork the keeper, which starts the training; returns when it has, or could not."""
    reading, writing = make_pipe()
    supervisor.output = reading
    keeper = os.fork()
    if keeper == 0:
        become_subreaper()
        supervisor.keeper, supervisor.keeper_start = os.getpid(), start_time(os.getpid())
        work = Keeper(supervisor.board, reading, supervisor.directory / LOG, supervisor.supervise)
        work.start(supervisor.launch.argv, env, supervisor.launch.cwd, writing)
        run_and_leave(work.run)
    os.close(writing)
    supervisor.keeper, supervisor.keeper_start = keeper, start_time(keeper)
    while supervisor.board[Slot.PHASE] == Phase.NONE and is_alive(keeper, supervisor.keeper_start):
        time.sleep(0.005)
