"""One pass over a directory tree: which modes and owners differ from what AgentSDK's file check wants."""

# ruff: noqa: PTH116
# os.stat and os.scandir: 100,000 Path objects would take longer than the looking
from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field

FILE_MODE = 0o640
DIRECTORY_MODE = 0o750
EXAMPLES = 5

Progress = Callable[[int], bool]  # entries seen so far -> whether to go on


@dataclass(frozen=True, slots=True)
class Offender:
    """An entry that differs: its path below the top, its mode as three octal digits, owner and group."""

    path: str
    kind: str
    mode: str
    owner: str
    group: str


@dataclass(slots=True)
class TreeFacts:
    """Counts over everything below a directory (itself not counted).

    Attributes:
        entries: files and directories seen.
        wrong_modes, wrong_owners: how many differ in mode, or in owner or group.
        mode_examples, owner_examples: the first of them.
        broken: links that lead nowhere; the check of AgentSDK ends with an exception at the first.
        unreadable: directories that could not be listed.
        complete: False when the progress callback has stopped the walk.
        stamps: modification and change times of every directory, for the cache.
    """

    entries: int = 0
    wrong_modes: int = 0
    wrong_owners: int = 0
    mode_examples: list[Offender] = field(default_factory=list["Offender"])
    owner_examples: list[Offender] = field(default_factory=list["Offender"])
    broken: list[str] = field(default_factory=list[str])
    unreadable: list[str] = field(default_factory=list[str])
    complete: bool = True
    stamps: dict[str, tuple[int, int]] = field(default_factory=dict[str, "tuple[int, int]"])

    @property
    def clean(self) -> bool:
        """Whether nothing differs."""
        return not (self.wrong_modes or self.wrong_owners or self.broken or self.unreadable) and self.complete


def walk_tree(
    top: str, owner: str, group: str, names: Callable[[int, int], tuple[str, str]], progress: Progress | None = None
) -> TreeFacts:
    """Look at every entry below ``top`` as ``os.walk`` would: links are not descended, but judged by their target.

    Args:
        top: the directory.
        owner: name that every entry must belong to.
        group: name of its group.
        names: (uid, gid) -> names.
        progress: called every few thousand entries; a false answer ends the walk.
    """
    facts = TreeFacts()
    pending = [top]
    while pending:
        directory = pending.pop()
        try:
            own = os.stat(directory)
            facts.stamps[directory] = (own.st_mtime_ns, own.st_ctime_ns)
            with os.scandir(directory) as entries:
                for entry in entries:
                    _look(facts, top, entry, owner, group, names, pending)
                    if progress is not None and facts.entries % 5000 == 0 and not progress(facts.entries):
                        facts.complete = False
                        return facts
        except OSError:
            facts.unreadable.append(os.path.relpath(directory, top))
    return facts


def _look(
    facts: TreeFacts,
    top: str,
    entry: os.DirEntry[str],
    owner: str,
    group: str,
    names: Callable[[int, int], tuple[str, str]],
    pending: list[str],
) -> None:
    facts.entries += 1
    try:
        status = entry.stat()
    except OSError:
        if len(facts.broken) < EXAMPLES:
            facts.broken.append(os.path.relpath(entry.path, top))
        return
    directory = stat.S_ISDIR(status.st_mode)
    if directory and not entry.is_symlink():
        pending.append(entry.path)
    found = names(status.st_uid, status.st_gid)
    wrong_mode = (status.st_mode & 0o777) != (DIRECTORY_MODE if directory else FILE_MODE)
    wrong_owner = found != (owner, group)
    if not (wrong_mode or wrong_owner):
        return
    facts.wrong_modes += wrong_mode
    facts.wrong_owners += wrong_owner
    room = (wrong_mode and len(facts.mode_examples) < EXAMPLES, wrong_owner and len(facts.owner_examples) < EXAMPLES)
    if any(room):
        relative = os.path.relpath(entry.path, top)
        kind = "directory" if directory else "file"
        offender = Offender(relative, kind, f"{status.st_mode & 0o777:03o}", *found)
        if room[0]:
            facts.mode_examples.append(offender)
        if room[1]:
            facts.owner_examples.append(offender)
