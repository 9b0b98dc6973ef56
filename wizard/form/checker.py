"""The full check of a text, with what the disk says about its paths; made to run in a thread."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runner.catalogue.problem import Problem
    from ...runner.check import ModelSource, World
    from ...runner.check.checkpoint_source import CheckpointSource
    from ...runner.document.model import Document

FRESH = 15.0  # seconds; the same paths are not looked at again within them (a tree may hold 100,000 files)
PATIENCE = 20.0  # seconds for one directory tree; what is larger is said to be unfinished


class Checker:
    """Checks texts; remembers what it saw on the disk for a while."""

    def __init__(self) -> None:
        """Start knowing nothing."""
        self._seen: World | None = None
        self._named: tuple[Mapping[str, str], ModelSource | None, CheckpointSource | None] = ({}, None, None)
        self._time = 0.0

    def forget(self) -> None:
        """Look at the disk again next time."""
        self._seen = None

    def check(self, document: Document) -> list[Problem]:
        """Every problem of a text, sorted by line; looks at the disk, so not on the UI thread."""
        from ...runner.check import check_document

        return check_document(document, self._world(document))

    def _world(self, document: Document) -> World:
        """What the disk says about the paths and the model of a text."""
        from ...runner.check import model_source, paths_of
        from ...runner.check.checkpoint_source import checkpoint_source
        from ...runner.cli.gather.facts_for import facts_for
        from ...runner.cli.gather.patience import patient

        base = document.path.parent if document.path is not None else Path.cwd()
        named = (paths_of(document), model_source(document), checkpoint_source(document))
        now = time.monotonic()
        if self._seen is None or named != self._named or now - self._time > FRESH:
            if document.path is not None and not document.path.exists():
                document = replace(document, path=None)  # not saved yet: nothing to say about the file itself
            self._seen = facts_for(document, base, progress=patient(False, PATIENCE, speak=False))
            self._named, self._time = named, time.monotonic()
        return self._seen


def check_text(document: Document) -> list[Problem]:
    """Every problem that can be told without looking at the disk; a few milliseconds."""
    from ...runner.check import check_document

    return check_document(document)
