"""The Megatron weights that a file starts from, looked at by name."""

from __future__ import annotations

from pathlib import Path

from ...catalogue.ascendfactory import PREFIX
from ...check import paths_of, shape_of
from ...document import Document
from ...facts.megatron import MegatronFacts, look_at_megatron

_NATIVE = ("actor_config.load", "megatron_training.load")
_FACTORY = tuple(f"{PREFIX}{key}" for key in _NATIVE)


def weights_for(document: Document, base: Path, target: str | None = None) -> dict[str, MegatronFacts]:
    """Dotted key as it stands in the file -> what lies there; directories that can't be read are left out.

    A relative path of a MindSpeed-RL file counts from where its script is started, which nobody knows here.
    """
    if not document.readable:
        return {}
    shape = shape_of(document.values)
    if shape in ("mindspeed-rl", "ascendfactory"):
        keys = _NATIVE if shape == "mindspeed-rl" else _FACTORY
        named = {key: document.values.get(key, document.get(key)) for key in keys}
        places = {key: Path(path) for key, path in named.items() if isinstance(path, str) and path.startswith("/")}
    else:
        found = paths_of(document, target).items()
        places = {key: base / path for key, path in found if key.rpartition(".")[2] == "load_params_path"}
    seen = {key: look_at_megatron(place) for key, place in places.items()}
    return {key: facts for key, facts in seen.items() if facts is not None}
