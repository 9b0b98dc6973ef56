"""What the training process says of a wrapper, in the language of the person (templates/wrapper_messages.yaml).

Its sentences are English, for they go into logs; what carries them (an exception, a line of a log that Ray brings) has
no room for more. So they are recognised by their wording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .problem import Language

_FILE = "wrapper_messages.yaml"
_PLACE = re.compile(r"\{(\w+)\}")
_FIELDS = "prompt_tokens|response_tokens|response_masks"
_KINDS = {"field": _FIELDS, "parameter": r"\w+"}
# Only these may hold a sentence of the table: other values are the person's own.
_NESTED = frozenset({"error", "refused", "kind"})
_RAISED = re.compile(r"(?P<type>\w+): (?P<text>.+)", re.DOTALL)


@lru_cache(maxsize=1)
def _table() -> Sequence[tuple[re.Pattern[str], str]]:
    """Pattern of the English sentence and the Chinese one; those with the most words of their own first."""
    content = read_yaml(templates_root() / _FILE)
    if not isinstance(content, list):
        raise CatalogueError(f"{_FILE}: expected a list")
    texts: list[tuple[str, str]] = []
    for number, row in enumerate(cast("list[object]", content)):
        if not isinstance(row, Mapping):
            raise CatalogueError(f"{_FILE}: entry {number} is no mapping")
        entry = Entry(f"{_FILE}: entry {number}", {"text": row}, ("text",))
        text = entry.text("text")
        texts.append((text["en"], text["zh"]))
    texts.sort(key=lambda pair: len(_PLACE.sub("", pair[0])), reverse=True)
    return [(_pattern(en), zh) for en, zh in texts]


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = _PLACE.split(sentence)
    found = [
        f"(?P<{part}>{_KINDS.get(part, '.+?')})" if place % 2 else re.escape(part) for place, part in enumerate(parts)
    ]
    return re.compile("".join(found), re.DOTALL)


def wrapper_message(text: str, lang: Language) -> str:
    """A sentence of the training process in a language; one that is not known stays as it is."""
    if lang == "en":
        return text
    for pattern, chinese in _table():
        match = pattern.fullmatch(text)
        if match is not None:
            values = {key: _value(key, value) for key, value in match.groupdict().items()}
            return chinese.format_map(values)
    raised = _RAISED.fullmatch(text)
    if raised is not None and raised["text"] != text:
        return f"{raised['type']}: {wrapper_message(raised['text'], lang)}"
    return text


def _value(key: str, value: str) -> str:
    return wrapper_message(value, "zh") if key in _NESTED or value in {"none", "nothing", "an unknown place"} else value
