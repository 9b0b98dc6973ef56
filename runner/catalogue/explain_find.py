"""What a person means by a key: a parameter of AgentSDK, or a key of verl or of an AscendFactory file."""

from __future__ import annotations

from dataclasses import dataclass

from .ascendfactory import PREFIX
from .catalogue import SECTIONS, Catalogue
from .load import load_catalogue
from .nearest import closest
from .parameter import Parameter
from .texts import problem_catalogue
from .verl_table import verl_table

# Blocks of MindSpeed-RL's own files, and the short names that this project's notes use for them.
_MINDSPEED_BLOCKS = frozenset(("megatron_training", "rl_config", "generate_config", "training", "rl", "generate"))


@dataclass(frozen=True, slots=True)
class Found:
    """What may be meant, the best first.

    Attributes:
        parameters: described parameters; empty when ``verl_key`` or nothing was found.
        asked_for: how it was asked for (an id of explain_words.LABELS; "" by its own name).
        verl_key: a key that only the table of verl's packaged files knows.
    """

    parameters: tuple[Parameter, ...] = ()
    asked_for: str = ""
    verl_key: str = ""

    def __bool__(self) -> bool:
        return bool(self.parameters or self.verl_key)


def find(asked: str, known: Catalogue) -> Found:
    """Look a key up, AgentSDK's names first; with ``backend_config.`` in front only among verl's."""
    if asked.startswith(PREFIX):
        found = _verl(asked.removeprefix(PREFIX))
        return Found(found.parameters, "by-ascendfactory", found.verl_key) if found else Found()
    found = _agentsdk(asked, known)
    if found or asked in problem_catalogue():
        return found
    return _verl(asked) or _other(asked, known)


def _agentsdk(asked: str, known: Catalogue) -> Found:
    resolved = known.resolve(asked)
    if resolved is not None:
        parameter, alias = resolved
        others = [p for p in known.find_all(asked) if p is not parameter]
        return Found((parameter, *others), "by-alias" if alias else "")
    found = known.find_all(asked)
    found.sort(key=lambda parameter: parameter.section == "mindspeed_rl")
    return Found(tuple(found), "by-alias" if found and asked != found[0].name else "")


def _verl(asked: str) -> Found:
    native = load_catalogue("verl")
    resolved = native.resolve(asked)
    if resolved is not None:
        return Found((resolved[0],), "by-verl-alias" if resolved[1] else "")
    if asked in verl_table():
        return Found(verl_key=asked)
    if not asked:
        return Found()
    ending = [p for key, p in native.parameters.items() if key.endswith("." + asked)]
    if ending:
        return Found(tuple(ending[:6]), "by-part")
    table = [key for key in verl_table() if key.endswith("." + asked)]
    # A single word that ends several keys of verl's files (path, enable) says too little.
    sure = len(table) == 1 or (bool(table) and "." in asked)
    return Found(verl_key=table[0], asked_for="by-part") if sure else Found()


def _other(asked: str, known: Catalogue) -> Found:
    block, _, name = asked.partition(".")
    by_mindspeed = known.by_mindspeed_rl_key(name if block in _MINDSPEED_BLOCKS else asked)
    if by_mindspeed:
        return Found(tuple(by_mindspeed), "by-mindspeed")
    elsewhere = known.find_all(name) if name and block in SECTIONS else []
    return Found(tuple(elsewhere), "by-section") if elsewhere else Found()


def nearest(asked: str, known: Catalogue) -> list[str]:
    """What an unknown key or code may have meant, five at most, the best first."""
    nested = asked.startswith(PREFIX)
    key = asked.removeprefix(PREFIX)
    section, _, name = key.rpartition(".")
    verl = [candidate.key for candidate in load_catalogue("verl").nearest(key)]
    if "." in key and section not in ("verl", "mindspeed_rl"):
        verl += closest(key, verl_table(), limit=2)
    verl = [f"{PREFIX}{one}" if nested and one in verl_table() else one for one in verl]
    if nested:
        return list(dict.fromkeys(verl))[:5]
    own = [c.key for c in known.nearest(name, section if section in ("verl", "mindspeed_rl") else "")]
    dotted = "." in key and section not in ("verl", "mindspeed_rl")
    codes = closest(key, problem_catalogue(), limit=3)
    if dotted:
        found = [*verl, *own, *codes]
    else:
        found = [*own, *([] if own else verl), *codes]
    return list(dict.fromkeys(found))[:5]
