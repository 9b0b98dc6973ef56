"""Remembers large trees in which nothing was wrong, so that they are not looked through again at every check.

What may be remembered: a name that comes or goes changes the times of its directory, and a directory's own mode and
owner its change time, so that all of this is seen from the directories alone. A chmod or chown of a *file* changes
nothing but that file's own change time. Therefore a remembered tree counts for ten minutes at most; some two thousand
of its entries are looked at again each time (a recursive chmod is seen at once, that of a single file after ten minutes
at the latest); trees with faults are never remembered, and `fix` and `run` do not ask.
"""

# ruff: noqa: PTH116
# os.stat and os.scandir, as in tree.py
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import stat
import time
from pathlib import Path
from typing import Any, cast

from .tree import DIRECTORY_MODE, FILE_MODE, TreeFacts

LIFETIME = 600.0  # seconds
LEAST_ENTRIES = 20_000  # a smaller tree is looked through faster than anybody notices
MOST_DIRECTORIES = 50_000  # more would make the file itself slow to read
SAMPLE = 2000  # entries looked at again
RACY_NS = 2_000_000_000  # a directory changed that shortly before may change again without another time

_VERSION = 1
_memory: dict[tuple[str, int, int], tuple[float, TreeFacts]] = {}


def remembered(top: str) -> TreeFacts | None:
    """What was found when the tree was looked through, if that still holds; never raises."""
    key = (top, os.getuid(), os.getgid())
    found = _memory.get(key) or _load(*key)
    if found is None or not 0 <= time.time() - found[0] < LIFETIME:
        return None
    facts = found[1]
    if not _same_directories(facts) or not _sample_is_clean(facts, *key[1:]):
        forget(top)
        return None
    _memory[key] = found
    return facts


def remember(top: str, facts: TreeFacts, started_ns: int) -> None:
    """Keep what was found, if it may be kept; ``started_ns`` is the time (of the wall clock) when the look began."""
    forget(top)
    if not facts.clean or not facts.entries >= LEAST_ENTRIES or len(facts.stamps) > MOST_DIRECTORIES:
        return
    if max(max(stamp) for stamp in facts.stamps.values()) > started_ns - RACY_NS:
        return
    key = (top, os.getuid(), os.getgid())
    _memory[key] = (time.time(), facts)
    with contextlib.suppress(OSError, ValueError):
        _save(*key, facts)


def forget(top: str) -> None:
    """Look through the tree again next time."""
    key = (top, os.getuid(), os.getgid())
    _memory.pop(key, None)
    with contextlib.suppress(OSError, ValueError):
        _file(*key).unlink(missing_ok=True)


def _same_directories(facts: TreeFacts) -> bool:
    try:
        for directory, stamp in facts.stamps.items():
            status = os.stat(directory)
            if (status.st_mtime_ns, status.st_ctime_ns) != tuple(stamp):
                return False
    except (OSError, ValueError):
        return False
    return True


def _sample_is_clean(facts: TreeFacts, uid: int, gid: int) -> bool:
    """Look at the entries of directories picked at random; any doubt counts as a change."""
    directories = list(facts.stamps)
    random.shuffle(directories)
    looked = 0
    try:
        for directory in directories:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if looked >= SAMPLE:
                        return True
                    status = entry.stat()
                    wanted = DIRECTORY_MODE if stat.S_ISDIR(status.st_mode) else FILE_MODE
                    if status.st_mode & 0o777 != wanted or (status.st_uid, status.st_gid) != (uid, gid):
                        return False
                    looked += 1
    except OSError:
        return False
    return True


def _file(top: str, uid: int, gid: int) -> Path:
    from platformdirs import user_cache_path

    name = hashlib.sha256(f"{uid}:{gid}:{top}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return user_cache_path("agentic-rl") / "trees" / f"{name}.json"


def _save(top: str, uid: int, gid: int, facts: TreeFacts) -> None:
    path = _file(top, uid, gid)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamps = [[directory, *stamp] for directory, stamp in facts.stamps.items()]
    content = {"version": _VERSION, "top": top, "time": time.time(), "entries": facts.entries, "stamps": stamps}
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as stream:
        json.dump(content, stream)
    partial.replace(path)


def _load(top: str, uid: int, gid: int) -> tuple[float, TreeFacts] | None:
    try:
        path = _file(top, uid, gid)
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_uid != uid or status.st_size > 64 << 20:
            return None  # not ours
        content: Any = json.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))
        if content["version"] != _VERSION or content["top"] != top:
            return None
        stamps = {str(d): (int(m), int(c)) for d, m, c in cast("list[Any]", content["stamps"])}
        facts = TreeFacts(entries=int(content["entries"]), stamps=stamps)
        return (float(content["time"]), facts) if top in stamps else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
