"""How long a check looks through directory trees, and what it says meanwhile."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

PATIENCE = 60.0  # seconds for one tree; 100,000 files take below one on a local disk and some on a network file system
_SPEAK = 1.0  # seconds after which something is said


def patient(chinese: bool, seconds: float = PATIENCE, *, speak: bool = True) -> Callable[[int], bool]:
    """A progress callback of `look_at_path`: a counter on a terminal's standard error, and an end to it.

    Several trees looked at with one callback each have the whole time: a count that falls begins a new one.
    ``speak=False`` is for whoever owns the screen.
    """
    started = time.monotonic()
    before = 0

    def progress(count: int) -> bool:
        nonlocal started, before
        now = time.monotonic()
        if count <= before:
            started = now
        before = count
        if speak and sys.stderr.isatty() and now - started > _SPEAK:
            said = f"已检查 {count:,} 个文件" if chinese else f"{count:,} files looked at"
            sys.stderr.write(f"\r{said}\x1b[K\r")  # overwritten by whatever comes next
            sys.stderr.flush()
        return now - started < seconds

    return progress
