"""Ends the process when its terminal is gone.

Textual 8.2 does not survive that: its thread that writes dies, its queue fills up, the app waits for ever, and the
thread that reads spins on the end of the file (18 % of a core, for days, for every lost ssh connection). There is no
terminal left to put in order, so the process simply ends, after what must be saved is saved.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

EXIT_CODE = 129
_EVERY = 2.0


def watch_terminal(save: Callable[[], None]) -> None:
    """End on SIGHUP; and, where that is ignored (nohup), within seconds of the terminal's end.

    Args:
        save: called once before the end.
    """
    once = threading.Lock()

    def end(*_: object) -> None:
        if once.acquire(blocking=False):
            try:
                save()
            finally:
                os._exit(EXIT_CODE)

    # A plain handler, not one of the event loop: the loop may be waiting for the dead terminal already.
    with contextlib.suppress(ValueError):  # not the main thread
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, end)
    descriptor = sys.__stdin__.fileno() if sys.__stdin__ is not None else -1
    if descriptor >= 0 and os.isatty(descriptor):
        threading.Thread(target=_watch, args=(descriptor, end), name="terminal-watch", daemon=True).start()


def _watch(descriptor: int, end: Callable[[], None]) -> None:
    while os.isatty(descriptor):
        time.sleep(_EVERY)
    end()
