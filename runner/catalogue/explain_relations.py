"""Which problems mention a key: relations between values, as templates/problems/ declares them (field ``keys``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .explain_words import LABELS
from .load import load_catalogue
from .parameter import Parameter
from .problem import Language
from .texts import ProblemEntry, problem_catalogue

_STARTED_WITHOUT_AGENTSDK = frozenset(("verl", "ascendfactory", "local"))
_MINDSPEED_FILE = re.compile(r"(?:megatron_training|actor_config|rl_config|generate_config)\.(.+)\Z")


def relations_of(parameter: Parameter, lang: Language) -> list[str]:
    """One line a problem: its code, where it holds, and what must hold."""
    if parameter.family == "verl":
        agentsdk = load_catalogue()
        keys = {parameter.key, *parameter.aliases, *(key for _, key in parameter.verl)}
        twins = {twin.key for key in keys for twin, _ in agentsdk.by_verl_key(key)}
        entries = (entry for entry in problem_catalogue().values() if _of_verl_key(entry, keys, twins))
    else:
        keys = {parameter.key, *(key for _, key in parameter.verl)}
        entries = (entry for entry in problem_catalogue().values() if _of_agentsdk_key(entry, keys, parameter))
    return [_line(entry, lang) for entry in entries]


def relations_of_verl_key(key: str, lang: Language) -> list[str]:
    """The same for a key of verl that no catalogue describes."""
    return [_line(entry, lang) for entry in problem_catalogue().values() if _of_verl_key(entry, {key}, set())]


def _of_verl_key(entry: ProblemEntry, keys: Iterable[str], twins: set[str]) -> bool:
    if entry.backend == "mindspeed_rl" or (entry.targets and not _STARTED_WITHOUT_AGENTSDK & set(entry.targets)):
        return False
    return any(key in keys or key in twins for key in entry.keys)


def _of_agentsdk_key(entry: ProblemEntry, keys: set[str], parameter: Parameter) -> bool:
    return any(key in keys or key in keys_of_mindspeed(parameter, key) for key in entry.keys)


def keys_of_mindspeed(parameter: Parameter, key: str) -> Iterator[str]:
    """``key`` itself when it is a key of MindSpeed-RL's own files that the parameter becomes."""
    match = _MINDSPEED_FILE.match(key)
    if match is not None and parameter.mindspeed_rl and match[1] == parameter.mindspeed_rl:
        yield key


def _line(entry: ProblemEntry, lang: Language) -> str:
    labels = LABELS[lang]
    name = {"": "verl", "verl": "verl", "mindspeed_rl": "MindSpeed-RL"}[entry.backend]
    where = f"{name} {entry.versions}" if entry.versions else name if entry.backend else ""
    shown = f" ({where})" if where else ""
    return labels["relation"].format(f"{entry.code}{shown}", entry.formula or plain(entry.message[lang]))


def plain(template: str) -> str:
    """A template for reading: placeholders as <name>, marks of optional parts gone."""
    return template.replace("[?", "").replace("?]", "").replace("{", "<").replace("}", ">").strip()
