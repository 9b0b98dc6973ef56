"""Whether a file is rehearsed on this CPU, and with which stand-in for its model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...backends.rehearsal import Rehearsal, limit
from ...catalogue.known_models import model_of_path
from ...check.memory_weights import weights_of
from ...check.model_source import model_source
from ...document import Document
from ...facts.model import ModelFacts, model_facts
from ...facts.model_files import look_at_model
from ..gather.model_for import model_for

if TYPE_CHECKING:
    from ...facts.training import TrainingFacts

HOME = Path(".agentic-rl") / "rehearsal"  # below the working directory
MANIFEST = "standin.json"
VERSION = 1
_WEIGHTS = ("*.safetensors", "*.bin", "*.pt")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json")
_BYTES = 300  # tokens of the byte-level tokenizer, about
_MANY = 152_000  # of a model of which nothing is known but its tokenizer


def rehearsal_for(
    document: Document, base: Path, workdir: Path, training: TrainingFacts, train_file: str
) -> Rehearsal | None:
    """The stand-in for the file's model; None where the model is here and small enough to be trained as it is.

    Args:
        document: the file as read.
        base: its folder.
        workdir: where stand-ins are kept.
        training: what the training interpreter knows of the data.
        train_file: the training data as the training interpreter was asked about them.
    """
    source = model_source(document, "local")
    name = source.name if source is not None else ""
    folder = _folder(base, name)
    facts = _facts(document, base, name)
    if folder is not None and _has(folder, _WEIGHTS) and _small(facts, folder):
        return None
    tokenizer = folder if folder is not None and any((folder / one).is_file() for one in _TOKENIZERS) else None
    settings = {
        "version": VERSION,
        "name": name,
        "facts": {key: value for key, value in asdict(facts).items() if value is not None} if facts else {},
        "files": _stamps(folder) if folder is not None else {},
    }
    place = workdir / HOME / f"{_last(name) or 'model'}-{_digest(settings)}"
    data = training.files.get(train_file)
    expected = Rehearsal(
        folder=place,
        family=(facts.model_type if facts else "") or "",
        vocabulary=_vocabulary(facts, tokenizer),
        own_tokenizer=tokenizer is not None,
        prompt_bytes=data.prompt_bytes if data is not None else None,
        wrapper=bool(document.get("agent_engine_wrapper_path")),
        settings={
            "out": str(place),
            "model": str(folder) if folder is not None and (folder / "config.json").is_file() else "",
            "tokenizer": str(tokenizer or ""),
            "facts": settings["facts"],
            "settings": settings,
        },
    )
    return as_made(expected)


def as_made(rehearsal: Rehearsal) -> Rehearsal:
    """The stand-in as it has turned out to be; as expected where it has not been made yet."""
    made = manifest_of(rehearsal)
    if made is None:
        return rehearsal
    return replace(
        rehearsal,
        family=str(made.get("model_type") or rehearsal.family),
        vocabulary=int(made.get("vocabulary") or rehearsal.vocabulary),
        own_tokenizer=bool(made.get("own_tokenizer", rehearsal.own_tokenizer)),
    )


def manifest_of(rehearsal: Rehearsal) -> dict[str, Any] | None:
    """What the stand-in is that was made earlier, from the same things; None where there is none."""
    try:
        found: Any = json.loads((rehearsal.folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    made = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return made if made and made.get("settings") == (rehearsal.settings or {}).get("settings") else None


def _facts(document: Document, base: Path, name: str) -> ModelFacts | None:
    found = model_for(document, base, "local")
    if found is not None:
        return found
    preset = document.get("model_name")
    for candidate in (name, preset if isinstance(preset, str) else ""):
        known = model_of_path(candidate) if candidate else None
        if known is not None:
            return model_facts(known.values, name=known.name, source="preset")
    return None


def _small(facts: ModelFacts | None, folder: Path) -> bool:
    """Whether a CPU trains the model as it is."""
    own = look_at_model(folder)
    weights = weights_of(own) if own is not None else None
    parameters = weights.total if weights is not None else None
    if parameters is None:
        found = [path.stat().st_size for pattern in _WEIGHTS for path in folder.glob(pattern)]
        parameters = (facts.parameters if facts else None) or sum(found) // 4
    return parameters <= limit("parameters")


def _vocabulary(facts: ModelFacts | None, tokenizer: Path | None) -> int:
    if tokenizer is None:
        return _BYTES
    return (facts.vocab_size if facts is not None else None) or _MANY


def _folder(base: Path, name: str) -> Path | None:
    try:
        path = base / Path(name).expanduser()
        return path if name and path.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _has(folder: Path, patterns: tuple[str, ...]) -> bool:
    return any(next(folder.glob(pattern), None) is not None for pattern in patterns)


def _stamps(folder: Path) -> dict[str, list[int]]:
    """Size and time of what a stand-in is made from."""
    names = ("config.json", "tokenizer_config.json", "chat_template.jinja", *_TOKENIZERS)
    found = {one: (folder / one).stat() for one in names if (folder / one).is_file()}
    return {name: [status.st_size, status.st_mtime_ns] for name, status in found.items()}


def _last(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in "._-" else "-" for c in name.rstrip("/").rpartition("/")[2])
    return kept.strip(".")[:60]


def _digest(settings: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:10]
