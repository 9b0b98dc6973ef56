"""The facts of the model that a configuration names: its config.json, else what is known of a model of that name."""

from __future__ import annotations

import re
from pathlib import Path

from ...catalogue.known_models import model_of_hub, model_of_preset
from ...check.model_source import model_source
from ...document import Document
from ...facts.model import ModelFacts, model_facts
from ...facts.model_files import look_at_model

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+/?\Z")


def model_for(document: Document, base: Path, target: str | None = None, *, look: bool = True) -> ModelFacts | None:
    """The shape of the model; None when nothing is known of it.

    Args:
        document: the file as read.
        base: its folder; a relative path counts from there.
        target: what will start the file; None leaves it to the file.
        look: whether the disk may be looked at.
    """
    source = model_source(document, target)
    if source is None:
        return None
    if source.kind == "path":
        try:
            path = base / Path(source.name).expanduser()
            found = look_at_model(path) if look else None
        except (OSError, RuntimeError, ValueError):  # no home directory; a NUL in the name
            return None
        if found is not None:
            return found
    known = model_of_preset(source.name) if source.kind == "preset" else None
    if known is None and source.kind == "path" and _HUB_NAME.match(source.name):
        known = model_of_hub(source.name)
    return model_facts(known.values, name=known.name, source="preset") if known is not None else None
