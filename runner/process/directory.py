"""The run directory: ``runs/<project>/<experiment>/<timestamp>/``, 750/640, one for each attempt (design 8)."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import time
import unicodedata
from pathlib import Path, PurePosixPath

from .record import RESOLVED

DIRECTORY_MODE = 0o750
FILE_MODE = 0o640
_LONGEST_NAME = 120  # bytes; file systems allow 255, paths of Hydra and TensorBoard grow below
_NOT_PLAIN = re.compile(r"[^0-9A-Za-z_.-]+|\.(?=\.)")
_UNSAFE = re.compile(r"[^\w.@+=-]+")


class DirectoryRefused(Exception):
    """The run directory can't be made there.

    Attributes:
        code: ``run.foreign_directory``, ``run.no_directory`` or ``run.bad_file_name``; params: path, owner, error.
    """

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(f"{code}: " + ", ".join(f"{k}={v}" for k, v in params.items()))
        self.code = code
        self.params = params


def safe_name(name: str, plain: bool = False) -> str:
    """A name as one component of a path.

    Letters of any script stay; slashes, blanks and controls become ``_``. A name that had to be changed gets a
    short hash, so that `a/b` and `a_b` do not share a folder. ``plain`` keeps only ``[0-9A-Za-z_.-]`` and no two
    dots in a row, for a back end that refuses other paths (``Plan.plain_paths``).
    """
    text = unicodedata.normalize("NFC", name)
    safe = (_NOT_PLAIN if plain else _UNSAFE).sub("_", text).lstrip(".-").rstrip(".")
    while len(safe.encode()) > _LONGEST_NAME:
        safe = safe[:-1]
    if safe == text and safe:
        return safe
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{safe or 'unnamed'}-{digest}"


def next_run_directory(
    runs_root: str | Path, project: str, experiment: str, now: float | None = None, *, plain: bool = False
) -> Path:
    """The absolute path of the run directory that a start now would get; makes nothing.

    For plans, which name files in it before it exists; ``make_run_directory`` makes it.
    """
    parent = Path(runs_root).expanduser().absolute() / safe_name(project, plain) / safe_name(experiment, plain)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    names = (stamp if attempt == 1 else f"{stamp}-{attempt}" for attempt in itertools.count(1))
    return next(path for path in (parent / name for name in names) if not os.path.lexists(path))


def make_run_directory(directory: Path) -> None:
    """Make a run directory, which must be new, and the folders of its project and experiment.

    Raises:
        DirectoryRefused: a folder on the way (the root, the project's or the experiment's) belongs to another
            user or is no folder, the directory exists, or it can't be made.
    """
    try:
        for folder in (directory.parents[2], directory.parents[1], directory.parent):
            _make_or_check(folder)
        directory.mkdir(DIRECTORY_MODE)
        directory.chmod(DIRECTORY_MODE)
    except OSError as error:
        raise DirectoryRefused("run.no_directory", path=str(directory), error=error.strerror or str(error)) from error


def _make_or_check(folder: Path) -> None:
    """Make one folder, with its missing parents for the root, or see that it is ours.

    A link to a folder is followed for the owner as well: both the link and what it names must be ours.
    """
    try:
        status = folder.lstat()
    except FileNotFoundError:
        folder.parent.mkdir(DIRECTORY_MODE, parents=True, exist_ok=True)
        try:
            folder.mkdir(DIRECTORY_MODE)
        except FileExistsError:  # another start was faster
            _make_or_check(folder)
            return
        folder.chmod(DIRECTORY_MODE)
        return
    owners = {status.st_uid, folder.stat().st_uid}
    if not folder.is_dir():
        raise DirectoryRefused("run.no_directory", path=str(folder), error="not a directory")
    others = owners - {os.getuid()}
    if others:
        raise DirectoryRefused("run.foreign_directory", path=str(folder), owner=_user(min(others)))


def _user(uid: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def write_file(directory: Path, name: str, text: str) -> Path:
    """Write a file of the run directory, mode 640, its folders 750.

    What a back end reads (``resolved/``) gets the group of this process, whatever the folder hands down: AgentSDK
    refuses a file of another group.

    Raises:
        DirectoryRefused: the name leaves the directory.
        OSError: it can't be written.
    """
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        raise DirectoryRefused("run.bad_file_name", path=name)
    target = directory / relative
    folder = directory
    for part in relative.parts[:-1]:
        folder = folder / part
        if not folder.is_dir():
            folder.mkdir(DIRECTORY_MODE)
            folder.chmod(DIRECTORY_MODE)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    target.chmod(FILE_MODE)
    if relative.parts[0] == RESOLVED and target.stat().st_gid != os.getgid():
        os.chown(target, -1, os.getgid())
    return target
