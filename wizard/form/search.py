"""Find a parameter by key, other names, title or help text, in both languages at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runner.catalogue.parameter import Parameter

LANGUAGES = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Hit:
    """A found parameter and how well it fits (higher is better)."""

    parameter: Parameter
    score: int


class Index:
    """Everything a person may remember of a parameter, folded to lower case once."""

    def __init__(self, parameters: Iterable[Parameter]) -> None:
        """Index the parameters in their order, which breaks ties."""
        self._entries = [(one, *_words(one)) for one in parameters]

    def find(self, wanted: str, limit: int = 50) -> list[Hit]:
        """The parameters in which every word of ``wanted`` occurs, best first; all of them for nothing typed."""
        words = _fold(wanted).split()
        hits: list[Hit] = []
        for parameter, key, names, title, rest in self._entries:
            total = 0
            for word in words:
                score = _score(word, key, names, title, rest)
                if not score:
                    break
                total += score
            else:
                hits.append(Hit(parameter, total))
        hits.sort(key=lambda hit: -hit.score)
        return hits[:limit]


def _words(parameter: Parameter) -> tuple[str, str, str, str]:
    """Key, other names, titles and the rest of a parameter, folded."""
    names = [*parameter.aliases, *(name for name in parameter.names.values() if name), *(k for _, k in parameter.verl)]
    title = [parameter.title.get(language, "") for language in LANGUAGES]
    rest = [text.get(language, "") for text in (parameter.help, parameter.constraint) for language in LANGUAGES]
    return _fold(parameter.key), _fold(" ".join(names)), _fold(" ".join(title)), _fold(" ".join(rest))


def _fold(text: str) -> str:
    """Lower case, full-width forms as ASCII."""
    return unicodedata.normalize("NFKC", text).casefold()


def _score(word: str, key: str, names: str, title: str, rest: str) -> int:
    """How well one word fits one parameter; 0 when it does not occur."""
    name = key.rpartition(".")[2]
    if word in (name, key):
        return 1000
    if name.startswith(word):
        return 700 - len(name)
    if word in key:
        return 500 - len(name)
    if word in title:
        return 300
    if word in names:
        return 200
    if word in rest:
        return 100
    return 20 if len(word) > 2 and _scattered(word, name) else 0


def _scattered(word: str, name: str) -> bool:
    """Whether the letters of ``word`` occur in ``name`` in their order (``mxlen`` finds ``max_model_len``)."""
    letters = iter(name)
    return all(letter in letters for letter in word)
