"""Drafts: what was typed and not saved, kept through a crash, a lost connection or a closed terminal."""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..i18n import language

if TYPE_CHECKING:
    from .state import Form

FORMAT = 1
KEPT = 20  # recent drafts offered; older ones are removed
TOO_LARGE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Draft:
    """An unsaved text with what is needed to go on with it.

    Attributes:
        text: the text as it stood last.
        base: the text the form started from, which tells what was edited.
        disk: the text of the file on disk as last seen; None when there is no file.
        path: the file it belongs to; empty when it was never saved.
        template: name of the template it started from; empty when it started from a file.
        language: language of the screens, and of the template's comments.
        pid: the wizard that writes it; a draft of a living wizard is not offered to another one.
        birth: when that process began, as the system counts it: in a container the same pid comes again and again.
        time: seconds since the epoch of the last write.
    """

    text: str
    base: str
    disk: str | None = None
    path: str = ""
    template: str = ""
    language: str = "en"
    pid: int = field(default_factory=os.getpid)
    birth: str = field(default_factory=lambda: birth_of(os.getpid()))
    time: float = 0.0
    id: str = ""
    format: int = FORMAT


def state_folder() -> Path:
    """The user's state folder of this program."""
    from platformdirs import user_state_path

    return user_state_path("agentic-rl")


class Drafts:
    """The drafts of one user, one file each, readable by their owner's group at most."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use ``folder`` (default: the user's state folder)."""
        self.folder = folder if folder is not None else state_folder() / "drafts"

    def write(self, draft: Draft) -> Draft:
        """Keep a draft; a full or read-only disk is no reason to stop editing, so ``OSError`` is for the caller."""
        from .rooms import write

        now = time.time()
        named = replace(draft, id=draft.id or f"{int(now)}-{os.getpid()}-{secrets.token_hex(3)}", time=now)
        self.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        write(self._file(named.id), json.dumps(asdict(named), ensure_ascii=False))
        return named

    def keep(self, form: Form, draft_id: str) -> str:
        """Write the draft of a form; returns its id.

        Raises:
            OSError: it could not be written.
        """
        origin = form.origin
        path = str(origin.path.absolute()) if origin.path else ""
        draft = Draft(form.text, origin.base, origin.disk, path, origin.template, language(), id=draft_id)
        return self.write(draft).id

    def remove(self, draft_id: str) -> None:
        """Forget a draft."""
        if draft_id:
            with suppress(OSError):
                self._file(draft_id).unlink()

    def waiting(self) -> list[Draft]:
        """Drafts whose wizard is gone, the latest first."""
        found: list[Draft] = []
        with suppress(OSError):
            for file in self.folder.glob("*.json"):
                draft = self._read(file)
                if draft is not None and not _lives(draft.pid, draft.birth):
                    found.append(draft)
        found.sort(key=lambda draft: draft.time, reverse=True)
        for old in found[KEPT:]:
            self.remove(old.id)
        return found[:KEPT]

    def waiting_for(self, path: Path | None, template: str) -> Draft | None:
        """The latest draft of the same file, or of the same template when it never had a file."""
        wanted = str(path.absolute()) if path is not None else ""
        for draft in self.waiting():
            if wanted and draft.path == wanted:
                return draft
            if not wanted and not draft.path and draft.template == template:
                return draft
        return None

    def _file(self, draft_id: str) -> Path:
        """File of a draft; the id never leaves the folder."""
        return self.folder / f"{Path(draft_id).name}.json"

    def _read(self, file: Path) -> Draft | None:
        """A draft, or None where the file is not one."""
        try:
            if file.stat().st_size > TOO_LARGE:
                return None
            found: Any = json.loads(file.read_text(encoding="utf-8"))
            texts = (found["text"], found["base"], found["path"], found["template"], found["disk"] or "")
            if found["format"] != FORMAT or not all(isinstance(one, str) for one in texts):
                return None
            return replace(Draft(**found), id=file.stem, pid=int(found["pid"]), time=float(found["time"]))
        except (OSError, ValueError, TypeError, KeyError):
            return None


def birth_of(pid: int) -> str:
    """When a process began, in clock ticks since the machine did; empty where the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _lives(pid: int, birth: str) -> bool:
    """Whether another process, the very one that is meant, runs."""
    if pid == os.getpid() or (birth and birth_of(pid) != birth):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
