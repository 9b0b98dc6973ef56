"""Save the text: exact bytes, nobody else's work overwritten silently, what was there before kept."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from . import rooms
from .drafts import state_folder

if TYPE_CHECKING:
    from .state import Form

Outcome = Literal["saved", "unchanged", "changed_on_disk", "exists", "read_only", "no_folder", "a_folder", "failed"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an attempt to save.

    Attributes:
        outcome: ``saved``, ``unchanged`` (the file already holds these bytes), or why nothing was written.
        path: the file meant.
        backup: where the former content went; None when there was none, or it was the wizard's own.
        reason: the system's words, for ``failed``.
    """

    outcome: Outcome
    path: Path
    backup: Path | None = None
    reason: str = ""


def read_disk(path: Path) -> str | None:
    """The text of a file as it is now, byte for byte; None where there is none to read."""
    try:
        with path.open(encoding="utf-8", newline="", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None


def changed_on_disk(form: Form) -> bool:
    """Whether another process rewrote (or removed) the file since this form read or wrote it."""
    origin = form.origin
    return origin.path is not None and origin.disk is not None and read_disk(origin.path) != origin.disk


def save(form: Form, path: Path, force: bool = False, folder: Path | None = None) -> Result:
    """Write the form's text to ``path``.

    Args:
        form: what to save; it learns of a success (`Form.saved`).
        path: the target; a symbolic link is followed, so that the link stays a link.
        force: write although the file exists or changed meanwhile; its content then becomes a backup.
        folder: the user's state folder (tests).
    """
    target = path.expanduser().absolute()
    if target.is_symlink():
        target = target.resolve()
    blocked = _blocked(target)
    if blocked is not None:
        return blocked
    now = read_disk(target)
    if now == form.text:
        with suppress(OSError):  # not ours to change: then it stays as it is
            target.chmod(0o640)
        form.saved(target)
        return Result("unchanged", target)
    known = form.origin.path
    same_file = known is not None and known.absolute() in (target, path.expanduser().absolute())
    if now is not None and not force:
        if not same_file or form.origin.disk is None:
            return Result("exists", target)
        if now != form.origin.disk:
            return Result("changed_on_disk", target)
    own = _Own(folder if folder is not None else state_folder())
    try:
        backup = _back_up(target) if now is not None and not own.holds(target, now) else None
        rooms.write(target, form.text)
    except UnicodeEncodeError as error:  # a lone surrogate that some terminal let through
        return Result("failed", target, reason=str(error.reason))
    except OSError as error:
        outcome: Outcome = "read_only" if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else "failed"
        return Result(outcome, target, reason=error.strerror or str(error))
    own.remember(target, form.text)
    form.saved(target)
    return Result("saved", target, backup)


def suggested_name(form: Form) -> str:
    """A name for a text that has none: the template's, made free with a number."""
    stem = form.origin.template or Path(form.origin.imported).stem or "config"
    name, number = f"{stem}.yaml", 1
    while Path(name).exists() and number < 100:
        number += 1
        name = f"{stem}-{number}.yaml"
    return name


def _blocked(target: Path) -> Result | None:
    """Why nothing can be written there; None when it can."""
    if target.is_dir():
        return Result("a_folder", target)
    if not target.parent.is_dir():
        return Result("no_folder", target)
    with suppress(OSError):
        mode = target.stat().st_mode
        if not stat.S_ISREG(mode):
            return Result("failed", target, reason=os.strerror(errno.EINVAL))
        # Renaming over a file needs no right to write to it, and root may do anything: respect the mode itself.
        if not mode & 0o222 or not os.access(target, os.W_OK):
            return Result("read_only", target)
    if not os.access(target.parent, os.W_OK):
        return Result("read_only", target)
    return None


def _back_up(target: Path) -> Path:
    """Copy a file that somebody else wrote to the next free ``NAME.bak-N``."""
    number = 1
    while True:
        backup = target.with_name(f"{target.name}.bak-{number}")
        try:
            descriptor = os.open(backup, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o640)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(descriptor, "wb") as copy, target.open("rb") as old:
            shutil.copyfileobj(old, copy)
            os.fsync(copy.fileno())
        return backup


def recent_files(folder: Path | None = None, most: int = 8) -> list[Path]:
    """Files that this program wrote and that still exist, the latest first."""
    own = _Own(folder if folder is not None else state_folder())
    found = [Path(name) for name in reversed(own.names())]
    return [path for path in found if path.is_file()][:most]


class _Own:
    """Digests of the files this program wrote last, by path: such a file needs no backup."""

    def __init__(self, folder: Path) -> None:
        """Keep them in ``folder``."""
        self._file = folder / "written.json"

    def holds(self, path: Path, text: str) -> bool:
        """Whether ``text`` is what was written to ``path`` last."""
        return self._read().get(str(path)) == _digest(text)

    def names(self) -> list[str]:
        """Paths of the files, the latest last."""
        return list(self._read())

    def remember(self, path: Path, text: str) -> None:
        """Note what was written; without a state folder every file counts as foreign, which only costs a backup."""
        known = self._read()
        known.pop(str(path), None)
        known[str(path)] = _digest(text)
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            rooms.write(self._file, json.dumps(dict(list(known.items())[-500:])))

    def _read(self) -> dict[str, str]:
        """The digests; none when they can't be read."""
        try:
            found: Any = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        known = cast("dict[Any, Any]", found) if isinstance(found, dict) else {}
        return {str(key): str(value) for key, value in known.items()}


def _digest(text: str) -> str:
    """Digest of a text's bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
