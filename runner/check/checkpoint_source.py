"""Where a configuration says that a run would go on from; what lies there is a fact that somebody else looks up."""

from __future__ import annotations

from dataclasses import dataclass

from ..document import Document
from .target import native_backend, target_of
from .view_verl import verl_view
from .world import World

_MODE, _FROM, _SAVED = "trainer.resume_mode", "trainer.resume_from_path", "trainer.default_local_dir"


@dataclass(frozen=True, slots=True)
class CheckpointSource:
    """``path``: absolute; with ``step`` the folder of one step itself, else the directory that holds several."""

    path: str
    step: bool = False


def checkpoint_source(document: Document, target: str | None = None) -> CheckpointSource | None:
    """The checkpoint of a file with verl's own keys; None when it names none, or does not go on from any.

    A relative path counts from where verl is started, which nobody knows here.
    """
    if not document.readable or native_backend(document.values) != "verl":
        return None
    view = verl_view(document, World(), target or target_of(document))
    mode = view.value(_MODE)
    key = {"auto": _SAVED, "resume_path": _FROM}.get(mode) if isinstance(mode, str) else None
    if key is None or not view.given(key):
        return None
    path = view.text(key)
    return CheckpointSource(path, key == _FROM) if path.startswith("/") and "\0" not in path else None
