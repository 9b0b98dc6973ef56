"""What AgentSDK's file check would find at a path, as values; the judgement is made in the room ``check``.

AgentSDK checks the configuration file and every path in it (facts 1.2): exists; at most 1024 characters, of a small
alphabet, without two dots in a row; no link anywhere in it, which also rules out relative paths; mode exactly 640 for
files and 750 for directories, in the whole tree; owner and group by name.
"""

# ruff: noqa: PTH100, PTH111, PTH116, PTH117, PTH118
# the very functions of os.path that AgentSDK judges by; pathlib normalises differently
from __future__ import annotations

import grp
import os
import pwd
import re
import stat
import time
from dataclasses import dataclass, replace
from functools import lru_cache

from .tree import DIRECTORY_MODE, FILE_MODE, Progress, TreeFacts, walk_tree
from .tree_cache import forget, remember, remembered

__all__ = ["DIRECTORY_MODE", "FILE_MODE", "LENGTH_LIMIT", "PathFacts", "look_at_path"]

LENGTH_LIMIT = 1024
_ILLEGAL = re.compile(r"[^0-9a-zA-Z_./-]")
_KINDS = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "directory"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISFIFO, "fifo"),
)


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What was found.

    Attributes:
        given: the path as it stands in the file.
        path: the absolute path that was looked at; a relative one counts from the folder of the file.
        exists: whether it leads somewhere (a broken link does not).
        kind: ``file``, ``directory``, ``socket``, ``fifo`` or ``special-device``; "" when it does not exist.
        absolute: whether it was given as an absolute path.
        bad_characters: each character that is not allowed, once.
        dotdot: two dots in a row, anywhere.
        link: an absolute path that is a link, or lies behind one; ``real`` is where it leads.
        mode: the last three octal digits, as AgentSDK compares them.
        owner, group: by name; a number where there is no name.
        wanted_owner, wanted_group: those of this process.
        nameless: this process's user or group has no name; AgentSDK's check then ends with an exception.
        tree: what lies below, for a directory that was looked through.
        error: why it could not be looked at, else "".
    """

    given: str
    path: str
    exists: bool = False
    kind: str = ""
    absolute: bool = True
    bad_characters: str = ""
    dotdot: bool = False
    link: bool = False
    real: str = ""
    mode: str = ""
    owner: str = ""
    group: str = ""
    wanted_owner: str = ""
    wanted_group: str = ""
    nameless: bool = False
    size: int = 0
    tree: TreeFacts | None = None
    error: str = ""

    @property
    def length(self) -> int:
        """Characters of the path as given."""
        return len(self.given)


def look_at_path(
    path: str,
    base: str | os.PathLike[str] = ".",
    *,
    tree: bool = True,
    progress: Progress | None = None,
    cache: bool = True,
) -> PathFacts:
    """Look at one path; never raises.

    Args:
        path: as it stands in the file.
        base: folder that a relative path counts from.
        tree: look through a directory too.
        progress: called with the number of entries every few thousand; answers whether to go on.
        cache: a large tree without fault need not be looked through again (tree_cache.py says when).
    """
    try:
        joined = os.path.join(os.fspath(base), os.path.expanduser(path))
    except ValueError:  # a NUL in a user's name
        joined = os.path.join(os.fspath(base), path)
    try:
        looked_at = os.path.abspath(joined)
    except OSError:  # the working directory is gone
        looked_at = os.path.normpath(joined)
    owner, group = _names(os.getuid(), os.getgid())
    facts = PathFacts(
        given=path,
        path=looked_at,
        absolute=os.path.isabs(path),
        bad_characters="".join(dict.fromkeys(_ILLEGAL.findall(path))),
        dotdot=".." in path,
        wanted_owner=owner,
        wanted_group=group,
        nameless=not (_user(os.getuid()) and _group(os.getgid())),
    )
    if not path:
        return facts  # joined to the base it would be the base itself
    try:
        status = os.stat(joined)  # not the tidy form: "file/" leads nowhere
        real = os.path.realpath(looked_at)
    except (FileNotFoundError, NotADirectoryError):
        return facts
    except (OSError, ValueError) as error:
        return replace(facts, error=getattr(error, "strerror", None) or str(error))
    found_owner, found_group = _names(status.st_uid, status.st_gid)
    kind = next((name for test, name in _KINDS if test(status.st_mode)), "special-device")
    return replace(
        facts,
        exists=True,
        kind=kind,
        link=real != looked_at,
        real=real,
        mode=f"{status.st_mode & 0o777:03o}",
        owner=found_owner,
        group=found_group,
        size=status.st_size,
        tree=_tree(looked_at, owner, group, progress, cache) if tree and kind == "directory" else None,
    )


def _tree(top: str, owner: str, group: str, progress: Progress | None, cache: bool) -> TreeFacts:
    if cache:
        known = remembered(top)
        if known is not None:
            return known
    started = time.time_ns()
    facts = walk_tree(top, owner, group, _names, progress)
    if cache:
        remember(top, facts, started)
    else:
        forget(top)  # whoever looks anew is about to change it
    return facts


@lru_cache(maxsize=4096)
def _names(uid: int, gid: int) -> tuple[str, str]:
    return _user(uid) or str(uid), _group(gid) or str(gid)


@lru_cache(maxsize=4096)
def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


@lru_cache(maxsize=4096)
def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return ""
