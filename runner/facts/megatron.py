"""What lies in a directory of Megatron weights: names only, nothing is unpickled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .checkpoints import TRACKER

_RANK = re.compile(r"mp_rank_\d{2,}(?:_\d{3,}){0,2}\Z")


@dataclass(frozen=True, slots=True)
class MegatronFacts:
    """The weights that Megatron would load.

    Attributes:
        directory: the directory looked at.
        iteration: what its tracker file says, ``release`` or a number; "" without one, and then nothing is loaded.
        ranks: names of the folders ``mp_rank_TT[_PPP][_EEE]`` of that iteration; empty for other formats.
        hugging_face: whether it holds weights of that format (config.json beside safetensors or bin files).
    """

    directory: str
    iteration: str = ""
    ranks: frozenset[str] = frozenset()
    hugging_face: bool = False


def look_at_megatron(directory: str | Path) -> MegatronFacts | None:
    """Read the tracker file and the names of one folder; None where the directory can't be read."""
    top = Path(directory)
    try:
        names = {entry.name for entry in top.iterdir()}
    except OSError:
        return None
    foreign = "config.json" in names and any(name.endswith((".safetensors", ".bin")) for name in names)
    try:
        text = (top / TRACKER).read_text(encoding="utf-8", errors="replace")[:80].strip()
    except OSError:
        return MegatronFacts(str(directory), hugging_face=foreign)
    folder = top / (f"iter_{int(text):07d}" if text.isdecimal() else "release")
    try:
        ranks = frozenset(entry.name for entry in folder.iterdir() if _RANK.match(entry.name))
    except OSError:
        ranks = frozenset[str]()
    return MegatronFacts(str(directory), text, ranks, hugging_face=foreign)
