"""The keeper: parent of the training process, drains its output into train.log, reaps what it leaves.

Why a pipe and two processes. If the training wrote straight into train.log, a full disk would raise OSError in its
`print` and end it after hours of work. With a pipe, the end of the one who reads it would: EPIPE in `print`. So the
reading end is held by two processes, keeper and supervisor, each of which notices the other's end within half a
second and forks it anew (`kill -9` of either, the OOM killer): training goes on, no byte of its output is dropped,
and its exit code is still told. Everything that may be slow or fail (parsing, JSON, run.json, viewers) lives in the
supervisor; the keeper only moves bytes.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import select
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType

from .board import UNKNOWN_STATUS, Board, Phase, Slot
from .logfile import RawLog
from .procs import is_alive, start_time

_SET_CHILD_SUBREAPER = 36
_SET_PIPE_SIZE = 1031  # fcntl.F_SETPIPE_SZ, which Python 3.10 has on some builds only
_PIECE = 1 << 18
_PULSE = 0.5
_MOST_RESTARTS = 20
_RESET = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def become_subreaper() -> None:
    """Adopt orphaned descendants (Linux: PR_SET_CHILD_SUBREAPER), so that none escapes by a double fork."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def make_pipe() -> tuple[int, int]:
    """A pipe of 1 MiB: room for a burst while the disk is slow."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with contextlib.suppress(OSError):
        fcntl.fcntl(writing, _SET_PIPE_SIZE, 1 << 20)
    return reading, writing


def catch_signals(handler: Callable[[int, FrameType | None], None]) -> int:
    """Handle the usual signals and wake up for them; returns the descriptor that becomes readable.

    Handlers, not SIG_IGN: an ignored signal stays ignored in the training process (a shell's background job hands
    down SIG_IGN for SIGINT, and then Ray can't be interrupted), a handled one is reset to its default there.
    """
    reading, writing = os.pipe()
    for end in (reading, writing):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (*_RESET, signal.SIGCHLD):
        signal.signal(number, handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    return reading


class Keeper:
    """Keeps one training process. ``run`` returns when the supervisor has said that it is done."""

    def __init__(self, board: Board, output: int, log: Path, supervise: Callable[[], None]) -> None:
        """Make a keeper.

        Args:
            board: shared with the supervisor.
            output: reading end of the training's output.
            log: path of train.log.
            supervise: runs a supervisor in the calling process until the end of the run; for the fork.
        """
        self._board = board
        self._output = output
        self._log = RawLog(log, lost=board[Slot.LOST])
        self._supervise = supervise
        self._supervisor = os.getppid()
        self._child_start = start_time(board[Slot.CHILD])
        self._wakeup = catch_signals(_do_nothing)

    def start(self, argv: Sequence[str], env: Mapping[str, str], cwd: str, writing: int) -> None:
        """Start the training in a session of its own; a failure is put on the board."""
        try:
            child = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                cwd=cwd,
                env=dict(env),
                start_new_session=True,
                umask=0o027,
            )
        except OSError as error:
            self._board[Slot.ERRNO] = error.errno or 1
            self._board[Slot.PHASE] = Phase.NOT_STARTED
        else:
            child.returncode = 0  # reaped here, with all the orphans, not by Popen
            self._child_start = start_time(child.pid)
            self._board[Slot.CHILD] = child.pid
            self._board[Slot.PHASE] = Phase.STARTED
        finally:
            os.close(writing)

    def adopt(self, supervisor: int) -> None:
        """Take a process that was forked elsewhere as the supervisor to watch."""
        self._supervisor = supervisor

    def run(self) -> None:
        """Move bytes, reap, watch the supervisor."""
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        while not self._board[Slot.DONE]:
            events = dict(poll.poll(_PULSE * 1000))
            if self._wakeup in events:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wakeup, 4096)
            if self._output in events and not self._drain():
                poll.unregister(self._output)
            self._reap()
            self._watch_supervisor()
        self._drain()
        self._log.close()

    def _drain(self) -> bool:
        """Move what is there; False at the end of the output (every writer is gone)."""
        for _ in range(64):
            try:
                data = os.read(self._output, _PIECE)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._log.write(data)
            if self._log.lost != self._board[Slot.LOST]:
                self._board[Slot.LOST] = self._log.lost
        return True

    def _reap(self) -> None:
        child = self._board[Slot.CHILD]
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid == child and self._board[Slot.PHASE] == Phase.STARTED:
                self._ended(status)
            elif pid == self._supervisor:
                self._supervisor = 0
        if self._board[Slot.PHASE] == Phase.STARTED and not is_alive(child, self._child_start):
            # Either it is ours and ended between the two looks, or its last threads are still on their way out: the
            # leader of a process shows as a zombie then, and can't be waited for yet (seen on a busy machine).
            # Or it is not ours (its first keeper was killed), and nobody can tell how it ended.
            try:
                pid, status = os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                self._ended(UNKNOWN_STATUS)
            else:
                if pid:
                    self._ended(status)

    def _ended(self, status: int) -> None:
        self._board[Slot.STATUS] = status
        self._board[Slot.PHASE] = Phase.ENDED
        if self._supervisor:
            # Wakes it up; SIGCHLD, because it is harmless to one that has not set its handlers yet.
            with contextlib.suppress(OSError):
                os.kill(self._supervisor, signal.SIGCHLD)

    def _watch_supervisor(self) -> None:
        # A supervisor that forked us is our parent; one that we forked is our child, and was reaped above.
        if self._supervisor and (os.getppid() == self._supervisor or _is_child(self._supervisor)):
            return
        if self._board[Slot.RESTARTS] >= _MOST_RESTARTS:
            # Something kills every supervisor: keep the training, and leave with it.
            if self._board[Slot.PHASE] == Phase.ENDED:
                self._board[Slot.DONE] = 1
            return
        if self._board[Slot.DONE]:
            return
        self._board[Slot.RESTARTS] += 1
        self._supervisor = os.fork()
        if self._supervisor == 0:
            run_and_leave(self._supervise)


def run_and_leave(work: Callable[[], None]) -> None:
    """Run in a forked process and end it, whatever happens, without running the parent's clean-up."""
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def _is_child(pid: int) -> bool:
    from .procs import process

    one = process(pid)
    return one is not None and one.parent == os.getpid()


def _do_nothing(number: int, frame: FrameType | None) -> None:
    pass
