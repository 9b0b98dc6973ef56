"""The comment that a key gets when it is added to a file, in the words of the templates' short form."""

from __future__ import annotations

from .load import load_catalogue
from .problem import Language
from .render import COLUMNS
from .wrap import wrap


def key_comment(key: str, lang: Language) -> list[str]:
    """Comment lines for a key, without their mark; none for a key that the catalogue doesn't know."""
    resolved = load_catalogue().resolve(key)
    if resolved is None:
        return []
    parameter = resolved[0]
    room = COLUMNS - len("# ") - (2 if parameter.section else 0)
    return wrap(parameter.help[lang], room)
