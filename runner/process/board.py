"""A few numbers shared by the keeper and the supervisor, in anonymous memory: a full disk can't take it away."""

from __future__ import annotations

import mmap
import struct
from enum import IntEnum

_ONE = struct.Struct("=q")


class Slot(IntEnum):
    """What is shared. All are whole numbers, 0 at first."""

    PHASE = 0
    CHILD = 1  # pid of the training process
    ERRNO = 2  # why it could not be started
    STATUS = 3  # its wait status, or UNKNOWN_STATUS
    LOST = 4  # bytes of its output that could not be written
    PARSED = 5  # how far train.log has been read
    STOP = 6  # 1: a stop was asked for, 2: at once
    STOP_AT = 7  # when, milliseconds of the monotonic clock
    SIGNALS = 8  # how many signals of the stop sequence were sent
    DONE = 9  # the supervisor needs the keeper no longer
    RESTARTS = 10


class Phase(IntEnum):
    """Where the training process stands."""

    NONE = 0
    STARTED = 1
    NOT_STARTED = 2
    ENDED = 3


# The training's parent died before it, so that nobody could be told its exit code.
UNKNOWN_STATUS = -1


class Board:
    """Numbers that processes forked after it was made see and set."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)

    def __getitem__(self, slot: Slot) -> int:
        return int(_ONE.unpack_from(self._memory, slot * _ONE.size)[0])

    def __setitem__(self, slot: Slot, value: int) -> None:
        _ONE.pack_into(self._memory, slot * _ONE.size, value)
