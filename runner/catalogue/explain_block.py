"""Sections of a file (``verl``, ``backend_config``, ``actor_rollout_ref.rollout``): which keys stand below them."""

from __future__ import annotations

from .ascendfactory import PREFIX, TREE
from .catalogue import SECTIONS, Catalogue
from .explain_words import LABELS
from .explanation import Explanation, Section
from .load import load_catalogue
from .problem import Language


def explain_block(asked: str, known: Catalogue, lang: Language) -> Explanation | None:
    """The keys below a section, each with its title; None when nothing stands below the name."""
    name = asked.removeprefix(PREFIX)
    if asked == TREE:
        lines = _blocks(lang)
    elif name in SECTIONS[1:]:
        lines = [f"{p.name} - {p.title[lang]}" for p in known.section(name)]
    else:
        native = load_catalogue("verl").parameters
        lines = [f"{key} - {p.title[lang]}" for key, p in native.items() if name and key.startswith(f"{name}.")]
    if not lines:
        return None
    labels = LABELS[lang]
    return Explanation("block", asked, labels["block"], (Section("below", labels["below"], tuple(lines)),))


def _blocks(lang: Language) -> list[str]:
    counts: dict[str, int] = {}
    for key, parameter in load_catalogue("verl").parameters.items():
        if parameter.verl:
            counts[key.partition(".")[0]] = counts.get(key.partition(".")[0], 0) + 1
    return [LABELS[lang]["described"].format(block, count) for block, count in counts.items()]
