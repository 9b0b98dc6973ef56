"""Going on from a checkpoint: which one, and whether this many devices can read it (V32, facts/backends.md 2.4)."""

from __future__ import annotations

from ...catalogue.versions import version_holds
from ..view import View
from .algorithm import word_finding
from .relation import EVERYWHERE, NATIVE, Finding, Relation
from .setup import NODES, PER_NODE, devices, fsdp

RESUME, FROM = "trainer.resume_mode", "trainer.resume_from_path"


def _resume_word(view: View) -> Finding | None:
    found = word_finding("resume", RESUME, view)
    if found is None or view.version == "main" or version_holds(">=0.9.1", view.version):
        return found
    return Finding(found.params, found.edits, "warning")  # with a checkpoint it goes on like auto


def _resume_path(view: View) -> Finding | None:
    path = view.value(FROM)
    if view.value(RESUME) != "resume_path":
        return None
    if not isinstance(path, str) or "global_step_" not in path:
        return Finding({"value": path})
    step = path.rpartition("global_step_")[2]
    return None if step.isdecimal() else Finding({"value": path})


def _unread_path(view: View) -> Finding | None:
    if view.value(FROM) is None or view.value(RESUME) == "resume_path":
        return None
    return Finding({"value": view.value(RESUME)}, ((RESUME, "resume_path"),))


def _other_world(view: View) -> Finding | None:
    written, total = getattr(view.world.checkpoint, "world_size", None), devices(view)
    if not written or not total or not fsdp(view) or view.value(RESUME) == "disable" or written == total:
        return None
    return Finding({"written": written, "devices": total}, ((RESUME, "disable"),))


RESUMES: tuple[Relation, ...] = (
    Relation("word-unknown", (RESUME,), _resume_word, launchers=EVERYWHERE, given="first"),
    Relation("resume-path-wrong", (FROM, RESUME), _resume_path, launchers=EVERYWHERE),
    Relation("resume-path-unread", (FROM, RESUME), _unread_path, "warning", launchers=NATIVE, given="first"),
    Relation("resume-other-world", (PER_NODE, NODES, RESUME), _other_world, given="none"),
)
